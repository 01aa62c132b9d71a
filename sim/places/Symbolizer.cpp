// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps what DwarfIndex found, once per site, and picks the user's frames out of it.
#include "Symbolizer.hpp"

#include "../base/BigStack.hpp"
#include "../base/PatientMutex.hpp"
#include "DwarfIndex.hpp"
#include "HostData.hpp"
#include "Program.hpp"
#include "Sites.hpp"
#include "StaticData.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <fmt/format.h>
#include <pthread.h>

namespace teamsan {
namespace {

/// What a signal handler interrupted may hold the lock for ever: there, nobody waits for it longer than this, and once it
/// was waited for in vain, nobody waits again.
constexpr std::chrono::seconds patience{5};

struct Cache {
  PatientMutex mutex;
  std::atomic<bool> gave_up = false;
  std::optional<DwarfIndex> index;
  std::unordered_map<Site, std::vector<Frame>> frames;
  std::unordered_map<Site, std::size_t>
      place_numbers;  ///< to an element of `places`; 0: unknown place
  std::vector<Place> places{Place{}};
};

std::atomic<bool> g_failed = false;
thread_local constinit bool t_waits_briefly = false;
thread_local constinit bool t_held_by_fork = false;

/// Set while this thread looks something up: a signal handler that interrupted it must not wait for itself.
thread_local constinit bool t_looking_up = false;

bool take(Cache& cache) {
  if (!t_waits_briefly) {
    cache.mutex.lock();
    return true;
  }
  if (cache.gave_up && uses_report_memory()) return false;  // it has one of its own by then
  if (cache.mutex.try_lock() || (!cache.gave_up && cache.mutex.lock_within(patience))) return true;
  cache.gave_up = true;
  return false;
}

/// Never destroyed: findings may be made while the program's static objects die. A child of a fork looks up too.
Cache& cache() {
  static Cache& instance = *[] {
    static Cache* made = new Cache;
    constexpr auto let_go_after_fork = [] {
      if (t_held_by_fork) made->mutex.unlock();
    };
    pthread_atfork([] { t_held_by_fork = !t_looking_up && take(*made); }, let_go_after_fork, let_go_after_fork);
    return made;
  }();
  return instance;
}

/// For a thread that reports a crash while another one is stuck in the cache, or itself was there: all is looked up anew, in
/// the report's memory.
Cache& cache_of_report() {
  static Cache& instance = *new Cache;
  return instance;
}

class Lock {
 public:
  explicit Lock(Cache& shared) {
    if (!std::exchange(t_looking_up, true)) {
      if (take(shared)) m_held = &shared;
      t_looking_up = m_held != nullptr;
    }
    if (m_held != nullptr) return;
    if (uses_report_memory() && cache_of_report().mutex.try_lock())
      m_held = &cache_of_report();
    else
      g_failed = true;
  }
  ~Lock() {
    if (m_held == nullptr) return;
    m_held->mutex.unlock();
    if (m_held != &cache_of_report()) t_looking_up = false;
  }
  Lock(Lock const&) = delete;
  Lock& operator=(Lock const&) = delete;
  explicit operator bool() const noexcept { return m_held != nullptr; }
  Cache& known() const noexcept { return *m_held; }

 private:
  Cache* m_held = nullptr;
};

/// f(index), on a stack that is large enough. False if it could not be done, for want of memory or of files.
template <class F>
bool with_index(Cache& known, F f) {
  bool done = false;
  auto work = [&] {
    try {
      if (!known.index) known.index.emplace();
      f(*known.index);
      done = true;
    } catch (std::exception const&) {
    }
  };
  run_on_big_stack(work);
  if (!done) g_failed = true;
  return done;
}

std::vector<Frame> look_up(DwarfIndex& index, std::uintptr_t pc) {
  std::vector<Frame> frames;
  for (RawFrame& raw : index.lookup(pc - 1)) {
    Frame frame;
    frame.function = short_function_name(raw.function);
    if (!raw.file.empty()) frame.file = std::filesystem::path(raw.file).lexically_normal().string();
    frame.line = raw.line;
    frame.column = raw.column;
    frame.clang = raw.clang;
    frame.internal = is_internal_file(frame.file);
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace

std::string const& start_directory() { return program().directory(); }

std::string const& Program::directory() {
  static std::string const& directory = *new std::string([] {
    std::error_code error;
    std::string path = std::filesystem::current_path(error).string();
    return error || path == "/" ? std::string() : path + '/';
  }());
  return directory;
}

namespace {

Place place_of(Frame const& frame) {
  std::string const& directory = start_directory();
  bool const below = !directory.empty() && frame.file.starts_with(directory);
  return {below ? frame.file.substr(directory.size()) : frame.file,
          frame.line,
          frame.column,
          frame.function,
          frame.file,
          frame.internal};
}

}  // namespace

std::string to_string(Place const& place) {
  if (!place.known()) return "unknown place";
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::vector<Frame> const& frames_of(Site site) {
  static std::vector<Frame> const& nothing = *new std::vector<Frame>;
  return site == Site{} ? nothing : program().frames(site);
}

std::vector<Frame> const& Program::frames(Site site) {
  static std::vector<Frame> const& nothing = *new std::vector<Frame>;
  Lock const lock(cache());
  if (!lock) return nothing;
  Cache& known = lock.known();
  auto it = known.frames.find(site);
  if (it == known.frames.end()) {
    std::vector<Frame> frames;
    std::uintptr_t const address = address_of(site);
    if (address == 0) return nothing;
    if (!with_index(known, [&](DwarfIndex& index) { frames = look_up(index, address); })) return nothing;
    it = known.frames.emplace(site, std::move(frames)).first;
  }
  return it->second;
}

std::string variable_at(std::uintptr_t address) { return program().variable(address); }

std::string Program::variable(std::uintptr_t address) {
  std::string name = host_data_at(address);
  if (name.empty()) name = static_variable(address);
  if (!name.empty()) return name;
  Lock const lock(cache());
  if (!lock || !with_index(lock.known(), [&](DwarfIndex& index) { name = index.variable(address); })) return {};
  return name;
}

std::string Program::field(Site site, std::string const& type, std::uint32_t bytes, std::uint32_t byte) {
  std::string name;
  std::uintptr_t const address = address_of(site);
  if (address == 0) return {};
  Lock const lock(cache());
  if (!lock || !with_index(lock.known(), [&](DwarfIndex& index) { name = index.field(address - 1, type, bytes, byte); }))
    return {};
  return name;
}

void look_up_without_waiting() noexcept { t_waits_briefly = true; }
bool looks_up_without_waiting() noexcept { return t_waits_briefly; }
bool was_look_up_lost() noexcept { return g_failed; }

Trail user_trail(Site site, std::span<Site const> callers) {
  Trail trail;
  Place fallback;
  auto const walk = [&](Site at) {
    for (Frame const& frame : frames_of(at)) {
      if (trail.function.empty()) trail.function = frame.function;
      if (frame.line == 0) continue;
      Place place = place_of(frame);
      if (frame.internal) {
        if (!fallback.known()) fallback = std::move(place);
      } else if (!trail.place.known()) {
        trail.place = std::move(place);
      } else {
        Place const& last = trail.callers.empty() ? trail.place : trail.callers.back();
        if (place.file != last.file || place.line != last.line) trail.callers.push_back(std::move(place));
      }
    }
  };
  walk(site);
  for (auto const caller : callers) walk(caller);
  if (!trail.place.known()) trail.place = std::move(fallback);
  return trail;
}

Place user_place(Site site, std::span<Site const> callers) {
  return user_trail(site, callers).place;
}

Site users_own(Site site, std::span<Site const> callers) {
  auto const has_user_frame = [](Site at) {
    auto const& frames = frames_of(at);
    return std::any_of(frames.begin(), frames.end(),
                       [](Frame const& f) { return !f.internal && f.line != 0; });
  };
  if (has_user_frame(site)) return site;
  for (auto const caller : callers)
    if (has_user_frame(caller)) return caller;
  return site;
}

bool same_place(Site first, Site second) {
  if (first == second) return true;
  auto const number_of_place = [&](Site site) -> std::size_t {
    if (Lock const lock(cache()); lock) {
      auto const& numbers = lock.known().place_numbers;
      if (auto const it = numbers.find(site); it != numbers.end()) return it->second;
    }
    Place const place = user_place(site);
    Lock const lock(cache());
    if (!lock || !place.known()) return 0;
    Cache& known = lock.known();
    auto const at = std::find_if(known.places.begin(), known.places.end(), [&](Place const& other) {
      return other.line == place.line && other.column == place.column && other.path == place.path;
    });
    std::size_t const number = static_cast<std::size_t>(at - known.places.begin());
    if (at == known.places.end()) known.places.push_back(place);
    known.place_numbers.emplace(site, number);
    return number;
  };
  std::size_t const place = number_of_place(first);
  return place != 0 && place == number_of_place(second);
}

}  // namespace teamsan
