// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExceptionObjects.hpp"

namespace teamsan::exception_objects {

namespace {

struct Object {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
constexpr unsigned most_at_once = 8;  ///< by lanes that take turns: of more the oldest are forgotten
thread_local Object objects[most_at_once];
thread_local unsigned next = 0;

}  // namespace

void made(std::uintptr_t begin, std::size_t bytes) { objects[next++ % most_at_once] = {begin, bytes}; }

void thrown(std::uintptr_t begin) {
  for (Object& o : objects)
    if (o.begin == begin) o = {};
}

bool holds(std::uintptr_t address) {
  for (Object const& o : objects)
    if (address - o.begin < o.bytes) return true;
  return false;
}

}  // namespace teamsan::exception_objects
