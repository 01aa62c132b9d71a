// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sentences of causes and cures: their names, their arguments, and how a trace keeps them.
#include "../../sim/findings/Sentences.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace teamsan;

namespace {

struct Plain : Speaker {
  std::string place(CodePlace place) const override {
    return std::to_string(number_of(place.site)) + (place.with_column ? ":c" : "");
  }
  std::string declared(DeclaredThere name) const override { return "d" + std::to_string(number_of(name.site)); }
  std::string named(std::string_view name) const override { return "<" + std::string(name) + ">"; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(arguments_are_no_sentences) {
  std::string const label = "{0}{first}{update}";
  BOOST_TEST(say(because(Reason::index_beyond, label, "extent 4"), Plain()) == label + ", extent 4");
  BOOST_TEST(say(remedy(Cure::fence_before), Plain()).ends_with("before <first>"));
  BOOST_TEST(say(because(Reason::interval_since, 3, CodePlace{Site{7}, true}), Plain())
                 .starts_with("barrier interval 3 began at the synchronisation at 7:c;"));
}

BOOST_AUTO_TEST_CASE(names_tell_them_apart) {
  std::set<std::string_view> names;
  for (unsigned i = 0; reason_named(name_of(static_cast<Reason>(i))) == static_cast<Reason>(i); ++i) {
    BOOST_TEST(names.insert(name_of(static_cast<Reason>(i))).second);
    if (static_cast<Reason>(i) == Reason::whole_warps) break;  // the last one
  }
  BOOST_TEST(names.size() > 80u);
  BOOST_TEST((reason_named("no_such") == Reason::none));
  BOOST_TEST((cure_named("barrier") == Cure::barrier));
  BOOST_TEST((way_of(Cure::barrier_outside) == Way::barrier));
}

BOOST_AUTO_TEST_CASE(a_trace_keeps_them) {
  Because const all = because(Reason::no_room_in_scratch, "8 bytes", 1,
                              Argument::List{", ", DeclaredThere{Site{5}}, CodePlace{Site{6}}}, CodePlace{Site{9}, true});
  BOOST_TEST((unpacked_reason(packed(all)) == all));
  Remedy const cure = remedy(Cure::larger_stack, 4096);
  BOOST_TEST((unpacked_cure(packed(cure)) == cure));
  BOOST_TEST(packed(Remedy()).empty());
  BOOST_TEST(unpacked_cure("").empty());
  // As earlier versions wrote them.
  BOOST_TEST(say(unpacked_reason("a sentence {first}"), Plain()) == "a sentence {first}");
}
