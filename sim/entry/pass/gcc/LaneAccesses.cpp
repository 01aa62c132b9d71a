// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of a range access, for the runtime to decide a launch by before it runs (machine/DecidedLaunch.hpp): of the
/// checked body that runs many lanes in a loop (backends/simt/launch/UserCode.hpp), as it stands when the compiler's pass for
/// ThreadSanitizer comes to it, so that accesses are those that are checked. All of them are told, each at an address that is
/// an affine function of the iteration's index, of the functor's bytes and of constants; or nothing is, where one is anything
/// else, where there is a loop, a call, a trap or an atomic in an iteration.
///
/// Lanes are kept apart in that body by what stands between two of them, which any memory may be changed by.
#include "../Abi.h"
#include "Marks.hpp"

#include <gimple-fold.h>
#include <gimple-pretty-print.h>
#include <internal-fn.h>
#include <tree-dfa.h>

namespace teamsan_plugin {

namespace {

constexpr char const* asks = "__teamsan_lane_accesses";
constexpr char const* notes = "_ZN7teamsan18note_lane_accessesEPKvS1_x";
constexpr char const* next_lane = "_ZN7teamsan9next_laneEv";
constexpr char const* in_kernel = "_ZN7teamsan9in_kernelEv";

using Words = std::vector<unsigned HOST_WIDE_INT>;

bool calls(gimple* s, char const* name) {
  if (!is_gimple_call(s) || gimple_call_internal_p(s)) return false;
  tree const to = gimple_call_fndecl(s);
  return to != NULL_TREE && is_named(to, name);
}

bool is_number(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) >= 1 && TYPE_PRECISION(type) <= 64;
}

/// One body, and what was found of it.
class Body {
 public:
  explicit Body(function* f) : m_function(f) {}

  /// All that its lanes access, in the form of Abi.h; nothing: it is not known.
  Words accesses() {
    if (!find_calls() || !find_lanes() || !look_at_statements()) return {};
    Words all{m_accesses};
    all.insert(all.end(), m_words.begin(), m_words.end());
    return all;
  }

 private:
  bool no(char const* why, gimple* s = nullptr) {
    if (dump_file != nullptr) {
      std::fprintf(dump_file, "not known: %s\n", why);
      if (s != nullptr) print_gimple_stmt(dump_file, s, 0);
    }
    return false;
  }

  // ---- the loop over lanes -----------------------------------------------------------------------------------------
  /// The functor's copy and the first lane's index.
  bool find_calls() {
    if (m_function->can_throw_non_call_exceptions) return no("any access may throw");
    basic_block b;
    FOR_EACH_BB_FN(b, m_function)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (calls(s, notes)) {
        tree index = gimple_call_arg(s, 2);
        while (TREE_CODE(index) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(index)) &&
               CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(SSA_NAME_DEF_STMT(index))))
          index = gimple_assign_rhs1(SSA_NAME_DEF_STMT(index));
        if (TREE_CODE(index) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(index) && is_number(TREE_TYPE(index))) m_index = index;
      }
      if (gimple_call_builtin_p(s, BUILT_IN_MEMCPY) && TREE_CODE(gimple_call_arg(s, 0)) == ADDR_EXPR) {
        if (m_copy != NULL_TREE) return no("there are two copies of functors", s);
        poly_int64 offset = 0;
        tree const base = get_addr_base_and_unit_offset(TREE_OPERAND(gimple_call_arg(s, 0), 0), &offset);
        if (base == NULL_TREE || !is_own(base) || !offset.is_constant(&m_copy_begin)) return no("the copy lies elsewhere", s);
        m_copy = base;
        m_copy_call = s;
      }
    }
    if (m_index == NULL_TREE) return no("there is no index");
    if (m_copy == NULL_TREE || !tree_fits_shwi_p(DECL_SIZE_UNIT(m_copy))) return no("there is no copy of the functor");
    m_copy_end = tree_to_shwi(DECL_SIZE_UNIT(m_copy));
    return true;
  }

  /// A variable of the function's.
  static bool is_own(tree base) { return DECL_P(base) && !is_global_var(base) && TREE_CODE(base) != CONST_DECL; }

  /// Lanes ask whether they are in a kernel, and are.
  static bool is_dead(edge e) {
    if (e->flags & (EDGE_EH | EDGE_ABNORMAL)) return true;
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(e->src);
    gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
    if (c == nullptr || TREE_CODE(gimple_cond_lhs(c)) != SSA_NAME || !integer_zerop(gimple_cond_rhs(c))) return false;
    if (!calls(SSA_NAME_DEF_STMT(gimple_cond_lhs(c)), in_kernel)) return false;
    if (gimple_cond_code(c) == NE_EXPR) return e->flags & EDGE_FALSE_VALUE;
    return gimple_cond_code(c) == EQ_EXPR && (e->flags & EDGE_TRUE_VALUE);
  }
  bool is_live(basic_block b) const { return m_live.count(b) != 0; }
  bool is_in_loop(basic_block b) const { return m_loop.count(b) != 0; }
  bool is_live(edge e) const { return is_live(e->src) && !is_dead(e); }

  static bool is_between_lanes(gimple* s) {
    gasm* const a = dyn_cast<gasm*>(s);
    return a != nullptr && std::strstr(gimple_asm_string(a), TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE) "@gottpoff") != nullptr;
  }

  bool find_lanes() {
    edge e;
    edge_iterator i;
    std::vector<basic_block> todo{ENTRY_BLOCK_PTR_FOR_FN(m_function)};
    m_live.insert(todo[0]);
    while (!todo.empty()) {
      basic_block const b = todo.back();
      todo.pop_back();
      FOR_EACH_EDGE(e, i, b->succs)
      if (!is_dead(e) && m_live.insert(e->dest).second) todo.push_back(e->dest);
    }
    mark_dfs_back_edges();
    std::vector<edge> back;
    basic_block b;
    FOR_EACH_BB_FN(b, m_function)
    FOR_EACH_EDGE(e, i, b->succs)
    if (is_live(e) && (e->flags & EDGE_DFS_BACK)) back.push_back(e);
    if (back.empty()) return no("no lane follows another one");
    m_header = back[0]->dest;
    m_loop.insert(m_header);
    for (edge const each : back) {
      if (each->dest != m_header) return no("there is another loop");
      if (!dominated_by_p(CDI_DOMINATORS, each->src, m_header)) return no("a loop is entered in its middle");
      if (m_loop.insert(each->src).second) todo.push_back(each->src);
    }
    while (!todo.empty()) {
      b = todo.back();
      todo.pop_back();
      FOR_EACH_EDGE(e, i, b->preds)
      if (is_live(e) && m_loop.insert(e->src).second) todo.push_back(e->src);
    }
    // Where an iteration ends. What leaves the loop, or goes on with it, comes from there.
    unsigned in_line = 0, called = 0;
    for (basic_block const each : m_loop)
      for (gimple_stmt_iterator at = gsi_start_bb(each); !gsi_end_p(at); gsi_next(&at)) {
        if (is_between_lanes(gsi_stmt(at))) {
          ++in_line;
          m_end = each;
        }
        if (calls(gsi_stmt(at), next_lane)) {
          ++called;
          if (in_line == 0) m_end_by_call = each;
        }
      }
    if (in_line == 0) m_end = m_end_by_call;
    if (in_line > 1 || called != 1 || m_end == nullptr) return no("the end of an iteration is not known");
    for (basic_block const each : m_loop)
      FOR_EACH_EDGE(e, i, each->succs)
      if (is_live(e) && (e->dest == m_header || !is_in_loop(e->dest)) && !dominated_by_p(CDI_DOMINATORS, each, m_end))
        return no("an iteration ends elsewhere");
    FOR_EACH_EDGE(e, i, m_end->succs)
    if (is_live(e) && e->dest != m_header && is_in_loop(e->dest) && m_behind.insert(e->dest).second) todo.push_back(e->dest);
    while (!todo.empty()) {
      b = todo.back();
      todo.pop_back();
      FOR_EACH_EDGE(e, i, b->succs)
      if (is_live(e) && e->dest != m_header && is_in_loop(e->dest) && m_behind.insert(e->dest).second) todo.push_back(e->dest);
    }
    return m_behind.count(m_end) == 0 || no("there is another loop");
  }

  // ---- what is accessed --------------------------------------------------------------------------------------------
  bool look_at_statements() {
    basic_block b;
    FOR_EACH_BB_FN(b, m_function)
    if (is_live(b)) {
      m_is_behind = m_behind.count(b) != 0;
      for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
        if (!look_at(gsi_stmt(i), b)) return false;
        m_is_behind |= b == m_end && (is_between_lanes(gsi_stmt(i)) || calls(gsi_stmt(i), next_lane));
      }
    }
    return true;
  }

  bool look_at(gimple* s, basic_block b) {
    if (is_gimple_debug(s) || gimple_clobber_p(s)) return true;
    if (gimple_has_volatile_ops(s) && !is_between_lanes(s)) return no("volatile", s);
    switch (gimple_code(s)) {
      case GIMPLE_LABEL:
      case GIMPLE_NOP:
      case GIMPLE_PREDICT:
      case GIMPLE_COND:
      case GIMPLE_SWITCH:
        return true;
      case GIMPLE_RETURN:
        return !is_in_loop(b) || no("returns", s);
      case GIMPLE_ASM:
        return is_between_lanes(s) || (!is_in_loop(b) && gimple_vdef(s) == NULL_TREE) || no("assembler", s);
      case GIMPLE_CALL:
        return is_harmless_call(s, b) || no("a call", s);
      case GIMPLE_ASSIGN:
        break;
      default:
        return no("a statement of another kind", s);
    }
    if (may_trap(s)) return no("a division may trap", s);
    if (gimple_assign_single_p(s) && gimple_vuse(s) != NULL_TREE && !is_gimple_val(gimple_assign_rhs1(s)) &&
        TREE_CODE(gimple_assign_rhs1(s)) != CONSTRUCTOR && TREE_CODE(gimple_assign_rhs1(s)) != STRING_CST &&
        !access(gimple_assign_rhs1(s), false, s, b))
      return false;
    return gimple_vdef(s) == NULL_TREE || access(gimple_assign_lhs(s), true, s, b);
  }

  static bool may_trap(gimple* s) {
    switch (gimple_assign_rhs_code(s)) {
      case TRUNC_DIV_EXPR:
      case CEIL_DIV_EXPR:
      case FLOOR_DIV_EXPR:
      case ROUND_DIV_EXPR:
      case EXACT_DIV_EXPR:
      case TRUNC_MOD_EXPR:
      case CEIL_MOD_EXPR:
      case FLOOR_MOD_EXPR:
      case ROUND_MOD_EXPR: {
        tree const by = gimple_assign_rhs2(s);
        return TREE_CODE(by) != INTEGER_CST || integer_zerop(by) || integer_minus_onep(by);
      }
      default:
        return false;
    }
  }

  /// Of a function of numbers, or of those by which lanes run.
  bool is_harmless_call(gimple* s, basic_block b) const {
    if (calls(s, next_lane) || calls(s, in_kernel)) return true;
    if (gimple_call_lhs(s) != NULL_TREE && TREE_CODE(gimple_call_lhs(s)) != SSA_NAME) return false;
    if (gimple_call_internal_p(s))
      return gimple_call_internal_p(s, IFN_TSAN_FUNC_EXIT) || (gimple_call_flags(s) & ECF_CONST);
    tree const to = gimple_call_fndecl(s);
    if (to == NULL_TREE) return false;
    if (!is_in_loop(b)) {
      for (char const* const known :
           {asks, notes, "_ZN7teamsan19expect_functor_copyEv", "_ZN7teamsan16end_functor_copyEb"})
        if (is_named(to, known)) return true;
      return s == m_copy_call || gimple_call_builtin_p(s, BUILT_IN_MEMCMP);
    }
    if (!fndecl_built_in_p(to, BUILT_IN_NORMAL)) return false;
    int const flags = gimple_call_flags(s);
    if (!(flags & ECF_NOTHROW) || !(flags & ECF_LEAF) || (flags & ECF_NORETURN)) return false;
    tree const result = TREE_TYPE(TREE_TYPE(to));
    if (TREE_CODE(result) != REAL_TYPE && !INTEGRAL_TYPE_P(result)) return false;
    bool of_reals = false;  // others change more than numbers
    for (unsigned i = 0; i != gimple_call_num_args(s); ++i) {
      tree const type = TREE_TYPE(gimple_call_arg(s, i));
      if (TREE_CODE(type) != REAL_TYPE && !INTEGRAL_TYPE_P(type)) return false;
      of_reals |= TREE_CODE(type) == REAL_TYPE;
    }
    return of_reals || (flags & ECF_CONST);
  }

  bool access(tree what, bool stores, gimple* s, basic_block b) {
    poly_int64 bits_poly, at_poly;
    HOST_WIDE_INT bits = 0, at = 0;
    tree offset = NULL_TREE;
    machine_mode mode;
    int is_unsigned = 0, reversed = 0, is_volatile = 0;
    tree const base = get_inner_reference(what, &bits_poly, &at_poly, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    if (!bits_poly.is_constant(&bits) || !at_poly.is_constant(&at) || bits <= 0 || bits % 8 != 0 || at % 8 != 0)
      return no("an access in parts of bytes", s);
    if (is_volatile) return no("volatile", s);
    if (DECL_P(base)) {
      bool const constant = TREE_CODE(base) == CONST_DECL || (is_global_var(base) && TREE_READONLY(base));
      if (constant ? stores : !is_own(base)) return no("a variable of the program's", s);
      if (offset != NULL_TREE || at < 0 || !tree_fits_shwi_p(DECL_SIZE_UNIT(base)) ||
          (at + bits) / 8 > tree_to_shwi(DECL_SIZE_UNIT(base)))
        return no("a place in a variable that is not known", s);
      return !stores || base != m_copy || (at + bits) / 8 <= m_copy_begin || no("the functor changes", s);
    }
    if (!is_in_loop(b)) return no("an access outside of iterations", s);
    if (TREE_CODE(base) != MEM_REF) return no("an access of another form", s);
    if (m_is_behind) return no("an access behind the iteration", s);
    HOST_WIDE_INT from = 0;
    if (!mem_ref_offset(base).is_constant() || !wi::fits_shwi_p(mem_ref_offset(base).force_shwi().to_constant()))
      return no("an access too far away", s);
    from = mem_ref_offset(base).force_shwi().to_constant() + at / 8;
    Words address;
    if (!put(TREE_OPERAND(base, 0), address)) return no("its address is not affine", s);
    put_constant(from, address);
    address.push_back(teamsan_affine_add);
    if (offset != NULL_TREE) {
      if (!put(offset, address)) return no("its index is not affine", s);
      address.push_back(teamsan_affine_add);
    }
    if (address.size() > teamsan_affine_most_words) return no("its address is too long", s);
    bool const always = dominated_by_p(CDI_DOMINATORS, m_end, b);
    m_words.push_back((stores ? TEAMSAN_ACCESS_STORES : 0) | (always ? 0 : TEAMSAN_ACCESS_CONDITIONAL) |
                      static_cast<unsigned HOST_WIDE_INT>(bits / 8) << TEAMSAN_ACCESS_BYTES_SHIFT |
                      static_cast<unsigned HOST_WIDE_INT>(address.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
    m_words.insert(m_words.end(), address.begin(), address.end());
    ++m_accesses;
    if (dump_file != nullptr) {
      std::fprintf(dump_file, "%s of %d bytes%s: ", stores ? "store" : "load", static_cast<int>(bits / 8),
                   always ? "" : ", conditional");
      print_gimple_stmt(dump_file, s, 0);
    }
    return true;
  }

  // ---- values ------------------------------------------------------------------------------------------------------
  static void put_constant(HOST_WIDE_INT value, Words& to) {
    to.push_back(teamsan_affine_constant);
    to.push_back(static_cast<unsigned HOST_WIDE_INT>(value));
  }
  static HOST_WIDE_INT extended(tree number) {
    unsigned const bits = TYPE_PRECISION(TREE_TYPE(number));
    unsigned HOST_WIDE_INT const low = TREE_INT_CST_LOW(number);
    if (bits < 64 && TYPE_UNSIGNED(TREE_TYPE(number))) return static_cast<HOST_WIDE_INT>(zext_hwi(low, bits));
    return bits < 64 ? sext_hwi(static_cast<HOST_WIDE_INT>(low), bits) : static_cast<HOST_WIDE_INT>(low);
  }
  static void put_fit(tree type, Words& to) {
    if (TYPE_PRECISION(type) == 64) return;
    to.push_back(teamsan_affine_fit | static_cast<unsigned HOST_WIDE_INT>(TYPE_PRECISION(type)) << TEAMSAN_AFFINE_BYTES_SHIFT |
                 static_cast<unsigned HOST_WIDE_INT>(!TYPE_UNSIGNED(type)) << TEAMSAN_AFFINE_SIGN_SHIFT);
  }

  bool put(tree value, Words& to) {
    if (to.size() > teamsan_affine_most_words || m_depth > 40 || !is_number(TREE_TYPE(value))) return false;
    ++m_depth;
    bool const known = put_value_of(value, to);
    --m_depth;
    return known;
  }
  bool put_value_of(tree value, Words& to) {
    switch (TREE_CODE(value)) {
      case INTEGER_CST:
        put_constant(extended(value), to);
        return true;
      case SSA_NAME:
        return put_name(value, to);
      case ADDR_EXPR:
        return put_address(TREE_OPERAND(value, 0), to);
      default:
        break;
    }
    if (UNARY_CLASS_P(value)) return put_operation(TREE_CODE(value), TREE_TYPE(value), TREE_OPERAND(value, 0), NULL_TREE, to);
    if (BINARY_CLASS_P(value))
      return put_operation(TREE_CODE(value), TREE_TYPE(value), TREE_OPERAND(value, 0), TREE_OPERAND(value, 1), to);
    return false;
  }
  bool put_address(tree what, Words& to) {
    poly_int64 bits_poly, at_poly;
    HOST_WIDE_INT at = 0;
    tree offset = NULL_TREE;
    machine_mode mode;
    int is_unsigned = 0, reversed = 0, is_volatile = 0;
    tree const base = get_inner_reference(what, &bits_poly, &at_poly, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    if (TREE_CODE(base) != MEM_REF || !at_poly.is_constant(&at) || at % 8 != 0) return false;
    if (!put(TREE_OPERAND(base, 0), to)) return false;
    put_constant(mem_ref_offset(base).force_shwi().to_constant() + at / 8, to);
    to.push_back(teamsan_affine_add);
    if (offset == NULL_TREE) return true;
    if (!put(offset, to)) return false;
    to.push_back(teamsan_affine_add);
    return true;
  }
  bool put_operation(tree_code code, tree type, tree a, tree b, Words& to) {
    if (!is_number(type) || !is_number(TREE_TYPE(a))) return false;
    switch (code) {
      case NOP_EXPR:
      case CONVERT_EXPR:
      case SSA_NAME:
        if (!put(a, to)) return false;
        break;
      case PLUS_EXPR:
      case POINTER_PLUS_EXPR:
      case MINUS_EXPR:
      case MULT_EXPR:
        if (!put(a, to) || !put(b, to)) return false;
        to.push_back(code == MULT_EXPR ? teamsan_affine_multiply
                     : code == MINUS_EXPR ? teamsan_affine_subtract
                                          : teamsan_affine_add);
        break;
      case LSHIFT_EXPR:
        if (!tree_fits_uhwi_p(b) || tree_to_uhwi(b) >= TYPE_PRECISION(type) || !put(a, to)) return false;
        put_constant(static_cast<HOST_WIDE_INT>(HOST_WIDE_INT_1U << tree_to_uhwi(b)), to);
        to.push_back(teamsan_affine_multiply);
        break;
      case NEGATE_EXPR:
        put_constant(0, to);
        if (!put(a, to)) return false;
        to.push_back(teamsan_affine_subtract);
        break;
      default:
        return false;
    }
    put_fit(type, to);
    return true;
  }
  bool put_name(tree name, Words& to) {
    gimple* const s = SSA_NAME_DEF_STMT(name);
    if (SSA_NAME_IS_DEFAULT_DEF(name)) {
      // Of the first lane: an iteration's own is counted from there.
      if (name != m_index || !m_before_lanes) return false;
      to.push_back(teamsan_affine_index);
      return true;
    }
    if (gphi* const phi = dyn_cast<gphi*>(s)) return put_phi(phi, to);
    gassign* const a = dyn_cast<gassign*>(s);
    if (a == nullptr) return false;
    if (gimple_assign_single_p(a)) {
      if (gimple_vuse(a) != NULL_TREE && !is_gimple_min_invariant(gimple_assign_rhs1(a)) &&
          TREE_CODE(gimple_assign_rhs1(a)) != SSA_NAME)
        return put_of_functor(gimple_assign_rhs1(a), to);
      return put(gimple_assign_rhs1(a), to);
    }
    return put_operation(gimple_assign_rhs_code(a), TREE_TYPE(name), gimple_assign_rhs1(a),
                         gimple_num_ops(a) > 2 ? gimple_assign_rhs2(a) : NULL_TREE, to);
  }
  /// A number among the functor's bytes.
  bool put_of_functor(tree what, Words& to) const {
    poly_int64 bits_poly, at_poly;
    HOST_WIDE_INT bits = 0, at = 0;
    tree offset = NULL_TREE;
    machine_mode mode;
    int is_unsigned = 0, reversed = 0, is_volatile = 0;
    tree const base = get_inner_reference(what, &bits_poly, &at_poly, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    tree const type = TREE_TYPE(what);
    if (base != m_copy || offset != NULL_TREE || reversed || !bits_poly.is_constant(&bits) || !at_poly.is_constant(&at))
      return false;
    if (at % 8 != 0 || bits != static_cast<HOST_WIDE_INT>(TYPE_PRECISION(type))) return false;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
    HOST_WIDE_INT const from = at / 8 - m_copy_begin;
    if (from < 0 || (at + bits) / 8 > m_copy_end) return false;
    to.push_back(teamsan_affine_functor | static_cast<unsigned HOST_WIDE_INT>(bits / 8) << TEAMSAN_AFFINE_BYTES_SHIFT |
                 static_cast<unsigned HOST_WIDE_INT>(!TYPE_UNSIGNED(type)) << TEAMSAN_AFFINE_SIGN_SHIFT |
                 static_cast<unsigned HOST_WIDE_INT>(from) << TEAMSAN_AFFINE_FROM_SHIFT);
    return true;
  }
  /// The value that the lane before has had, and a constant; also where that was computed in several branches.
  bool is_counted(tree value, gphi* phi, HOST_WIDE_INT& step, int depth = 0) const {
    if (depth > 8 || TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value)) return false;
    gimple* const s = SSA_NAME_DEF_STMT(value);
    if (gphi* const of_branches = dyn_cast<gphi*>(s)) {
      if (gimple_bb(of_branches) == m_header || !is_in_loop(gimple_bb(of_branches))) return false;
      bool any = false;
      for (unsigned i = 0; i != gimple_phi_num_args(of_branches); ++i) {
        if (!is_live(gimple_phi_arg_edge(of_branches, i))) continue;
        HOST_WIDE_INT one = 0;
        if (!is_counted(gimple_phi_arg_def(of_branches, i), phi, one, depth + 1) || (any && one != step)) return false;
        step = one;
        any = true;
      }
      return any;
    }
    gassign* const a = dyn_cast<gassign*>(s);
    if (a == nullptr) return false;
    if (gimple_assign_rhs_code(a) == SSA_NAME) return is_counted(gimple_assign_rhs1(a), phi, step, depth + 1);
    if ((gimple_assign_rhs_code(a) != PLUS_EXPR && gimple_assign_rhs_code(a) != POINTER_PLUS_EXPR) ||
        gimple_assign_rhs1(a) != gimple_phi_result(phi) || TREE_CODE(gimple_assign_rhs2(a)) != INTEGER_CST)
      return false;
    tree const by = gimple_assign_rhs2(a);
    if (TYPE_PRECISION(TREE_TYPE(by)) > 64) return false;
    // Of fewer bits and no sign, what is added may stand for what is taken away.
    unsigned const bits = TYPE_PRECISION(TREE_TYPE(by));
    HOST_WIDE_INT const low = static_cast<HOST_WIDE_INT>(TREE_INT_CST_LOW(by));
    step = bits == 64 ? low : sext_hwi(low, bits);
    return true;
  }
  bool put_phi(gphi* phi, Words& to) {
    if (m_open.count(phi) != 0) return false;
    m_open.insert(phi);
    bool const known = gimple_bb(phi) == m_header ? put_phi_of_lanes(phi, to) : put_alike(phi, to);
    m_open.erase(phi);
    return known;
  }
  /// At the head of the loop over lanes: one that is counted, or the same for all of them.
  bool put_phi_of_lanes(gphi* phi, Words& to) {
    if (m_before_lanes) return false;
    bool counted = true, first = true;
    HOST_WIDE_INT step = 0;
    tree initial = NULL_TREE;
    for (unsigned i = 0; i != gimple_phi_num_args(phi); ++i) {
      edge const e = gimple_phi_arg_edge(phi, i);
      if (!is_live(e)) continue;
      tree const value = gimple_phi_arg_def(phi, i);
      if (!is_in_loop(e->src)) {
        if (initial != NULL_TREE) return false;
        initial = value;
        continue;
      }
      HOST_WIDE_INT one = 0;
      counted = counted && is_counted(value, phi, one) && (first || one == step);
      step = one;
      first = false;
    }
    if (initial == NULL_TREE) return false;
    if (!counted) return put_alike(phi, to, true);
    m_before_lanes = true;
    bool const known = put(initial, to);
    m_before_lanes = false;
    if (!known) return false;
    put_constant(step, to);
    to.push_back(teamsan_affine_counted);
    put_fit(TREE_TYPE(gimple_phi_result(phi)), to);
    return true;
  }
  /// One value, whichever way control has come. `of_lanes`: and whichever lane's.
  bool put_alike(gphi* phi, Words& to, bool of_lanes = false) {
    Words known;
    for (unsigned i = 0; i != gimple_phi_num_args(phi); ++i) {
      if (!is_live(gimple_phi_arg_edge(phi, i))) continue;
      Words one;
      if (!put(gimple_phi_arg_def(phi, i), one)) return false;
      if (known.empty()) known = one;
      if (known != one) return false;
    }
    if (known.empty()) return false;
    if (of_lanes && hangs_on_lane(known)) return false;
    to.insert(to.end(), known.begin(), known.end());
    return true;
  }
  static bool hangs_on_lane(Words const& words) {
    for (std::size_t i = 0; i != words.size(); ++i) {
      unsigned HOST_WIDE_INT const operation = words[i] & 0xff;
      if (operation == teamsan_affine_index || operation == teamsan_affine_counted) return true;
      if (operation == teamsan_affine_constant) ++i;
    }
    return false;
  }

  function* m_function;
  tree m_index = NULL_TREE, m_copy = NULL_TREE;
  gimple* m_copy_call = nullptr;
  HOST_WIDE_INT m_copy_begin = 0, m_copy_end = 0;
  std::set<basic_block> m_live, m_loop, m_behind;  ///< reached; of iterations; of these, what comes behind their ends
  bool m_is_behind = false;
  basic_block m_header = nullptr, m_end = nullptr, m_end_by_call = nullptr;
  std::set<gphi*> m_open;
  bool m_before_lanes = false;
  int m_depth = 0;
  unsigned HOST_WIDE_INT m_accesses = 0;
  Words m_words;
};

/// A constant of the object's.
tree array_of(Words const& words) {
  tree const element = build_qualified_type(long_long_unsigned_type_node, TYPE_QUAL_CONST);
  tree const type = build_array_type_nelts(element, words.size());
  vec<constructor_elt, va_gc>* elements = nullptr;
  for (unsigned HOST_WIDE_INT const w : words) CONSTRUCTOR_APPEND_ELT(elements, NULL_TREE, build_int_cst(element, w));
  tree const value = build_constructor(type, elements);
  TREE_CONSTANT(value) = TREE_STATIC(value) = 1;
  tree const decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("teamsan_accesses"), type);
  TREE_STATIC(decl) = TREE_CONSTANT(decl) = TREE_READONLY(decl) = TREE_ADDRESSABLE(decl) = TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = 1;
  DECL_INITIAL(decl) = value;
  varpool_node::finalize_decl(decl);
  return decl;
}

pass_data const data = {GIMPLE_PASS, "teamsan_lane_accesses", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class LaneAccesses final : public gimple_opt_pass {
 public:
  explicit LaneAccesses(gcc::context* c) : gimple_opt_pass(data, c) {}
  opt_pass* clone() final { return new LaneAccesses(m_ctxt); }
  bool gate(function* f) final { return optimize > 0 && has_mark(f->decl, flat_body); }

  unsigned int execute(function* f) final {
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      if (!calls(gsi_stmt(i), asks)) continue;
      Words words;
      if (sanitize_flags_p(SANITIZE_THREAD, f->decl)) {
        calculate_dominance_info(CDI_DOMINATORS);
        words = Body(f).accesses();
      }
      put_value(i, words.empty() ? null_pointer_node : build_fold_addr_expr(array_of(words)));
      return 0;
    }
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_lane_accesses(gcc::context* context) { return new LaneAccesses(context); }

}  // namespace teamsan_plugin
