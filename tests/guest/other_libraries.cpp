// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands for libraries of the user's of another version or make than those the runtime was built with: the same names, other
// behaviour. Whoever calls the functions of libraries that the runtime is made with ends the program.
#include <fmt/format.h>
#include <pugixml.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
[[noreturn]] void called(char const* what) {
  std::fprintf(stderr, "the runtime called the program's own %s\n", what);
  std::abort();
}
}  // namespace

FMT_BEGIN_NAMESPACE
std::string vformat(string_view format, format_args) {
  if (format.size() == 3) return "another {fmt}";
  called("fmt::vformat");
}
namespace detail {
void throw_format_error(char const*) { called("fmt::detail::throw_format_error"); }
}  // namespace detail
FMT_END_NAMESPACE

namespace pugi {
xml_node::xml_node() : _root(nullptr) {}
xml_document::xml_document() { called("pugi::xml_document"); }
xml_node xml_node::append_child(char_t const*) { called("pugi::xml_node::append_child"); }
}  // namespace pugi

extern "C" {
void* make_fcontext(void*, std::size_t, void*) { called("make_fcontext"); }
void* jump_fcontext(void*, void*) { called("jump_fcontext"); }
}

std::string answer_of_other_library() { return fmt::vformat("{}!", {}); }
