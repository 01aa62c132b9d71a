// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process may hold: the limits of its control groups.
#include "../../sim/memory/MemoryLimit.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace teamsan;

namespace {

struct Groups {
  Groups() : root(std::filesystem::temp_directory_path() / ("teamsan-groups-" + std::to_string(getpid()))) {}
  ~Groups() { std::filesystem::remove_all(root); }
  void write(std::string const& file, std::string const& text) const {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text << '\n';
  }
  std::size_t limit(std::string const& cgroups) const {
    return memory_limit::group_limit(cgroups, root.string());
  }
  std::filesystem::path root;
};

constexpr std::size_t none = ~std::size_t{0};

}  // namespace

BOOST_AUTO_TEST_CASE(the_least_of_a_group_and_its_parents_counts) {
  Groups const groups;
  BOOST_TEST(groups.limit("0::/a/b\n") == none);
  groups.write("a/b/memory.max", "max");
  BOOST_TEST(groups.limit("0::/a/b\n") == none);
  groups.write("a/memory.max", "5000000");
  groups.write("memory.max", "7000000");
  BOOST_TEST(groups.limit("0::/a/b\n") == 5000000u);
  groups.write("a/b/memory.max", "4000000");
  BOOST_TEST(groups.limit("0::/a/b\n") == 4000000u);
  BOOST_TEST(groups.limit("0::/\n") == 7000000u);
  BOOST_TEST(groups.limit("0::/elsewhere/of/the/host\n") == 7000000u);
}

BOOST_AUTO_TEST_CASE(groups_of_the_first_version) {
  Groups const groups;
  groups.write("memory/jobs/1/memory.limit_in_bytes", "3000000");
  groups.write("memory/jobs/memory.limit_in_bytes", "9223372036854771712");
  BOOST_TEST(groups.limit("9:name=systemd:/\n4:memory:/jobs/1\n1:cpu,cpuacct:/\n0::/\n") == 3000000u);
  BOOST_TEST(groups.limit("4:cpu,memory:/jobs/1\n") == 3000000u);
  BOOST_TEST(groups.limit("4:cpu:/jobs/1\n") == none);
  BOOST_TEST(groups.limit("nonsense\n") == none);
}

BOOST_AUTO_TEST_CASE(memory_counts_once_it_is_touched) {
  constexpr std::size_t bytes = 32 << 20;
  std::size_t const before = memory_limit::held();
  BOOST_TEST(before > 0u);
  std::vector<char> const touched(bytes, 1);
  BOOST_TEST(memory_limit::held() >= before + bytes / 10 * 9);
  BOOST_TEST(touched[bytes - 1] == 1);
  BOOST_TEST(memory_limit::limit() > bytes);
}
