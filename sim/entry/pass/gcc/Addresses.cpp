// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Addresses.hpp"

namespace teamsan_plugin {

namespace {

HOST_WIDE_INT extended(tree number) {
  unsigned const bits = TYPE_PRECISION(TREE_TYPE(number));
  unsigned HOST_WIDE_INT const low = TREE_INT_CST_LOW(number);
  if (bits < 64 && TYPE_UNSIGNED(TREE_TYPE(number))) return static_cast<HOST_WIDE_INT>(zext_hwi(low, bits));
  return bits < 64 ? sext_hwi(static_cast<HOST_WIDE_INT>(low), bits) : static_cast<HOST_WIDE_INT>(low);
}

}  // namespace

Reference::Reference(tree what) {
  poly_int64 bits_poly, at_poly;
  HOST_WIDE_INT bits = 0, at_bits = 0;
  machine_mode mode;
  int is_unsigned = 0, is_reversed = 0, volatile_ = 0;
  base = get_inner_reference(what, &bits_poly, &at_poly, &offset, &mode, &is_unsigned, &is_reversed, &volatile_);
  is_volatile = volatile_ != 0;
  reversed = is_reversed != 0;
  known = at_poly.is_constant(&at_bits) && at_bits % 8 == 0;
  at = at_bits / 8;
  if (known && bits_poly.is_constant(&bits) && bits > 0 && bits % 8 == 0) bytes = bits / 8;
}

bool Reference::distance(HOST_WIDE_INT& from) const {
  poly_offset_int const offset_of = mem_ref_offset(base);
  if (!offset_of.is_constant() || !wi::fits_shwi_p(offset_of.to_constant())) return false;
  from = offset_of.to_constant().to_shwi() + at;
  return true;
}

void Addresses::begin(basic_block at) {
  m_at = at;
  m_keeps = at != nullptr;
  m_left = 20000;
}

bool Addresses::put(Reference const& place, basic_block at, Words& to) {
  begin(at);
  return put(place, to);
}

bool Addresses::put(tree value, basic_block at, Words& to) {
  begin(at);
  return put(value, to);
}

bool Addresses::put_end_of(Loop const& loop, Words& to) {
  begin(nullptr);
  return put_counter(loop, false, to);
}

bool Addresses::put_divisor(tree divisor, basic_block at, Words& to) {
  begin(at);
  put_constant(0, to);
  if (!put(divisor, to)) return false;
  to.push_back(of_type(teamsan_bounded_quotient, TREE_TYPE(divisor)));
  return true;
}

bool Addresses::put(tree value, Words& to) {
  if (to.size() > teamsan_affine_most_words || m_depth > 60 || --m_left < 0 || !is_number(TREE_TYPE(value))) return false;
  ++m_depth;
  bool const known = put_value_of(value, to);
  --m_depth;
  return known;
}

bool Addresses::put_value_of(tree value, Words& to) {
  switch (TREE_CODE(value)) {
    case INTEGER_CST:
      put_constant(extended(value), to);
      return true;
    case SSA_NAME:
      return put_name(value, to);
    case ADDR_EXPR:
      return put(Reference(TREE_OPERAND(value, 0)), to);
    default:
      break;
  }
  if (UNARY_CLASS_P(value)) return put_operation(TREE_CODE(value), TREE_TYPE(value), TREE_OPERAND(value, 0), NULL_TREE, to);
  if (BINARY_CLASS_P(value))
    return put_operation(TREE_CODE(value), TREE_TYPE(value), TREE_OPERAND(value, 0), TREE_OPERAND(value, 1), to);
  return false;
}

bool Addresses::put(Reference const& place, Words& to) {
  HOST_WIDE_INT from = 0;
  if (!place.known || TREE_CODE(place.base) != MEM_REF || !place.distance(from)) return false;
  if (!put(TREE_OPERAND(place.base, 0), to)) return false;
  put_with(teamsan_affine_add, from, to);
  if (place.offset == NULL_TREE) return true;
  if (!put(place.offset, to)) return false;
  to.push_back(teamsan_affine_add);
  return true;
}

bool Addresses::put_operation(tree_code code, tree type, tree a, tree b, Words& to) {
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
    case POINTER_DIFF_EXPR:
    case MULT_EXPR:
      if (!put(a, to) || !put(b, to)) return false;
      to.push_back(code == MULT_EXPR                                ? teamsan_affine_multiply
                   : code == MINUS_EXPR || code == POINTER_DIFF_EXPR ? teamsan_affine_subtract
                                                                     : teamsan_affine_add);
      break;
    case LSHIFT_EXPR:
      if (!tree_fits_uhwi_p(b) || tree_to_uhwi(b) >= TYPE_PRECISION(type) || !put(a, to)) return false;
      put_with(teamsan_affine_multiply, static_cast<HOST_WIDE_INT>(HOST_WIDE_INT_1U << tree_to_uhwi(b)), to);
      break;
    case NEGATE_EXPR:
      put_constant(0, to);
      if (!put(a, to)) return false;
      to.push_back(teamsan_affine_subtract);
      break;
    case TRUNC_MOD_EXPR:
      return put_bounded(teamsan_bounded_remainder, type, a, b, to);
    case TRUNC_DIV_EXPR:
      return put_bounded(teamsan_bounded_quotient, type, a, b, to);
    case EXACT_DIV_EXPR:
      return put_bounded(teamsan_bounded_quotient | TEAMSAN_QUOTIENT_EXACT, type, a, b, to);
    case BIT_AND_EXPR:
      return put_bounded(teamsan_bounded_bits, type, a, b, to);
    case MIN_EXPR:
      return put_bounded(teamsan_bounded_least, type, a, b, to);
    case MAX_EXPR:
      return put_bounded(teamsan_bounded_most, type, a, b, to);
    case RSHIFT_EXPR:
      if (!tree_fits_uhwi_p(b) || tree_to_uhwi(b) > 62 || tree_to_uhwi(b) >= TYPE_PRECISION(type) || !put(a, to)) return false;
      put_with(of_type(teamsan_bounded_quotient, type), static_cast<HOST_WIDE_INT>(HOST_WIDE_INT_1U << tree_to_uhwi(b)), to);
      return true;
    default:
      return false;
  }
  put_fit(type, to);
  return true;
}

bool Addresses::put_bounded(Word operation, tree type, tree a, tree b, Words& to) {
  if (!INTEGRAL_TYPE_P(type)) return false;
  Word const which = operation & 0xff;
  bool const divides = which == teamsan_bounded_remainder || which == teamsan_bounded_quotient;
  if (!put_or_any(a, to) || !(divides ? put(b, to) : put_or_any(b, to))) return false;
  to.push_back(of_type(operation, type));
  return true;
}

bool Addresses::put_or_any(tree value, Words& to) {
  Words one;
  if (put(value, one)) {
    put_all(one, to);
    return true;
  }
  if (!INTEGRAL_TYPE_P(TREE_TYPE(value)) || !is_number(TREE_TYPE(value))) return false;
  to.push_back(of_type(teamsan_bounded_any, TREE_TYPE(value)));
  return true;
}

bool Addresses::put_name(tree name, Words& to) {
  if (SSA_NAME_IS_DEFAULT_DEF(name)) return false;
  if (int const axis = m_iterations.axis_of(name); axis >= 0) {
    put_index(axis, to);
    put_fit(TREE_TYPE(name), to);
    return true;
  }
  gimple* const s = SSA_NAME_DEF_STMT(name);
  if (gphi* const phi = dyn_cast<gphi*>(s)) {
    Loop const* const loop = m_loops.with_header(gimple_bb(phi));
    if (loop != nullptr && loop->update.exchange != nullptr) return false;
    return loop != nullptr ? put_recurrence(*loop, phi, to) : put_phi(phi, to);
  }
  gassign* const a = dyn_cast<gassign*>(s);
  if (a == nullptr) return false;
  if (gimple_assign_single_p(a)) {
    if (gimple_vuse(a) != NULL_TREE && !is_gimple_min_invariant(gimple_assign_rhs1(a)) &&
        TREE_CODE(gimple_assign_rhs1(a)) != SSA_NAME) {
      if (!put_of_memory(gimple_assign_rhs1(a), to)) return false;
      if (m_keeps && (to.back() & 0xff) == teamsan_bounded_load) put_comparisons(name, to);
      return true;
    }
    return put(gimple_assign_rhs1(a), to);
  }
  if (gimple_assign_rhs_code(a) == COND_EXPR) {
    std::vector<Words> all(2);
    return put(gimple_assign_rhs2(a), all[0]) && put(gimple_assign_rhs3(a), all[1]) && put_either(all, to);
  }
  return put_operation(gimple_assign_rhs_code(a), TREE_TYPE(name), gimple_assign_rhs1(a),
                       gimple_num_ops(a) > 2 ? gimple_assign_rhs2(a) : NULL_TREE, to);
}

/// A number that is loaded: of the functor it is known what it holds, of other memory only before the launch.
bool Addresses::put_of_memory(tree what, Words& to) {
  Reference const place(what);
  tree const type = TREE_TYPE(what);
  if (!place.known || place.reversed || place.is_volatile) return false;
  if (8 * place.bytes != static_cast<HOST_WIDE_INT>(TYPE_PRECISION(type))) return false;
  if (place.bytes != 1 && place.bytes != 2 && place.bytes != 4 && place.bytes != 8) return false;
  if (place.base == m_functor.decl) return put_of_functor(place, type, to);
  if (!put(place, to)) return false;
  to.push_back(sized(teamsan_bounded_load, static_cast<Word>(place.bytes), !TYPE_UNSIGNED(type)));
  return true;
}

/// By which comparisons, on all ways from where it was loaded, does control come to where it is asked for? Of numbers of other
/// turns of a loop that says nothing.
void Addresses::put_comparisons(tree name, Words& to) {
  Off const off(m_keeps);
  basic_block const loaded = gimple_bb(SSA_NAME_DEF_STMT(name));
  for (basic_block at = m_at; at != loaded && m_iterations.is_inside(at) && to.size() < teamsan_affine_most_words / 2;) {
    at = get_immediate_dominator(CDI_DOMINATORS, at);
    if (at == nullptr) return;
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(at);
    gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
    if (c == nullptr || EDGE_COUNT(at->succs) != 2 || EDGE_SUCC(at, 0)->dest == EDGE_SUCC(at, 1)->dest) continue;
    tree const lhs = gimple_cond_lhs(c), rhs = gimple_cond_rhs(c);
    if (!INTEGRAL_TYPE_P(TREE_TYPE(lhs)) || !is_number(TREE_TYPE(lhs))) continue;
    edge e, other;
    edge_iterator i, j;
    FOR_EACH_EDGE(e, i, at->succs) {
      bool only = dominated_by_p(CDI_DOMINATORS, m_at, e->dest);
      FOR_EACH_EDGE(other, j, e->dest->preds)
      only = only && (other == e || !m_iterations.is_live(other));
      if (!only) continue;
      tree_code const holds = gimple_cond_code(c);
      tree_code const is = (e->flags & EDGE_TRUE_VALUE) ? holds : invert_tree_comparison(holds, false);
      if (without_widening(lhs) == name)
        put_comparison(is, name, rhs, TREE_TYPE(lhs), to);
      else if (without_widening(rhs) == name)
        put_comparison(swap_tree_comparison(is), name, lhs, TREE_TYPE(lhs), to);
    }
  }
}

/// The name's number, which is on the stack, compares so with another one, the same in all iterations.
void Addresses::put_comparison(tree_code is, tree name, tree other, tree type, Words& to) {
  bool const below = is == LT_EXPR || is == LE_EXPR;
  if (!below && is != GT_EXPR && is != GE_EXPR) return;
  if (TREE_CODE(other) == SSA_NAME && without_widening(other) == name) return;
  Words words;
  if (put(other, words) && can_keep(words))
    put_kept(below, is == LE_EXPR || is == GE_EXPR, words, TYPE_PRECISION(type), !TYPE_UNSIGNED(type), to);
}

/// A number among its bytes.
bool Addresses::put_of_functor(Reference const& place, tree type, Words& to) const {
  HOST_WIDE_INT const from = place.at - m_functor.begin;
  if (place.offset != NULL_TREE || from < 0 || place.at + place.bytes > m_functor.end) return false;
  teamsan_plugin::put_of_functor(static_cast<Word>(place.bytes), !TYPE_UNSIGNED(type), static_cast<Word>(from), to);
  return true;
}

/// Nothing is known of which way control has come. Where that may be from another iteration, the value must not hang on it.
bool Addresses::put_phi(gphi* phi, Words& to) {
  Off const off(m_keeps);
  if (!m_open.insert(phi).second) return false;
  std::vector<Words> all;
  bool known = true;
  for (unsigned i = 0; known && i != gimple_phi_num_args(phi); ++i) {
    if (!m_iterations.is_live(gimple_phi_arg_edge(phi, i))) continue;
    all.emplace_back();
    known = put(gimple_phi_arg_def(phi, i), all.back());
  }
  m_open.erase(phi);
  if (!known || all.empty()) return false;
  if (!m_iterations.is_inside(gimple_bb(phi)))
    for (Words const& one : all)
      if (one != all.front() || hangs_on_iteration(one)) return false;
  return put_either(all, to);
}

bool Addresses::is_same(tree a, tree b) {
  a = without_widening(a), b = without_widening(b);
  if (TREE_CODE(a) == INTEGER_CST && TREE_CODE(b) == INTEGER_CST) return extended(a) == extended(b);
  if (operand_equal_p(a, b, 0)) return true;
  Words one, other;
  return put(a, one) && put(b, other) && are_one(one, other);
}

bool Addresses::is_at(Reference const& place, tree pointer, HOST_WIDE_INT bytes, basic_block at) {
  HOST_WIDE_INT from = 0;
  if (!place.known || place.bytes != bytes || TREE_CODE(place.base) != MEM_REF || !place.distance(from)) return false;
  if (place.offset == NULL_TREE && from == 0 && TREE_OPERAND(place.base, 0) == pointer) return true;
  Words one, other;
  if (!put(place, at, one) || !put(pointer, at, other)) return false;
  if (from == 0 && place.offset == NULL_TREE) put_with(teamsan_affine_add, 0, other);
  return are_one(one, other);
}

}  // namespace teamsan_plugin
