// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of a flat kernel access, for the runtime to decide a launch by before it runs (machine/DecidedLaunch.hpp): of the
/// checked body that runs many lanes in a loop (backends/simt/launch/UserCode.hpp), as it stands when the compiler's pass for
/// ThreadSanitizer comes to it, so that accesses are those that are checked. All of them are told, each at an address that is
/// an affine function of the iteration's indices, of the functor's bytes and of constants, or one of which bounds can be known
/// (Addresses.hpp); or nothing is, where one is anything else, where there is a loop whose turns are not counted (Loops.hpp),
/// a call, a trap or an atomic in an iteration, but for updates that give nothing back (Updates.hpp).
#include "Addresses.hpp"
#include "Conditions.hpp"

#include <builtins.h>
#include <gimple-fold.h>
#include <gimple-pretty-print.h>
#include <internal-fn.h>
#include <tree-dfa.h>

namespace teamsan_plugin {

namespace {

constexpr char const* asks = "__teamsan_lane_accesses";

/// Where the user wrote it: of what is in line of Kokkos' own, the call.
expanded_location user_place(gimple* s) {
  location_t at = gimple_location(s);
  for (tree block = gimple_block(s); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    expanded_location const place = expand_location(at);
    if (place.file != nullptr) {
      char const* const slash = std::strrchr(place.file, '/');
      bool library = std::strncmp(slash != nullptr ? slash + 1 : place.file, "Kokkos", 6) == 0;
      for (char const* const folder : {"/desul/", "mdspan/", "/simt/", "/c++/"})
        library |= std::strstr(place.file, folder) != nullptr;
      if (!library) return place;
    }
    if (inlined_function_outer_scope_p(block)) at = BLOCK_SOURCE_LOCATION(block);
  }
  return expand_location(at);
}

/// One body, and what was found of it.
class Body {
 public:
  explicit Body(function* f)
      : m_function(f),
        m_iterations(f),
        m_loops(m_iterations),
        m_addresses(m_iterations, m_loops, m_functor),
        m_conditions(m_iterations, m_addresses) {}

  /// All that its lanes access, in the form of Abi.h, or why it is not known.
  Words accesses() { return find_all() ? m_records.all() : Records::unknown(m_why); }

 private:
  bool find_all() {
    if (!find_functor()) return false;
    if (char const* const why = m_iterations.find(); why != nullptr) return no(why);
    if (char const* const why = m_loops.find(m_function); why != nullptr) return no(why);
    if (!look_at_statements()) return false;
    for (Loop const& loop : m_loops.all()) {
      if (loop.update.exchange != nullptr) continue;
      gimple* const end_of = last_stmt(loop.stay->src);
      m_records.set_line(end_of != nullptr ? line_of(end_of) : 0);
      Words end;
      if (!m_addresses.put_end_of(loop, end) || !put_value(end, loop.header))
        return no("how often a loop turns is not known", end_of);
    }
    return true;
  }

  static Word line_of(gimple* s) {
    int const line = user_place(s).line;
    return line > 0 ? static_cast<Word>(line) : 0;
  }

  bool no(char const* why, gimple* s = nullptr) {
    m_why = why;
    if (s != nullptr)
      if (expanded_location const place = user_place(s); place.file != nullptr && place.line > 0) {
        char const* const slash = std::strrchr(place.file, '/');
        m_why += std::string(" (") + (slash != nullptr ? slash + 1 : place.file) + ":" + std::to_string(place.line) + ")";
      }
    if (dump_file != nullptr) {
      std::fprintf(dump_file, "not known: %s\n", why);
      if (s != nullptr) print_gimple_stmt(dump_file, s, 0);
    }
    return false;
  }

  bool find_functor() {
    if (m_function->can_throw_non_call_exceptions) return no("any access may throw");
    basic_block b;
    FOR_EACH_BB_FN(b, m_function)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (!gimple_call_builtin_p(s, BUILT_IN_MEMCPY) || TREE_CODE(gimple_call_arg(s, 0)) != ADDR_EXPR) continue;
      if (m_functor.decl != NULL_TREE) return no("there are two copies of functors", s);
      poly_int64 offset = 0;
      tree const base = get_addr_base_and_unit_offset(TREE_OPERAND(gimple_call_arg(s, 0), 0), &offset);
      if (base == NULL_TREE || !is_own(base) || !offset.is_constant(&m_functor.begin))
        return no("the copy lies elsewhere", s);
      m_functor.decl = base;
      m_functor.copied_by = s;
    }
    if (m_functor.decl == NULL_TREE || !tree_fits_shwi_p(DECL_SIZE_UNIT(m_functor.decl)))
      return no("there is no copy of the functor");
    m_functor.end = tree_to_shwi(DECL_SIZE_UNIT(m_functor.decl));
    return true;
  }

  bool look_at_statements() {
    basic_block b;
    FOR_EACH_BB_FN(b, m_function)
    if (m_iterations.is_live(b)) {
      bool inside = m_iterations.is_inside(b);
      for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
        inside |= m_iterations.is_begin(gsi_stmt(i));
        if (!look_at(gsi_stmt(i), b, inside)) return false;
      }
    }
    return true;
  }

  static bool is_between_lanes(gimple* s) {
    gasm* const a = dyn_cast<gasm*>(s);
    return a != nullptr && std::strstr(gimple_asm_string(a), TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE) "@gottpoff") != nullptr;
  }

  /// One that hides a value from the compiler.
  static bool is_no_instruction(gimple* s) {
    return *gimple_asm_string(as_a<gasm*>(s)) == '\0' && gimple_vdef(s) == NULL_TREE;
  }

  /// `inside`: it is an iteration's, whichever way control has come there.
  bool look_at(gimple* s, basic_block b, bool inside) {
    if (is_gimple_debug(s) || gimple_clobber_p(s) || m_iterations.is_begin(s)) return true;
    if (gimple_has_volatile_ops(s) && !is_between_lanes(s)) return no("volatile", s);
    m_records.set_line(line_of(s));
    switch (gimple_code(s)) {
      case GIMPLE_LABEL:
      case GIMPLE_NOP:
      case GIMPLE_PREDICT:
      case GIMPLE_COND:
      case GIMPLE_SWITCH:
      case GIMPLE_RETURN:
        return true;
      case GIMPLE_ASM:
        return is_between_lanes(s) || is_no_instruction(s) || no("assembler", s);
      case GIMPLE_CALL:
        return is_harmless_call(s) || update(s, b, inside) || own_index(s, b, inside) || no("a call", s);
      case GIMPLE_ASSIGN:
        break;
      default:
        return no("a statement of another kind", s);
    }
    if (may_trap(s)) {
      Words divisor;
      tree_code const code = gimple_assign_rhs_code(s);
      bool const truncates = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR;
      if (!truncates || !m_addresses.put_divisor(gimple_assign_rhs2(s), b, divisor) ||
          !put_value(divisor, b))
        return no("a division may trap", s);
    }
    if (gimple_assign_single_p(s) && gimple_vuse(s) != NULL_TREE && !is_gimple_val(gimple_assign_rhs1(s)) &&
        TREE_CODE(gimple_assign_rhs1(s)) != CONSTRUCTOR && TREE_CODE(gimple_assign_rhs1(s)) != STRING_CST &&
        !access(gimple_assign_rhs1(s), false, s, b, inside))
      return false;
    return gimple_vdef(s) == NULL_TREE || access(gimple_assign_lhs(s), true, s, b, inside);
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
  bool is_harmless_call(gimple* s) const {
    if (gimple_call_internal_p(s) && gimple_call_internal_p(s, IFN_TSAN_FUNC_EXIT)) return true;
    tree const to = gimple_call_internal_p(s) ? NULL_TREE : gimple_call_fndecl(s), lhs = gimple_call_lhs(s);
    if (to != NULL_TREE && has_mark(to, of_lanes)) {
      tree const base = lhs != NULL_TREE && TREE_CODE(lhs) != SSA_NAME ? get_base_address(lhs) : NULL_TREE;
      return base == NULL_TREE || (is_own(base) && base != m_functor.decl);
    }
    if (s == m_functor.copied_by) return true;
    if (lhs != NULL_TREE && TREE_CODE(lhs) != SSA_NAME) return false;
    if (gimple_call_internal_p(s)) return gimple_call_flags(s) & ECF_CONST;
    if (to == NULL_TREE) return false;
    for (char const* const known :
         {asks, "_ZN7teamsan9next_laneEv", "_ZN7teamsan9in_kernelEv", "_ZN7teamsan18note_lane_accessesEPKvS1_",
          "_ZN7teamsan19expect_functor_copyEv", "_ZN7teamsan16end_functor_copyEb", "__teamsan_atomic_was_load"})
      if (is_named(to, known)) return true;
    if (gimple_call_builtin_p(s, BUILT_IN_MEMCMP)) return compares_functors(s);
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
  /// At the end of all lanes it is looked at whether the copy is as it was. What else is compared is memory that lanes read.
  bool compares_functors(gimple* s) const {
    tree const own = gimple_call_arg(s, 0), other = gimple_call_arg(s, 1);
    if (TREE_CODE(own) != ADDR_EXPR || get_base_address(TREE_OPERAND(own, 0)) != m_functor.decl) return false;
    if (operand_equal_p(other, gimple_call_arg(m_functor.copied_by, 1), 0)) return true;
    // The variable that holds the copy holds the functor's address, too, in front of it.
    gassign* const a = TREE_CODE(other) == SSA_NAME ? dyn_cast<gassign*>(SSA_NAME_DEF_STMT(other)) : nullptr;
    if (a == nullptr || !gimple_assign_single_p(a) || TREE_CODE(gimple_assign_rhs1(a)) == SSA_NAME) return false;
    Reference const place(gimple_assign_rhs1(a));
    return place.known && place.base == m_functor.decl && place.offset == NULL_TREE && place.bytes > 0 &&
           place.at + place.bytes <= m_functor.begin;
  }

  bool update(gimple* s, basic_block b, bool inside) {
    Loop const* const loop = m_loops.of_exchange(s);
    int const bytes = loop != nullptr ? loop->update.bytes : bytes_of_update(s);
    if (!inside || bytes == 0) return false;
    if (!gives_nothing_back(s)) return no("an atomic gives a value back", s);
    Words address;
    tree const to = gimple_call_arg(s, 0);
    if (!m_addresses.put(to, b, address) || address.size() > teamsan_affine_most_words)
      return no("an atomic's address is not affine", s);
    if (loop != nullptr && !m_addresses.is_at(Reference(gimple_assign_rhs1(loop->update.first_read)), to, bytes, b))
      return no("an atomic reads something else first", s);
    put_access(TEAMSAN_ACCESS_STORES | TEAMSAN_ACCESS_CONDITIONAL | TEAMSAN_ACCESS_ATOMIC, exact_log2(bytes), bytes,
               address, b);
    return true;
  }

  /// Where the runtime would be told that an index lies outside an array of the lane's own (OwnArrays.cpp), no lane may come.
  bool own_index(gimple* s, basic_block b, bool inside) {
    if (!inside || !calls(s, "__teamsan_own_index")) return false;
    put_conditions(b, true);
    return put_value({}, b);
  }

  void put_access(Word kind, unsigned log_alignment, HOST_WIDE_INT bytes, Words const& address, basic_block b) {
    put_conditions(b);
    m_records.put_access(kind, log_alignment, static_cast<Word>(bytes), address);
  }

  bool access(tree what, bool stores, gimple* s, basic_block b, bool inside) {
    Reference const place(what);
    if (!place.known || place.bytes == 0) return no("an access in parts of bytes", s);
    if (place.is_volatile) return no("volatile", s);
    tree const base = place.base;
    if (DECL_P(base)) {
      bool const constant = TREE_CODE(base) == CONST_DECL || (is_global_var(base) && TREE_READONLY(base));
      if (constant ? stores : !is_own(base)) return no("a variable of the program's", s);
      HOST_WIDE_INT const end = place.at + place.bytes;
      if (place.offset != NULL_TREE && is_own(base) && base != m_functor.decl) return true;  // own_index
      if (place.offset != NULL_TREE && base == m_functor.decl && !stores) return element_of_functor(place, s, b, inside);
      if (place.offset != NULL_TREE || place.at < 0 || !tree_fits_shwi_p(DECL_SIZE_UNIT(base)) ||
          end > tree_to_shwi(DECL_SIZE_UNIT(base)))
        return no("a place in a variable that is not known", s);
      return !stores || base != m_functor.decl || end <= m_functor.begin || no("the functor changes", s);
    }
    if (stores && TREE_CODE(what) == COMPONENT_REF && DECL_VIRTUAL_P(TREE_OPERAND(what, 1)))
      return no("an object with virtual functions is made", s);
    if (!inside) return no("an access outside of iterations", s);
    if (TREE_CODE(base) != MEM_REF) return no("an access of another form", s);
    Words address;
    if (!m_addresses.put(place, b, address)) return no("its address is not affine", s);
    if (address.size() > teamsan_affine_most_words) return no("its address is too long", s);
    if (place.bytes > TEAMSAN_ACCESS_MOST_BYTES) return no("it is too large", s);
    bool const always = m_iterations.come_always(b);
    unsigned const aligned = std::min<unsigned>(exact_log2(get_object_alignment(what) / BITS_PER_UNIT), 15);
    bool const of_update = m_loops.is_first_read(s);
    put_access((stores ? TEAMSAN_ACCESS_STORES : 0) | (always ? 0 : TEAMSAN_ACCESS_CONDITIONAL) |
                   (of_update ? TEAMSAN_ACCESS_ATOMIC : 0),
               of_update ? exact_log2(place.bytes) : aligned, place.bytes, address, b);
    if (dump_file != nullptr) {
      std::fprintf(dump_file, "%s of %d bytes%s: ", stores ? "store" : "load", static_cast<int>(place.bytes),
                   always ? "" : ", conditional");
      print_gimple_stmt(dump_file, s, 0);
    }
    return true;
  }

  /// A table among the functor's bytes, by an index: none beside them. What it holds is nobody's address.
  bool element_of_functor(Reference const& place, gimple* s, basic_block b, bool inside) {
    Words offset;
    if (!inside || !m_addresses.put(place.offset, b, offset)) return no("an index into the functor is not known", s);
    auto const constant = [](HOST_WIDE_INT number) { return Words{teamsan_affine_constant, static_cast<Word>(number)}; };
    return none_below(offset, constant(m_functor.begin - place.at), b) &&
           none_below(constant(m_functor.end - place.at - place.bytes), offset, b);
  }

  /// In no iteration that comes to that block the one is less than the other.
  bool none_below(Words const& one, Words const& other, basic_block b) {
    if (one.size() + other.size() > teamsan_affine_most_words) return no("its address is too long");
    put_conditions(b);
    m_records.put_none_below(one, other);
    return true;
  }

  /// Of what follows.
  void put_conditions(basic_block b, bool all = false) {
    m_records.put_conditions(m_iterations.is_inside(b) ? m_conditions.at(b, all) : std::vector<Condition>());
  }

  /// No access: the value must be known, in iterations that come to that block. Without words it is not.
  bool put_value(Words const& value, basic_block b) {
    if (value.size() > teamsan_affine_most_words) return false;
    put_conditions(b);
    m_records.put_value(value);
    return true;
  }

  function* m_function;
  FunctorVariable m_functor;
  Iterations m_iterations;
  Loops m_loops;
  Addresses m_addresses;
  Conditions m_conditions;
  Records m_records;
  std::string m_why;
};

/// A constant of the object's.
tree array_of(Words const& words) {
  tree const element = build_qualified_type(long_long_unsigned_type_node, TYPE_QUAL_CONST);
  tree const type = build_array_type_nelts(element, words.size());
  vec<constructor_elt, va_gc>* elements = nullptr;
  for (Word const w : words) CONSTRUCTOR_APPEND_ELT(elements, NULL_TREE, build_int_cst(element, w));
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
