// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that wait in host code: standstill CASE. The first ones wait for what nobody will do, the others for what takes its
// time.
#include <Kokkos_Core.hpp>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <semaphore.h>
#include <string>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

std::mutex lock;
std::condition_variable changed;
bool told = false, kernel_is_done = false;
sem_t posted;
int ends[2];  // of a pipe
constexpr std::chrono::seconds long_time{10};

// What they read of the host is not what this is about.
#define UNSEEN __attribute__((noinline, no_sanitize("thread")))

UNSEEN void wait_until(bool const& flag) {
  std::unique_lock held(lock);
  while (!flag) changed.wait(held);
}

UNSEEN void tell(bool& flag) {
  std::lock_guard const held(lock);
  flag = true;
  changed.notify_all();
}

UNSEEN void wait_for_a_time() {
  std::unique_lock held(lock);
  while (!told && changed.wait_for(held, long_time) != std::cv_status::timeout) {
  }
}

UNSEEN void read_pipe() {
  char byte = 0;
  if (::read(ends[0], &byte, 1) != 1) std::abort();
}

UNSEEN void wait_for_post() {
  while (::sem_wait(&posted) != 0) {
  }
}

UNSEEN void compute() {
  auto const end = std::chrono::steady_clock::now() + long_time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

void on_alarm(int) { ::sem_post(&posted); }

/// Of many iterations one has the lock while it calls `f`.
template <class F>
void with_lock(F f) {
  Kokkos::View<int*> out("out", 100'000);
  Kokkos::parallel_for(
      "locked", 100'000, KOKKOS_LAMBDA(int i) {
        if (i >= 4000) lock.lock();
        if (i == 4000) f();
        out(i) = i;
        if (i >= 4000) lock.unlock();
      });
  Kokkos::fence();
}

int main(int argc, char* argv[]) {
  std::string const how = argc > 1 ? argv[1] : "";
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> flag("flag", 1);
  if (::pipe(ends) != 0 || ::sem_init(&posted, 0, 0) != 0) return 1;
  if (how == "lock_kept")
    Kokkos::parallel_for("kept", 100'000, KOKKOS_LAMBDA(int i) {
      if (i >= 4000) lock.lock();  // kept
    });
  if (how == "nobody_tells") Kokkos::parallel_for("untold", 1000, KOKKOS_LAMBDA(int i) {
    if (i == 700) wait_until(told);  // untold
  });
  if (how == "host_waits") {
    std::thread host([] {
      wait_until(kernel_is_done);
      tell(told);
    });
    Kokkos::parallel_for("circle", 1000, KOKKOS_LAMBDA(int i) {
      if (i == 700) wait_until(told);  // circle
    });
    tell(kernel_is_done);
    host.join();
  }
  if (how == "over_barrier")
    Kokkos::parallel_for("barrier", Policy(4, 32), KOKKOS_LAMBDA(Member const& team) {
      lock.lock();  // over a barrier
      team.team_barrier();
      lock.unlock();
    });
  if (how == "one_spins")
    Kokkos::parallel_for("spins", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
      if (team.league_rank() == 0) {
        lock.lock();
        while (Kokkos::atomic_load(&flag(0)) == 0) {
        }
      } else {
        Kokkos::atomic_load(&flag(0));
        ::usleep(100'000);
        lock.lock();  // spun for
        Kokkos::atomic_store(&flag(0), 1);
      }
      lock.unlock();
    });
  if (how == "sleeps") with_lock([] { std::this_thread::sleep_for(long_time); });
  if (how == "computes") with_lock(compute);
  if (how == "reads") {
    std::thread host([] {
      std::this_thread::sleep_for(long_time);
      if (::write(ends[1], "x", 1) != 1) std::abort();
    });
    with_lock(read_pipe);
    host.join();
  }
  if (how == "timer") {
    std::signal(SIGALRM, on_alarm);
    ::alarm(static_cast<unsigned>(long_time.count()));
    with_lock(wait_for_post);
  }
  if (how == "waits_for_a_time")
    Kokkos::parallel_for("timed", 1000, KOKKOS_LAMBDA(int i) {
      if (i == 700) wait_for_a_time();
    });
  if (how == "host_tells") {
    std::thread host([] {
      std::this_thread::sleep_for(long_time);
      tell(told);
    });
    Kokkos::parallel_for("told", 1000, KOKKOS_LAMBDA(int i) {
      if (i >= 700) wait_until(told);
    });
    host.join();
  }
  Kokkos::fence();
  std::puts("done");
}
