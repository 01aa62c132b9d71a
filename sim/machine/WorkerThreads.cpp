#include <teamsan/sim/machine/WorkerThreads.hpp>

#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace teamsan {

namespace {

class Threads {
 public:
  void run(unsigned others, std::function<void()> const& work) {
    {
      std::lock_guard const lock(m_mutex);
      for (; m_count < others; ++m_count) std::thread([this] { serve(); }).detach();
      m_work = &work;
      m_wanted = others;
    }
    m_came.notify_all();
    work();
    std::unique_lock lock(m_mutex);
    m_wanted = 0;
    m_left.wait(lock, [this] { return m_running == 0; });
  }

  ::pid_t process() const { return m_process; }

 private:
  void serve() {
    pthread_setname_np(pthread_self(), "teamsan-worker");
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_came.wait(lock, [this] { return m_wanted != 0; });
      --m_wanted;
      ++m_running;
      std::function<void()> const& work = *m_work;
      lock.unlock();
      work();
      lock.lock();
      if (--m_running == 0) m_left.notify_all();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_came, m_left;
  std::function<void()> const* m_work = nullptr;
  unsigned m_count = 0;
  unsigned m_wanted = 0;   ///< more calls of `m_work`
  unsigned m_running = 0;  ///< calls by threads
  ::pid_t m_process = ::getpid();
};

}  // namespace

void run_on_workers(unsigned others, std::function<void()> const& work) {
  static Threads* threads = new Threads;  // never destroyed: its threads wait until the process ends
  if (threads->process() != ::getpid()) threads = new Threads;
  threads->run(others, work);
}

unsigned available_processors() noexcept {
  for (unsigned size = CPU_SETSIZE; size <= 64 * CPU_SETSIZE; size *= 2) {
    cpu_set_t* const set = CPU_ALLOC(size);
    if (set == nullptr) break;
    int const count = ::sched_getaffinity(0, CPU_ALLOC_SIZE(size), set) == 0 ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), set) : 0;
    CPU_FREE(set);
    if (count > 0) return static_cast<unsigned>(count);
  }
  unsigned const all = std::thread::hardware_concurrency();
  return all != 0 ? all : 1;
}

}  // namespace teamsan
