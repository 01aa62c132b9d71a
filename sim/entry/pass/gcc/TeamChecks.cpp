// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks in line, of what lanes of teams access: behind the compiler's pass for ThreadSanitizer, whose calls it takes, as
/// Checks.cpp does for flat kernels. In line is what check/Access.hpp says at once: an access to the lane's own stack, or a
/// read of the kernel's functor, passes (closures of nested ranges lie on stacks, and what they caught is read through them
/// each time: most of what a kernel with teams reads); of scratch and device memory, words that are ordered by the floor alone,
/// or that many have read. All else is a call, and so is everything where lanes are counted, recorded, weighed or not checked.
///
/// Of scans, whose lanes are judged as a team's where they run step by step, only accesses to device memory are in line, and
/// not those by which a host makes an atomic: what such a load comes to, the runtime says (check/RangeCells.hpp).
///
/// The place is an address of the check's own, as in Checks.cpp.
#include "../Abi.h"
#include "Atomics.hpp"
#include "Code.hpp"
#include "Marks.hpp"
#include "TsanCall.hpp"

namespace teamsan_plugin {

namespace {

/// So many of a function, and no more: each takes some 50 instructions.
constexpr unsigned most_in_a_function = 256;

/// In Kokkos' own code for atomics, in line or not.
bool is_of_atomics(gimple* s) {
  auto const is_there = [](location_t at) {
    expanded_location const place = expand_location(at);
    return place.file != nullptr && std::strstr(place.file, "/desul/") != nullptr;
  };
  if (is_there(gimple_location(s))) return true;
  for (tree block = gimple_block(s); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block) && is_there(BLOCK_SOURCE_LOCATION(block))) return true;
  return false;
}

class TeamCheck {
 public:
  TeamCheck(TsanCall const& access, unsigned number, bool in_steps)
      : m_access(access), m_number(number), m_in_steps(in_steps), m_begin(gimple_bb(access.statement)) {}

  void put_in_line() {
    m_like = m_access.statement;
    m_pointer = gimple_call_arg(m_like, 0);
    m_behind = split_block(m_begin, m_like)->dest;
    remove_edge(single_succ_edge(m_begin));
    gimple_stmt_iterator at = gsi_for_stmt(m_like);
    unlink_stmt_vdef(m_like);
    gsi_remove(&at, true);
    m_slow = block(false);
    Code first(m_begin, m_like);
    begin(first);
    m_in_steps ? in_steps(first) : in_team(first);
    Code slow(m_slow, m_like);
    slow.append(has_cells() ? gimple_build_call(callback(), 2, m_pointer, m_place)
                            : gimple_build_call(gimple_call_fndecl(m_like), 1, m_pointer));
    slow.go(m_behind);
  }

 private:
  bool has_cells() const { return m_access.bytes >= 4; }

  void in_steps(Code& first) {
    basic_block const usual = block(true), aligned = block(true);
    first.branch(LT_EXPR, first.state_anew(teamsan_hot_watch, unsigned_char_type_node),
                 build_int_cst(unsigned_char_type_node, teamsan_watch_range + 1), usual, m_slow, true);
    Code code(usual, m_like);
    code.branch(EQ_EXPR, code.binary(BIT_AND_EXPR, m_address, m_access.bytes - 1), number(0), aligned, m_slow, true);
    device(aligned);
  }

  void in_team(Code& first) {
    basic_block const usual = block(true), others = block(true);
    first.branch(EQ_EXPR, first.state_anew(teamsan_hot_watch, unsigned_char_type_node), build_zero_cst(unsigned_char_type_node),
                 usual, m_slow, true);
    own_stack(usual, others);
    Code next(others, m_like);
    if (m_access.writes) {
      has_cells() ? cells(others) : next.go(m_slow);
    } else {
      basic_block const memory = has_cells() ? block(true) : m_slow;
      next.branch(LT_EXPR, next.binary(MINUS_EXPR, m_address, TEAMSAN_CONSTANT), number(TEAMSAN_CONSTANT_BYTES), m_behind,
                  memory, false);
      if (has_cells()) cells(memory);
    }
  }

  basic_block block(bool usual) {
    basic_block const b = create_empty_bb(m_begin);
    if (m_begin->loop_father != nullptr) add_bb_to_loop(b, m_begin->loop_father);
    b->count = m_begin->count.apply_probability(usual ? profile_probability::even() : profile_probability::very_unlikely());
    return b;
  }
  static tree half() { return unsigned_type_node; }
  static tree half_number(unsigned n) { return build_int_cst(half(), n); }

  /// The place, and the address as one of which nothing is known: checks of the same address one behind the other would have
  /// the optimiser copy what lies between them, and the copies had places of their own. Each its own text, or two would be
  /// taken for one.
  void begin(Code& code) {
    m_place = make_ssa_name(word());
    m_address = make_ssa_name(word());
    std::string const text = "leaq 0f(%%rip), %0 # team " + std::to_string(m_number) + "\n0:";
    vec<tree, va_gc>*outputs = nullptr, *inputs = nullptr;
    auto const operand = [](char const* constraint, tree value) {
      return build_tree_list(build_tree_list(NULL_TREE, build_string(std::strlen(constraint), constraint)), value);
    };
    vec_safe_push(outputs, operand("=r", m_place));
    vec_safe_push(outputs, operand("=r", m_address));
    vec_safe_push(inputs, operand("1", code.convert(word(), m_pointer)));
    gasm* const s = gimple_build_asm_vec(text.c_str(), inputs, outputs, nullptr, nullptr);
    SSA_NAME_DEF_STMT(m_place) = SSA_NAME_DEF_STMT(m_address) = s;
    code.append(s);
  }
  /// The runtime's, which is told the check's place.
  tree callback() const {
    unsigned const which = (m_access.bytes == 8 ? 2 : 0) + m_access.writes;
    tree& known = runtime_function[team_checks + which];
    if (known == NULL_TREE) {
      static char const* const names[] = {"__teamsan_team_read4", "__teamsan_team_write4", "__teamsan_team_read8",
                                          "__teamsan_team_write8"};
      known = leaf_function(names[which], build_function_type_list(void_type_node, ptr_type_node, word(), NULL_TREE));
    }
    return known;
  }

  /// What is older there than a nested range may be news to vector lanes, if it is stored.
  void own_stack(basic_block at, basic_block others) {
    Code code(at, m_like);
    tree const from = code.assign(word(), MINUS_EXPR, m_address, code.state_word(teamsan_hot_ignore_begin));
    basic_block const there = m_access.writes ? block(true) : m_behind;
    code.branch(LT_EXPR, from, code.state_word(teamsan_hot_ignore_bytes), there, others, false);
    if (!m_access.writes) return;
    Code store(there, m_like);
    store.branch(LT_EXPR, m_address, store.state_word(teamsan_hot_outer_frames), m_behind, m_slow, true);
  }

  /// TeamCells::access.
  void cells(basic_block at) {
    basic_block const aligned = block(true), in_scratch = block(true), elsewhere = block(true);
    Code code(at, m_like);
    code.branch(EQ_EXPR, code.binary(BIT_AND_EXPR, m_address, m_access.bytes - 1), number(0), aligned, m_slow, true);
    Code which(aligned, m_like);
    tree const offset = which.assign(word(), MINUS_EXPR, m_address, which.state_word(teamsan_hot_scratch_begin));
    which.branch(LT_EXPR, offset, which.state_word(teamsan_hot_scratch_bytes), in_scratch, elsewhere, false);
    Code scratch(in_scratch, m_like);
    tree const of_scratch = scratch.assign(word(), PLUS_EXPR, scratch.shifted(LSHIFT_EXPR, offset, 2),
                                           scratch.state_word(teamsan_hot_scratch_cells));
    look_at(in_scratch, scratch, of_scratch, m_access.bytes / 4);
    device(elsewhere);
  }

  void device(basic_block at) {
    basic_block const in_device = block(true), in_line = block(true);
    Code global(at, m_like);
    tree const of_device = global.binary(MINUS_EXPR, m_address, TEAMSAN_FLAT_DEVICE);
    global.branch(LT_EXPR, of_device, global.state_word(teamsan_hot_global_bytes), in_device, m_slow, true);
    Code device(in_device, m_like);
    tree const key = device.shifted(RSHIFT_EXPR, m_address, 6);
    tree const shift = device.convert(integer_type_node, device.state_word(teamsan_hot_index_shift, short_unsigned_type_node));
    tree const hash = device.assign(word(), RSHIFT_EXPR, device.binary(MULT_EXPR, key, TEAMSAN_LINE_HASH), shift);
    tree const entry = device.convert(ptr_type_node, device.assign(word(), PLUS_EXPR, device.shifted(LSHIFT_EXPR, hash, 4),
                                                                   device.state_word(teamsan_hot_index)));
    bool const wide = m_access.bytes == 8;
    tree const known = device.load(word(), entry, 0);
    device.branch(EQ_EXPR, known, wide ? device.binary(BIT_IOR_EXPR, key, TEAMSAN_LINE_WIDE) : key, in_line, m_slow, true);
    Code line(in_line, m_like);
    tree const word_of_line = line.shifted(LSHIFT_EXPR, line.binary(BIT_AND_EXPR, m_address, wide ? 56 : 60), wide ? 1 : 2);
    tree const of_line =
        line.binary(PLUS_EXPR, line.assign(word(), PLUS_EXPR, line.load(word(), entry, 8), word_of_line), TEAMSAN_LINE_CELLS);
    look_at(in_line, line, of_line, 1);
  }

  tree floor(Code& code) { return code.state_word(teamsan_hot_floor, half()); }
  tree me(Code& code) { return code.state_word(teamsan_hot_me, half()); }
  tree of_cell(Code& code, int cell, int offset) { return code.load(half(), m_cell, cell * TEAMSAN_CELL_BYTES + offset); }
  /// Goes on behind `code`, whose block is `at`.
  void look_at(basic_block at, Code& code, tree cell, int count) {
    m_cell = code.convert(ptr_type_node, cell);
    m_access.writes ? write_at(at, count) : read_at(at, count);
  }

  /// read_quickly.
  void read_at(basic_block at, int count) {
    Code code(at, m_like);
    tree const before = floor(code), least = code.assign(half(), PLUS_EXPR, before, half_number(-1u));
    tree latest_write = NULL_TREE, reads[2] = {};
    for (int i = 0; i != count; ++i) {
      tree const write = code.assign(half(), PLUS_EXPR, of_cell(code, i, TEAMSAN_CELL_WRITE_WHO), half_number(-1u));
      latest_write = i == 0 ? write : code.assign(half(), MAX_EXPR, latest_write, write);
      reads[i] = of_cell(code, i, TEAMSAN_CELL_READ_WHO);
    }
    basic_block const ordered = block(true), nobody = block(true), somebody = block(true);
    code.branch(LT_EXPR, latest_write, least, ordered, m_slow, true);
    Code read(ordered, m_like);
    tree const latest = count == 1 ? reads[0] : read.assign(half(), MAX_EXPR, reads[0], reads[1]);
    read.branch(LT_EXPR, latest, before, nobody, somebody, false);
    Code now(nobody, m_like);
    put(now, TEAMSAN_CELL_READ, count);
    // All of the access by many: flags of one word, and of both.
    Code many(somebody, m_like);
    tree all = reads[0], any = reads[0], first = reads[0];
    if (count == 2) {
      all = many.assign(half(), BIT_AND_EXPR, reads[0], reads[1]);
      any = many.assign(half(), BIT_IOR_EXPR, reads[0], reads[1]);
      first = many.assign(half(), MIN_EXPR, reads[0], reads[1]);
    }
    tree const by_many = many.assign(half(), BIT_AND_EXPR, all, half_number(TEAMSAN_WHO_MANY));
    tree const otherwise = many.assign(half(), BIT_AND_EXPR, any, half_number(TEAMSAN_WHO_ATOMIC | TEAMSAN_WHO_MIXED));
    tree const flags = many.assign(half(), BIT_IOR_EXPR, by_many, otherwise);
    if (count == 1) {
      many.branch(EQ_EXPR, flags, half_number(TEAMSAN_WHO_MANY), m_behind, m_slow, true);
      return;
    }
    basic_block const both = block(true);
    many.branch(EQ_EXPR, flags, half_number(TEAMSAN_WHO_MANY), both, m_slow, true);
    Code since(both, m_like);
    since.branch(GE_EXPR, first, before, m_behind, m_slow, true);
  }

  /// write_word, of all words before one is changed.
  void write_at(basic_block at, int count) {
    for (int i = 0; i != count; ++i)
      for (int const offset : {TEAMSAN_CELL_WRITE_WHO, TEAMSAN_CELL_READ_WHO}) {
        Code code(at, m_like);
        basic_block const later = block(false), next = block(true);
        tree const who = of_cell(code, i, offset);
        code.branch(LT_EXPR, who, floor(code), next, later, true);
        Code own(later, m_like);
        tree const differs = own.assign(half(), BIT_XOR_EXPR, who, me(own));
        own.branch(EQ_EXPR, own.assign(half(), BIT_AND_EXPR, differs, half_number(TEAMSAN_WHO_LANE_AND_FLAGS)), half_number(0),
                   next, m_slow, true);
        at = next;
      }
    Code now(at, m_like);
    put(now, TEAMSAN_CELL_WRITE, count);
  }

  /// The running lane is the latest.
  void put(Code& code, int offset, int count) {
    tree const site = code.convert(half(), m_place), lane = me(code);
    for (int i = 0; i != count; ++i) {
      code.store(m_cell, i * TEAMSAN_CELL_BYTES + offset, site);
      code.store(m_cell, i * TEAMSAN_CELL_BYTES + offset + 4, lane);
    }
    code.go(m_behind);
  }

  TsanCall m_access;
  unsigned m_number;
  bool m_in_steps;
  basic_block m_begin, m_behind = nullptr, m_slow = nullptr;
  gimple* m_like = nullptr;
  tree m_pointer = NULL_TREE, m_place = NULL_TREE, m_address = NULL_TREE, m_cell = NULL_TREE;
};

pass_data const data = {GIMPLE_PASS, "teamsan_team_checks", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class TeamChecks final : public gimple_opt_pass {
 public:
  explicit TeamChecks(gcc::context* c) : gimple_opt_pass(data, c) {}
  opt_pass* clone() final { return new TeamChecks(m_ctxt); }
  bool gate(function* f) final {
    bool const of_teams = has_mark(f->decl, lane_body) && !has_mark(f->decl, flat_body);
    return optimize > 0 && (of_teams || has_mark(f->decl, steps_root)) && sanitize_flags_p(SANITIZE_THREAD, f->decl);
  }

  unsigned int execute(function* f) final {
    bool const in_steps = has_mark(f->decl, steps_root);
    auto const is_left = [&](TsanCall const& a) {
      return a.bytes > 8 || (in_steps && (a.bytes < 4 || is_of_atomics(a.statement)));
    };
    std::vector<TsanCall> accesses;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
      if (TsanCall const a = TsanCall::of(gsi_stmt(i)); a.bytes != 0 && accesses.size() != most_in_a_function && !is_left(a))
        accesses.push_back(a);
    if (accesses.empty()) return 0;
    for (TsanCall const& a : accesses) TeamCheck(a, m_numbers++, in_steps).put_in_line();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(f);
    return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
  }

 private:
  unsigned m_numbers = 0;
};

}  // namespace

gimple_opt_pass* make_team_checks(gcc::context* context) { return new TeamChecks(context); }

}  // namespace teamsan_plugin
