// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompiledKernels.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace teamsan {
namespace {

std::string demangled(std::string_view symbol) {
  std::string const name(symbol.substr(0, symbol.find('.')));  // GCC's clones and outlined functions
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : "";
}

/// The first argument of the template whose "<" is before `text`.
std::string_view first_argument(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i != text.size(); ++i) {
    char const c = text[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == '>')) return text.substr(0, i);
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return text;
}

/// `run<OpenMP>(int)::Scale<OpenMP>` as `run(int)::Scale`: alike whichever space it was made for.
std::string without_template_arguments(std::string_view text) {
  std::string plain;
  int depth = 0;
  for (char const c : text) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

/// The functor in a demangled name of a kernel's class; empty: there is none, or it is Kokkos' own.
std::string users_functor(std::string const& name) {
  std::size_t at = std::string::npos, length = 0;
  for (std::string_view const pattern : {"::ParallelFor<", "::ParallelReduce<", "::ParallelScan<", "::ParallelScanWithTotal<"})
    if (std::size_t const found = name.find(pattern); found < at) at = found, length = pattern.size();
  if (at == std::string::npos) return {};
  std::string_view functor = first_argument(std::string_view(name).substr(at + length));
  if (std::string_view const wrapper = "Kokkos::Impl::CombinedFunctorReducer<"; functor.starts_with(wrapper))
    functor = first_argument(functor.substr(wrapper.size()));
  if (functor.starts_with("void ")) functor.remove_prefix(5);  // a lambda's function template, with what it returns
  bool const own = functor.starts_with("Kokkos::") && !functor.starts_with("Kokkos::Experimental::Impl::Std");
  return own ? std::string() : without_template_arguments(functor);
}

}  // namespace

void CompiledKernels::add(char const* symbol) {
  std::string_view const mangled = symbol;
  bool pattern = false;
  for (std::string_view const part : {"11ParallelFor", "14ParallelReduce", "12ParallelScan", "21ParallelScanWithTotal"})
    pattern = pattern || mangled.find(part) != mangled.npos;
  if (!pattern || !mangled.starts_with("_Z")) return;
  char const* space = nullptr;
  bool const simulated = mangled.find("7teamsan4Simt") != mangled.npos;
  for (auto const& [part, name] :
       {std::pair{"_6OpenMPE", "Kokkos::OpenMP"}, {"_6SerialE", "Kokkos::Serial"}, {"_7ThreadsE", "Kokkos::Threads"}})
    if (!simulated && space == nullptr && mangled.find(part) != mangled.npos) space = name;
  if (space == nullptr && !simulated) return;
  std::string functor = users_functor(demangled(mangled));
  if (!functor.empty()) (simulated ? m_simulated : m_hosts[space]).insert(std::move(functor));
}

std::vector<std::string> CompiledKernels::spaces(bool simulated_too) const {
  std::vector<std::string> found;
  for (auto const& [space, functors] : m_hosts)
    for (std::string const& functor : functors)
      if (m_simulated.contains(functor) == simulated_too) {
        found.push_back(space);
        break;
      }
  return found;
}

}  // namespace teamsan
