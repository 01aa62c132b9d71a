// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine model says of warp_store and warp_load, for 1 to 16 items of float and double: the figures of
// docs/workgroup-costs.md, as statements. And what vectorize says of its fallbacks.
// OPTIONS: check=all,perf:device=h100
#include "../../examples/workgroup/warp_costs.hpp"
#include "Teams.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/FinishedReport.hpp"

#include <algorithm>
#include <map>

using workgroup_tests::KokkosGuard;
using namespace warp_costs;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Kernels = std::map<std::string, teamsan::ReportedTraffic>;

Kernels const& kernels() {
  static Kernels const all = [] {
    run_all<float>("float");
    run_all<double>("double");
    Kernels result;
    for (auto const& kernel : teamsan::finished_report(teamsan::Collector::instance()).kernels) result[kernel.kernel] = kernel;
    return result;
  }();
  return all;
}

struct Cost {
  double requests, sectors, ideal;                    ///< global, the last two per request
  double scratch_requests, wavefronts_in, wavefronts_out;  ///< into and out of the exchange, per request
};

Cost cost(std::string const& operation, std::string const& type, int items, char const* algorithm) {
  auto const& k = kernels().at(operation + ' ' + type + ' ' + std::to_string(items) + ' ' + algorithm);
  auto const& global = operation == "store" ? k.global_stores : k.global_loads;
  auto const& other = operation == "store" ? k.global_loads : k.global_stores;
  BOOST_TEST(other.requests == 0);
  double const n = static_cast<double>(global.requests);
  auto const per = [](std::uint64_t count, std::uint64_t requests) {
    return requests == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(requests);
  };
  return {n, static_cast<double>(global.sectors) / n, static_cast<double>(global.ideal_sectors) / n,
          static_cast<double>(k.shared_stores.requests), per(k.shared_stores.wavefronts, k.shared_stores.requests),
          per(k.shared_loads.wavefronts, k.shared_loads.requests)};
}

template <class Statement>
void in_every_case(Statement const& statement) {
  for (char const* operation : {"store", "load"})
    for (auto const& [type, bytes] : {std::pair{"float", 4}, std::pair{"double", 8}})
      for (int items = 1; items <= most_items; ++items)
        BOOST_TEST_CONTEXT(operation << ' ' << type << ' ' << items) {
          statement(operation, type, bytes, items, league * team * items);
        }
}

}  // namespace

BOOST_AUTO_TEST_CASE(direct_moves_more_sectors_the_more_items) {
  in_every_case([](auto operation, auto type, int bytes, int items, int requests) {
    Cost const c = cost(operation, type, items, "direct");
    BOOST_TEST(c.requests == requests);
    // Neighbouring lanes are items * bytes apart: that many sectors, until each lane has one of its own.
    BOOST_TEST(c.sectors == std::min(32, items * bytes));
    BOOST_TEST(c.scratch_requests == 0);
  });
}

BOOST_AUTO_TEST_CASE(striped_moves_the_least) {
  in_every_case([](auto operation, auto type, int bytes, int items, int requests) {
    Cost const c = cost(operation, type, items, "striped");
    BOOST_TEST(c.requests == requests);
    BOOST_TEST(c.sectors == bytes);
    BOOST_TEST(c.sectors == c.ideal);
    BOOST_TEST(c.scratch_requests == 0);
  });
}

BOOST_AUTO_TEST_CASE(vectorize_moves_the_least_up_to_the_widest_vector) {
  in_every_case([](auto operation, auto type, int bytes, int items, int requests) {
    Cost const c = cost(operation, type, items, "vectorize");
    if (items % 2 != 0) {  // as direct
      BOOST_TEST(c.requests == requests);
      BOOST_TEST(c.sectors == std::min(32, items * bytes));
      return;
    }
    int const width = items * bytes % 16 == 0 ? 16 : 8;
    BOOST_TEST(c.requests == requests * bytes / width);
    BOOST_TEST(c.ideal == width);  // 32 lanes times width bytes in sectors of 32 bytes
    BOOST_TEST(c.sectors == std::min(32, items * bytes));
    if (items * bytes <= 16) BOOST_TEST(c.sectors == c.ideal);
  });
}

BOOST_AUTO_TEST_CASE(transpose_moves_the_least_and_pays_in_scratch) {
  in_every_case([](auto operation, auto type, int bytes, int items, int requests) {
    Cost const c = cost(operation, type, items, "transpose");
    BOOST_TEST(c.requests == requests);
    BOOST_TEST(c.sectors == c.ideal);
    BOOST_TEST(c.sectors == bytes);
    // Every item goes through scratch, in and out, without bank conflicts; but one item a lane need not.
    int const through = items == 1 ? 0 : 1;
    BOOST_TEST(c.scratch_requests == through * requests);
    BOOST_TEST(c.wavefronts_in == through * bytes / 4);
    BOOST_TEST(c.wavefronts_out == through * bytes / 4);
  });
}

BOOST_AUTO_TEST_CASE(fallbacks_are_said_in_the_report) {
  Kokkos::View<float*> out("out", 4096);
  struct Pair {
    float a, b;
  };
  Kokkos::View<Pair*> pairs("pairs", 1024);
  struct Reversed {
    float* last;
    float& operator[](int i) const { return last[-i]; }
  };
  Kokkos::parallel_for(
      "fallbacks", Policy(1, 2, 32), KOKKOS_LAMBDA(Member const& member) {
        float* const tile = out.data() + member.team_rank() * 2048;
        teamsan::warp_items<float, 3, Member> three;
        teamsan::warp_items<float, 4, Member> four;
        teamsan::warp_items<Pair, 4, Member> four_pairs;
        three.assign(member, [](int, int) { return 1.f; });
        four.assign(member, [](int, int) { return 1.f; });
        four_pairs.assign(member, [](int, int) { return Pair{1, 2}; });
        teamsan::warp_store<3, Algorithm::vectorize>(member, tile, three);
        teamsan::warp_store<4, Algorithm::vectorize>(member, Reversed{tile + 1023}, four);
        teamsan::warp_store<4, Algorithm::vectorize>(member, pairs.data() + member.team_rank() * 512, four_pairs);
        teamsan::warp_store<4, Algorithm::vectorize>(member, tile + 1025, four);
        teamsan::warp_store<4, Algorithm::vectorize>(member, tile + 1280, four);  // does not fall back
      });
  auto const report = teamsan::finished_report(teamsan::Collector::instance());
  std::vector<std::string> said;
  for (auto const& note : report.program.notes)
    if (note.starts_with("kernel \"fallbacks\", ")) said.push_back(note);
  BOOST_TEST(said.size() == 4u);
  for (char const* reason :
       {"warp_store<vectorize> stores as direct: ITEMS is odd",
        "warp_store<vectorize> stores as direct: the iterator is not a plain pointer to the items' type",
        "warp_store<vectorize> stores as direct: the element is neither a built-in type nor a vector type",
        "warp_store<vectorize> stores as direct: the warp's tile does not start at a multiple of 16 bytes"})
    BOOST_TEST(std::count_if(said.begin(), said.end(), [&](std::string const& s) {
                 return s.ends_with(reason) && s.find("tests/workgroup/simt_warp_costs.cpp:") != std::string::npos;
               }) == 1, reason);
  BOOST_TEST(report.count(teamsan::Severity::error) == 0u);
}
