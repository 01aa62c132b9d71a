// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many workers a process takes that was not told.
#include "../../sim/base/Workers.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace teamsan;

namespace {

unsigned ranks_of(std::map<std::string, std::string> const& variables) {
  return local_ranks([&](char const* name) {
    auto const known = variables.find(name);
    return known == variables.end() ? nullptr : known->second.c_str();
  });
}

void write(std::filesystem::path const& file, std::string const& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(as_many_as_the_mask_and_the_quota_allow) {
  BOOST_TEST(workers_in({16, 16, 0, 1}) == 16u);
  BOOST_TEST(workers_in({4, 16, 0, 1}) == 4u);
  BOOST_TEST(workers_in({16, 16, 2.5, 1}) == 3u);
  BOOST_TEST(workers_in({16, 16, 0.5, 1}) == 1u);
  BOOST_TEST(workers_in({16, 16, 64, 1}) == 16u);
}

BOOST_AUTO_TEST_CASE(processes_beside_it_share) {
  BOOST_TEST(workers_in({16, 16, 0, 4}) == 4u);
  BOOST_TEST(workers_in({4, 16, 0, 4}) == 4u);  // a launcher that binds its ranks has dealt the CPUs out already
  BOOST_TEST(workers_in({16, 16, 8, 4}) == 2u);
  BOOST_TEST(workers_in({16, 16, 0, 40}) == 1u);
}

BOOST_AUTO_TEST_CASE(a_quota_of_the_group_or_of_one_around_it) {
  std::filesystem::path const root = std::filesystem::temp_directory_path() / "teamsan_base_workers";
  std::filesystem::remove_all(root);
  write(root / "a/cpu.max", "400000 100000\n");
  write(root / "a/b/cpu.max", "max 100000\n");
  BOOST_TEST(cpu_quota("0::/a/b\n", root.string()) == 4.0);
  BOOST_TEST(cpu_quota("0::/c\n", root.string()) == 0.0);
  write(root / "cpu.max", "150000 100000\n");  // a container's own, under whatever path
  BOOST_TEST(cpu_quota("0::/elsewhere/x\n", root.string()) == 1.5);
  write(root / "cpu/job/cpu.cfs_quota_us", "200000\n");
  write(root / "cpu/job/cpu.cfs_period_us", "100000\n");
  BOOST_TEST(cpu_quota("4:cpu,cpuacct:/job\n", root.string()) == 2.0);
  write(root / "cpu/job/cpu.cfs_quota_us", "-1\n");
  BOOST_TEST(cpu_quota("4:cpu,cpuacct:/job\n", root.string()) == 0.0);
  std::filesystem::remove_all(root);
}

BOOST_AUTO_TEST_CASE(ranks_on_the_machine) {
  BOOST_TEST(ranks_of({}) == 1u);
  BOOST_TEST(ranks_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}) == 4u);
  BOOST_TEST(ranks_of({{"MPI_LOCALNRANKS", "3"}}) == 3u);
  BOOST_TEST(ranks_of({{"SLURM_STEP_TASKS_PER_NODE", "8(x2),3"}}) == 8u);
  BOOST_TEST(ranks_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", ""}}) == 1u);
}

BOOST_AUTO_TEST_CASE(tests_of_a_ctest) {
  using namespace std::string_view_literals;
  BOOST_TEST(tests_at_a_time("/usr/bin/ctest\0-j4\0"sv, 16) == 4u);
  BOOST_TEST(tests_at_a_time("ctest\0--test-dir\0build\0-j\0008\0-L\0x\0"sv, 16) == 8u);
  BOOST_TEST(tests_at_a_time("ctest\0-j\0-L\0x\0"sv, 16) == 16u);
  BOOST_TEST(tests_at_a_time("ctest\0--parallel=5\0"sv, 16) == 5u);
  BOOST_TEST(tests_at_a_time("ctest\0-L\0x\0"sv, 16) == 1u);
  BOOST_TEST(tests_at_a_time("bash\0-c\0ctest -j4\0"sv, 16) == 0u);
  BOOST_TEST(tests_at_a_time(""sv, 16) == 0u);
}
