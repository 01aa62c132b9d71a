// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program, many ends. `ends MODE`: what is found before the end must be told, whatever the end is.
#include <Kokkos_Core.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

/// At once, past everything that keeps what a lane prints.
void say(char const* text) {
  if (::write(STDOUT_FILENO, text, std::strlen(text)) < 0) std::abort();
}

Policy policy(int teams) {
  Policy p(teams, 2);
  p.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(2)));
  return p;
}

KOKKOS_INLINE_FUNCTION void race(Member const& team) {
  Scratch tile(team.team_scratch(0), 2);
  tile(team.team_rank()) = 1;
  if (tile(1 - team.team_rank()) == 7) Kokkos::printf("never\n");
}

void racy_launch(char const* label, int teams = 4) {
  Kokkos::parallel_for(label, policy(teams), KOKKOS_LAMBDA(Member const& team) { race(team); });
  Kokkos::fence();
}

/// Every team races; the last one then runs on, once the others have.
void run_on() {
  Kokkos::View<int*> x("x", 4);
  Kokkos::View<int> raced("raced");
  Kokkos::parallel_for(
      "runs on", policy(3), KOKKOS_LAMBDA(Member const& team) {
        race(team);
        team.team_barrier();
        if (team.team_rank() != 0) return;
        if (team.league_rank() != 2) return Kokkos::atomic_inc(&raced());
        while (Kokkos::atomic_load(&raced()) != 2) {
        }
        say("running\n");
        for (long i = 0;; ++i) x(i & 3) += 1;
      });
  Kokkos::fence();
}

/// The first team runs on; the others, which a second worker runs meanwhile, race with each other.
void wait_for_the_first() {
  Kokkos::View<int*> x("x", 4);
  Kokkos::parallel_for(
      "first runs on", policy(8), KOKKOS_LAMBDA(Member const& team) {
        int const rank = team.league_rank();
        if (team.team_rank() != 0) return;
        if (rank != 0) x(0) = rank;
        if (rank == 7) say("running\n");
        if (rank == 0)
          for (long i = 0;; ++i) x(1 + (i & 1)) += 1;
      });
  Kokkos::fence();
}

/// A lane that never finds its end mark.
void run_away() {
  Kokkos::View<long*> x("x", 4);
  Kokkos::View<long> sum("sum");
  Kokkos::parallel_for(
      "runs away", Kokkos::RangePolicy<>(0, 1), KOKKOS_LAMBDA(int) {
        for (long i = 0; i >= 0; ++i) sum() += x(i);
      });
  Kokkos::fence();
}

/// Teams with a race each, launch after launch; what a team prints is seen once it is committed. In launch `at`, team
/// `team` ends the program by itself, if `how` says so.
void go_on(std::string const& how, int at, int team_of_end) {
  Kokkos::View<int*> x("x", 64);
  bool const segv = how == "segv", abort = how == "abort";
  for (int k = 0;; ++k) {
    std::string const label = "k" + std::to_string(k);
    Kokkos::parallel_for(
        label, policy(24), KOKKOS_LAMBDA(Member const& team) {
          race(team);
          team.team_barrier();
          int const rank = team.league_rank();
          if (k == at && rank == team_of_end && team.team_rank() == 0) {
            if (segv) *reinterpret_cast<int volatile*>(16) = 1;
            if (abort) std::abort();
          }
          for (int i = 0; i != 400; ++i) x(2 * rank + team.team_rank()) += i;
          Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::printf("team %d of k%d\n", rank, k); });
        });
    Kokkos::fence();
    std::printf("done k%d\n", k);
    std::fflush(stdout);
  }
}

/// Two teams with a race each; the second is not reached with --halt-on-error.
void halt() {
  Kokkos::parallel_for(
      "halts", policy(2), KOKKOS_LAMBDA(Member const& team) {
        race(team);
        team.team_barrier();
        if (team.team_rank() == 0) say("after the race\n");
      });
  Kokkos::fence();
}

/// As a program does that divides by what is nought on this space.
int divide(int lanes) {
  int volatile const per_team = 1 / lanes;
  return 1000 / per_team;  // a division by nought
}

int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char* argv[]) {
  ::alarm(200);  // a test that failed does not leave it behind
  std::string const mode = argc > 1 ? argv[1] : "";
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (mode == "runs_on") run_on();
  if (mode == "first_runs_on") wait_for_the_first();
  if (mode == "runs_away") run_away();
  if (mode == "halt") halt();
  if (mode == "go_on") go_on(argv[2], std::atoi(argv[3]), std::atoi(argv[4]));
  if (mode == "clean_sleep") {
    say("sleeping\n");
    ::sleep(100);
    return 0;
  }
  if (mode == "fork") {  // the child's race is its own
    pid_t const child = ::fork();
    if (child == 0) {
      racy_launch("of the child");
      std::exit(5);
    }
    std::printf("child %d ended with %d\n", child, status_of(child));
    return 0;
  }
  if (mode == "fork_quiet") {
    racy_launch("before");
    if (pid_t const child = ::fork(); child == 0) std::exit(5);
    else std::printf("child ended with %d\n", status_of(child));
    return 0;
  }
  if (mode == "fork_exec") {  // a checked program, with the same options
    racy_launch("of the parent");
    pid_t const child = ::fork();
    if (child == 0) {
      ::execl(argv[0], argv[0], "racy", nullptr);
      ::_exit(99);
    }
    std::printf("child %d ended with %d\n", child, status_of(child));
    return 0;
  }
  if (mode == "kernel_exit") {
    bool const quick = argv[2] == std::string("quick_exit");
    Kokkos::parallel_for("leaves", Kokkos::RangePolicy<>(0, 64), KOKKOS_LAMBDA(int i) {
      if (i != 33) return;
      if (quick) std::quick_exit(0);
      ::_exit(0);
    });
  }
  if (mode == "clean_exec") {  // nothing ran: nothing to lose
    ::execlp(argv[2], argv[2], "racy", nullptr);
    return 98;
  }
  if (mode == "chdir" && ::chdir("/") != 0) return 97;
  if (mode == "clean") return 0;
  if (mode == "clean_host_division") return divide(argc + 30);
  racy_launch("racy");
  if (mode == "_exit") ::_exit(9);
  if (mode == "_Exit") std::_Exit(9);
  if (mode == "quick_exit") std::quick_exit(9);
  if (mode.starts_with("host_")) {
    int const lanes = 32;
    if (mode == "host_division") return divide(lanes);
    if (mode == "host_access") *reinterpret_cast<int volatile*>(16) = 1;  // an invalid access
    if (mode == "host_abort") std::abort();  // an abort
    if (mode == "host_throw") throw std::runtime_error("of the host");  // an exception
    if (mode == "host_trap") std::raise(SIGTRAP);  // a trap
    say("pausing\n");
    ::pause();
  }
  if (mode == "exec") ::execlp("true", "true", nullptr);
  if (mode == "exec_self") ::execl(argv[0], argv[0], "clean", nullptr);
  if (mode == "exec_nothing") {
    ::execl("/no/such/program", "program", nullptr);
    std::printf("exec failed: %s\n", std::strerror(errno));
    racy_launch("later");
  }
  return 0;
}
