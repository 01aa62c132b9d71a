// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What verdicts go by is there in the Kokkos at hand: every file and function of KokkosNames.def.
#include "../../sim/places/KokkosNames.hpp"
#include "../../sim/places/Symbolizer.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Header {
  std::string path, text;
};

/// Of Kokkos, desul, and TeamSan's backend.
std::vector<Header> const& headers() {
  static std::vector<Header> const all = [] {
    std::vector<Header> found;
    for (char const* const root : {TEAMSAN_KOKKOS_HEADERS, TEAMSAN_BACKEND_HEADERS})
      for (fs::recursive_directory_iterator at(root, fs::directory_options::follow_directory_symlink), end; at != end; ++at) {
        if (at->path().extension() != ".hpp") continue;
        std::ifstream stream(at->path());
        found.push_back({at->path().string(), {std::istreambuf_iterator<char>(stream), {}}});
      }
    return found;
  }();
  return all;
}

bool is_there(teamsan::KokkosName const& name) {
  for (Header const& header : headers())
    if (header.path.find(name.file) != std::string::npos && header.text.find(name.function) != std::string::npos) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_name_is_there) {
  BOOST_TEST(teamsan::kokkos_names().size() > 20u);
  for (teamsan::KokkosName const& name : teamsan::kokkos_names())
    BOOST_TEST(is_there(name), "no function with \"" << name.function << "\" in a file with \"" << name.file << "\"");
}

/// Frames have short names; a library's without line tables have no file.
BOOST_AUTO_TEST_CASE(a_call_of_kokkos_library_for_a_launch_is_known) {
  auto const launches = [](char const* function) {
    teamsan::Frame frame;
    frame.function = teamsan::short_function_name(function);
    return is_code(teamsan::KokkosCode::launch, frame);
  };
  BOOST_TEST(launches("Kokkos::Tools::beginParallelFor(std::__cxx11::basic_string<char> const&, unsigned)"));
  BOOST_TEST(launches("Kokkos::Tools::endParallelReduce(unsigned long)"));
  BOOST_TEST(!launches("Kokkos::Tools::initialize(Kokkos::Tools::InitArguments const&)"));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_gone_is_noticed) {
  BOOST_TEST(!is_there({teamsan::KokkosCode::atomic, "/desul/", "no_such_function"}));
  BOOST_TEST(!is_there({teamsan::KokkosCode::atomic, "/Kokkos_NoSuchFile.hpp", ""}));
}
