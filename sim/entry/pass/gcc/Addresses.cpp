// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Addresses.hpp"

#include "../Abi.h"

namespace teamsan_plugin {

namespace {

bool is_number(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) >= 1 && TYPE_PRECISION(type) <= 64;
}

void put_constant(HOST_WIDE_INT value, Words& to) {
  to.push_back(teamsan_affine_constant);
  to.push_back(static_cast<unsigned HOST_WIDE_INT>(value));
}
HOST_WIDE_INT extended(tree number) {
  unsigned const bits = TYPE_PRECISION(TREE_TYPE(number));
  unsigned HOST_WIDE_INT const low = TREE_INT_CST_LOW(number);
  if (bits < 64 && TYPE_UNSIGNED(TREE_TYPE(number))) return static_cast<HOST_WIDE_INT>(zext_hwi(low, bits));
  return bits < 64 ? sext_hwi(static_cast<HOST_WIDE_INT>(low), bits) : static_cast<HOST_WIDE_INT>(low);
}
void put_fit(tree type, Words& to) {
  if (TYPE_PRECISION(type) == 64) return;
  to.push_back(teamsan_affine_fit | static_cast<unsigned HOST_WIDE_INT>(TYPE_PRECISION(type)) << TEAMSAN_AFFINE_BYTES_SHIFT |
               static_cast<unsigned HOST_WIDE_INT>(!TYPE_UNSIGNED(type)) << TEAMSAN_AFFINE_SIGN_SHIFT);
}

bool hangs_on_index(Words const& words) {
  for (std::size_t i = 0; i != words.size(); ++i) {
    unsigned HOST_WIDE_INT const operation = words[i] & 0xff;
    if (operation == teamsan_affine_index) return true;
    if (operation == teamsan_affine_constant) ++i;
  }
  return false;
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

bool Addresses::put(tree value, Words& to) {
  if (to.size() > teamsan_affine_most_words || m_depth > 40 || !is_number(TREE_TYPE(value))) return false;
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
  put_constant(from, to);
  to.push_back(teamsan_affine_add);
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

bool Addresses::put_name(tree name, Words& to) {
  if (SSA_NAME_IS_DEFAULT_DEF(name)) return false;
  if (int const axis = m_iterations.axis_of(name); axis >= 0) {
    to.push_back(teamsan_affine_index | static_cast<unsigned HOST_WIDE_INT>(axis) << TEAMSAN_AFFINE_FROM_SHIFT);
    put_fit(TREE_TYPE(name), to);
    return true;
  }
  gimple* const s = SSA_NAME_DEF_STMT(name);
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

/// A number among its bytes.
bool Addresses::put_of_functor(tree what, Words& to) const {
  Reference const place(what);
  tree const type = TREE_TYPE(what);
  if (place.base != m_functor.decl || !place.known || place.offset != NULL_TREE || place.reversed) return false;
  if (8 * place.bytes != static_cast<HOST_WIDE_INT>(TYPE_PRECISION(type))) return false;
  if (place.bytes != 1 && place.bytes != 2 && place.bytes != 4 && place.bytes != 8) return false;
  HOST_WIDE_INT const from = place.at - m_functor.begin;
  if (from < 0 || place.at + place.bytes > m_functor.end) return false;
  to.push_back(teamsan_affine_functor | static_cast<unsigned HOST_WIDE_INT>(place.bytes) << TEAMSAN_AFFINE_BYTES_SHIFT |
               static_cast<unsigned HOST_WIDE_INT>(!TYPE_UNSIGNED(type)) << TEAMSAN_AFFINE_SIGN_SHIFT |
               static_cast<unsigned HOST_WIDE_INT>(from) << TEAMSAN_AFFINE_FROM_SHIFT);
  return true;
}

/// One value, whichever way control has come. Where that may be from another iteration, it must not hang on which.
bool Addresses::put_phi(gphi* phi, Words& to) {
  if (!m_open.insert(phi).second) return false;
  Words known;
  bool alike = true;
  for (unsigned i = 0; alike && i != gimple_phi_num_args(phi); ++i) {
    if (!m_iterations.is_live(gimple_phi_arg_edge(phi, i))) continue;
    Words one;
    alike = put(gimple_phi_arg_def(phi, i), one) && (known.empty() || known == one);
    if (known.empty()) known = one;
  }
  m_open.erase(phi);
  if (!alike || known.empty() || (!m_iterations.is_inside(gimple_bb(phi)) && hangs_on_index(known))) return false;
  to.insert(to.end(), known.begin(), known.end());
  return true;
}

}  // namespace teamsan_plugin
