// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks in line, of what a flat kernel's checked bodies access: behind the compiler's pass for ThreadSanitizer, whose calls
/// it takes, so that what is checked is the same by either door. In line is what most accesses of a flat launch's lanes meet
/// (check/FlatAccess.hpp: read_at, write_at), by the numbers of entry/pass/Abi.h: an instruction that may go there, and words
/// that nobody touched in the launch, that are only read by many, or that are the lane's own. All else is a call, of the
/// callback with the place of the check, which looks at everything again.
///
/// The place is an address of the check's own, behind an instruction that has the access' line: the runtime looks a call's
/// place up one byte before it.
#include "../Abi.h"
#include "Atomics.hpp"
#include "Code.hpp"
#include "Marks.hpp"
#include "TsanCall.hpp"

namespace teamsan_plugin {

namespace {

/// So many of a function, and no more: each takes some 50 instructions.
constexpr unsigned most_in_a_function = 256;

unsigned log_bytes(TsanCall const& c) { return static_cast<unsigned>(exact_log2(c.bytes)); }

/// The runtime's callback that is told the check's place and number.
tree callback_from_check(TsanCall const& c) {
  unsigned const which = (log_bytes(c) - 2) * 2 + c.writes;
  tree& known = runtime_function[checks + which];
  if (known == NULL_TREE) {
    static char const* const names[] = {"__teamsan_read4",  "__teamsan_write4", "__teamsan_read8",
                                        "__teamsan_write8", "__teamsan_read16", "__teamsan_write16"};
    known = leaf_function(names[which],
                          build_function_type_list(void_type_node, ptr_type_node, word(), unsigned_type_node, NULL_TREE));
  }
  return known;
}

class Check {
 public:
  Check(TsanCall const& c, unsigned n)
      : m_call(c), m_number(n), m_begin(gimple_bb(c.statement)), m_loop(m_begin->loop_father), m_count(m_begin->count) {}

  void put_in_line() {
    gimple* const s = m_call.statement;
    tree const pointer = gimple_call_arg(s, 0);
    m_behind = split_block(m_begin, s)->dest;
    remove_edge(single_succ_edge(m_begin));
    gimple_stmt_iterator at = gsi_for_stmt(s);
    unlink_stmt_vdef(s);
    gsi_remove(&at, true);
    m_slow = block(false);

    Code first(m_begin, s);
    tree const place = first_place(first);
    tree const site = first.state_word(teamsan_hot_flat_sites, ptr_type_node);
    int const record = static_cast<int>(m_number % teamsan_flat_sites * sizeof(teamsan_flat_site));
    tree const address = first.convert(word(), pointer);
    tree const from = first.assign(word(), MINUS_EXPR, address, first.load(word(), site, record));
    // Turned, what is not aligned has high bits.
    tree const index = first.shifted(RROTATE_EXPR, from, static_cast<int>(log_bytes(m_call)));
    basic_block const same = block(true), sharing = block(true), shared = block(false), words = block(true),
                      alike = block(true);
    first.branch(LT_EXPR, index, first.load(word(), site, record + 8), same, m_slow, true);
    Code own(same, s);
    own.branch(EQ_EXPR, own.load(word(), site, record + 24), place, sharing, m_slow, true);

    // Among several workers: where this one alone joins words.
    Code asks(sharing, s);
    asks.branch(EQ_EXPR, asks.state_word(teamsan_hot_flat_shared, unsigned_char_type_node),
                build_zero_cst(unsigned_char_type_node), words, shared, true);
    Code held(shared, s);
    tree const stretch =
        held.shifted(RSHIFT_EXPR, held.binary(MINUS_EXPR, address, TEAMSAN_FLAT_DEVICE), TEAMSAN_FLAT_STRETCH_SHIFT);
    tree const mark =
        held.convert(ptr_type_node, held.binary(PLUS_EXPR, held.shifted(LSHIFT_EXPR, stretch, 3), TEAMSAN_FLAT_HOLDS));
    held.branch(EQ_EXPR, held.load(word(), mark, 0), held.state_word(teamsan_hot_flat_mark), words, m_slow, true);

    Code reads(words, s);
    m_cell = reads.convert(ptr_type_node, reads.binary(PLUS_EXPR, reads.shifted(LSHIFT_EXPR, address, 1), TEAMSAN_FLAT_CELLS));
    m_word = reads.load(word(), m_cell, 0);
    tree differ = NULL_TREE;
    for (int i = 1; i != words_of_access(); ++i) {
      tree const other = reads.assign(word(), BIT_XOR_EXPR, reads.load(word(), m_cell, 8 * i), m_word);
      differ = differ == NULL_TREE ? other : reads.assign(word(), BIT_IOR_EXPR, differ, other);
    }
    if (differ != NULL_TREE)
      reads.branch(EQ_EXPR, differ, number(0), alike, m_slow, true);
    else
      reads.go(alike);
    Code is(alike, s);
    m_mine = is.state_word(teamsan_hot_flat_word);
    m_difference = is.assign(word(), BIT_XOR_EXPR, m_word, m_mine);
    basic_block const touched = block(false), untouched = block(true);
    is.branch(NE_EXPR, is.binary(BIT_AND_EXPR, m_difference, TEAMSAN_FLAT_LAUNCH), number(0), untouched, touched, false);
    Code fresh(untouched, s), known(touched, s);
    tree const bits = place_bits(fresh, site, record);
    m_call.writes ? first_write(fresh, bits) : first_read(fresh, bits, s);
    m_call.writes ? further_write(known, site, record, s) : further_read(known, site, record, address, s);

    Code slow(m_slow, s);
    slow.append(gimple_build_call(callback_from_check(m_call), 3, pointer, place, build_int_cst(unsigned_type_node, m_number)));
    slow.go(m_behind);
  }

 private:
  int words_of_access() const { return static_cast<int>(m_call.bytes) / 4; }

  basic_block block(bool usual) {
    basic_block const b = create_empty_bb(m_begin);
    if (m_loop != nullptr) add_bb_to_loop(b, m_loop);
    b->count = usual ? m_count : m_count.apply_probability(profile_probability::very_unlikely());
    return b;
  }

  /// Each its own text, or two would be taken for one.
  tree first_place(Code& code) const {
    tree const place = make_ssa_name(word());
    std::string const text = "leaq 0f(%%rip), %0 # " + std::to_string(m_number) + "\n0:";
    vec<tree, va_gc>* outputs = nullptr;
    vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=r")), place));
    gasm* const s = gimple_build_asm_vec(text.c_str(), nullptr, outputs, nullptr, nullptr);
    SSA_NAME_DEF_STMT(place) = s;
    code.append(s);
    return place;
  }
  static tree place_bits(Code& code, tree site, int record) { return code.load(word(), site, record + 16); }

  void put(Code& code, tree next) {
    for (int i = 0; i != words_of_access(); ++i) code.store(m_cell, 8 * i, next);
    code.go(m_behind);
  }
  /// Bytes that are written by now, at the lowest bits.
  tree written(Code& code) {
    tree const both = code.assign(word(), BIT_IOR_EXPR, code.shifted(RSHIFT_EXPR, m_word, TEAMSAN_FLAT_INIT_SHIFT),
                                  code.shifted(RSHIFT_EXPR, m_word, TEAMSAN_FLAT_WRITTEN_SHIFT));
    return code.binary(BIT_AND_EXPR, both, 15);
  }
  void first_read(Code& code, tree bits, gimple* like) {
    basic_block const all = block(true);
    code.branch(EQ_EXPR, written(code), number(15), all, m_slow, true);
    Code then(all, like);
    put(then, then.assign(word(), BIT_IOR_EXPR, then.assign(word(), BIT_IOR_EXPR, m_mine, bits),
                          number(TEAMSAN_FLAT_INIT | TEAMSAN_FLAT_READ)));
  }
  void first_write(Code& code, tree bits) {
    tree const before = code.shifted(LSHIFT_EXPR, written(code), TEAMSAN_FLAT_INIT_SHIFT);
    tree const next = code.assign(word(), BIT_IOR_EXPR, code.assign(word(), BIT_IOR_EXPR, m_mine, bits), before);
    put(code, code.binary(BIT_IOR_EXPR, next, TEAMSAN_FLAT_WRITTEN));
  }
  /// By many before: lanes come in their order, and the first two are known. By one other lane: it is the second.
  void further_read(Code& code, tree site, int record, tree address, gimple* like) {
    constexpr auto asked = TEAMSAN_FLAT_FLAT | TEAMSAN_FLAT_WRITTEN | TEAMSAN_FLAT_ASIDE | TEAMSAN_FLAT_BUSY;
    basic_block const only_read = block(true), of_one = block(false), of_another = block(false);
    code.branch(EQ_EXPR, code.binary(BIT_AND_EXPR, m_word, asked), number(TEAMSAN_FLAT_FLAT), only_read, m_slow, true);
    Code many(only_read, like);
    many.branch(NE_EXPR, many.binary(BIT_AND_EXPR, m_word, TEAMSAN_FLAT_MANY), number(0), m_behind, of_one, true);
    Code one(of_one, like);
    one.branch(NE_EXPR, one.binary(BIT_AND_EXPR, m_difference, TEAMSAN_FLAT_LANE), number(0), of_another, m_slow, true);
    Code now(of_another, like);
    tree const lane = now.state_word(teamsan_hot_flat_lane, unsigned_type_node);
    tree const extra = now.convert(ptr_type_node, now.binary(PLUS_EXPR, address, TEAMSAN_FLAT_EXTRAS));
    for (int i = 0; i != words_of_access(); ++i) now.store(extra, 4 * i, lane);
    tree const second = now.shifted(LSHIFT_EXPR, place_bits(now, site, record), TEAMSAN_FLAT_SECOND_PLACE_SHIFT);
    put(now, now.binary(BIT_IOR_EXPR, now.assign(word(), BIT_IOR_EXPR, m_word, second), TEAMSAN_FLAT_MANY));
  }
  void further_write(Code& code, tree site, int record, gimple* like) {
    constexpr auto others = TEAMSAN_FLAT_FLAT | TEAMSAN_FLAT_LAUNCH | TEAMSAN_FLAT_LANE | TEAMSAN_FLAT_MANY |
                            TEAMSAN_FLAT_ASIDE | TEAMSAN_FLAT_ATOMIC | TEAMSAN_FLAT_BUSY;
    basic_block const own = block(false), read = block(false);
    code.branch(EQ_EXPR, code.binary(BIT_AND_EXPR, m_difference, others), number(0), own, m_slow, true);
    Code mine(own, like);
    mine.branch(NE_EXPR, mine.binary(BIT_AND_EXPR, m_word, TEAMSAN_FLAT_WRITTEN), number(0), m_behind, read, false);
    Code now(read, like);
    tree const rest = now.binary(BIT_AND_EXPR, m_word, ~TEAMSAN_FLAT_PLACES);
    tree const second =
        now.shifted(LSHIFT_EXPR, now.binary(BIT_AND_EXPR, m_word, TEAMSAN_FLAT_FIRST_PLACE), TEAMSAN_FLAT_SECOND_PLACE_SHIFT);
    tree const next =
        now.assign(word(), BIT_IOR_EXPR, now.assign(word(), BIT_IOR_EXPR, rest, second), place_bits(now, site, record));
    put(now, now.binary(BIT_IOR_EXPR, next, TEAMSAN_FLAT_WRITTEN));
  }

  TsanCall m_call;
  unsigned m_number;
  basic_block m_begin, m_behind = nullptr, m_slow = nullptr;
  class loop* m_loop;
  profile_count m_count;
  tree m_cell = NULL_TREE, m_word = NULL_TREE, m_mine = NULL_TREE, m_difference = NULL_TREE;
};

pass_data const data = {GIMPLE_PASS, "teamsan_checks", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class Checks final : public gimple_opt_pass {
 public:
  explicit Checks(gcc::context* c) : gimple_opt_pass(data, c) {}
  opt_pass* clone() final { return new Checks(m_ctxt); }
  bool gate(function* f) final {
    return optimize > 0 && has_mark(f->decl, flat_body) && !has_mark(f->decl, steps_root) &&
           sanitize_flags_p(SANITIZE_THREAD, f->decl);
  }

  unsigned int execute(function* f) final {
    std::vector<TsanCall> calls;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
      if (TsanCall const c = TsanCall::of(gsi_stmt(i)); c.bytes >= 4 && calls.size() != most_in_a_function) calls.push_back(c);
    if (calls.empty()) return 0;
    for (TsanCall const& c : calls) Check(c, m_numbers++).put_in_line();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(f);
    return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
  }

 private:
  unsigned m_numbers = 0;
};

}  // namespace

gimple_opt_pass* make_checks(gcc::context* context) { return new Checks(context); }

}  // namespace teamsan_plugin
