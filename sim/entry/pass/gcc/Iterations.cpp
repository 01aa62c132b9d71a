// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Iterations.hpp"

namespace teamsan_plugin {

namespace {

constexpr char const* begins = "teamsan iteration";
constexpr char const* in_kernel = "_ZN7teamsan9in_kernelEv";

}  // namespace

/// Lanes ask whether they are in a kernel, and are.
bool Iterations::is_dead(edge e) {
  if (e->flags & (EDGE_EH | EDGE_ABNORMAL)) return true;
  gimple_stmt_iterator const last = gsi_last_nondebug_bb(e->src);
  gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
  if (c == nullptr || TREE_CODE(gimple_cond_lhs(c)) != SSA_NAME || !integer_zerop(gimple_cond_rhs(c))) return false;
  if (!calls(SSA_NAME_DEF_STMT(gimple_cond_lhs(c)), in_kernel)) return false;
  if (gimple_cond_code(c) == NE_EXPR) return e->flags & EDGE_FALSE_VALUE;
  return gimple_cond_code(c) == EQ_EXPR && (e->flags & EDGE_TRUE_VALUE);
}

char const* Iterations::find() {
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
  for (basic_block const b : m_live)
    for (gimple_stmt_iterator at = gsi_start_bb(b); !gsi_end_p(at); gsi_next(&at)) {
      gasm* const a = dyn_cast<gasm*>(gsi_stmt(at));
      if (a == nullptr || std::strstr(gimple_asm_string(a), begins) == nullptr) continue;
      if (m_begin != nullptr) return "an iteration begins in two places";
      m_begin = a;
    }
  if (m_begin == nullptr) return "no iteration begins";
  return nullptr;
}

int Iterations::axis_of(tree name) const {
  if (SSA_NAME_DEF_STMT(name) != m_begin) return -1;
  for (unsigned i = 0; i != gimple_asm_noutputs(m_begin); ++i)
    if (TREE_VALUE(gimple_asm_output_op(m_begin, i)) == name) return static_cast<int>(i);
  return -1;
}

bool Iterations::come_always(basic_block b) {
  if (b == begin()) return true;
  auto const [known, fresh] = m_always.emplace(b, false);
  if (!fresh) return known->second;
  // Without it no way may lead to the next iteration, or out.
  edge e;
  edge_iterator i;
  std::vector<basic_block> todo{begin()};
  std::set<basic_block> seen{b};
  while (!todo.empty()) {
    basic_block const from = todo.back();
    todo.pop_back();
    FOR_EACH_EDGE(e, i, from->succs) {
      if (!is_live(e)) continue;
      if (e->dest == begin() || e->dest == EXIT_BLOCK_PTR_FOR_FN(m_function)) return false;
      if (seen.insert(e->dest).second) todo.push_back(e->dest);
    }
  }
  return m_always[b] = true;
}

}  // namespace teamsan_plugin
