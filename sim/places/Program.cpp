#include <teamsan/sim/places/Program.hpp>

#include <atomic>
#include <fstream>
#include <unwind.h>

namespace teamsan {

namespace {
std::atomic<Program*> other{nullptr};
}

Program& program() {
  static Program& process = *new Program;
  Program* const instead = other.load(std::memory_order_relaxed);
  return instead != nullptr ? *instead : process;
}

void set_program(Program& instead) { other = &instead; }

std::vector<std::string> Program::arguments() {
  std::vector<std::string> arguments;
  std::ifstream stream("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(stream, word, '\0');) arguments.push_back(word);
  return arguments;
}

std::vector<std::uintptr_t> Program::stack() {
  std::vector<std::uintptr_t> frames;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& list = *static_cast<std::vector<std::uintptr_t>*>(data);
        list.push_back(_Unwind_GetIP(context));
        return list.size() == 48 ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &frames);
  return frames;
}

}  // namespace teamsan
