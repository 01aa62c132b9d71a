// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Text of somebody else's: what is plain stays as it is, nothing that is left acts on a terminal, a line or a CI service.
#include <boost/test/unit_test.hpp>

#include "../../traces/Printable.hpp"

#include <string>

using namespace std::string_literals;
using teamsan::traces::LineEnds;
using teamsan::traces::printable;

BOOST_AUTO_TEST_CASE(plain_text_stays) {
  for (std::string const& text : {""s, "solve"s, "a<b>::operator()(int) const"s, "Temperatur \u00e4\u20ac\U0001f600"s,
                                  "C:\\path with \\n in it"s, "a # b : c"s})
    BOOST_TEST(printable(text) == text);
}

BOOST_AUTO_TEST_CASE(what_acts_is_escaped) {
  BOOST_TEST(printable("a\nb\tc\rd"s) == "a\\nb\\tc\\rd");
  BOOST_TEST(printable("\x1b[31mred\x7f\0"s) == "\\x1b[31mred\\x7f\\x00");
  BOOST_TEST(printable("\u009b1m \u202egnp \u2028 \ufeff"s) == "\\u009b1m \\u202egnp \\u2028 \\ufeff");
  BOOST_TEST(printable("\uffff \ufffe \ufdd0 \U0001ffff"s) == "\\uffff \\ufffe \\ufdd0 \\u1ffff");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_escaped_one_by_one) {
  BOOST_TEST(printable("\xff\xc3"s) == "\\xff\\xc3");
  BOOST_TEST(printable("\xc0\xaf \xe0\x80\xaf \xed\xa0\x80"s) ==
             "\\xc0\\xaf \\xe0\\x80\\xaf \\xed\\xa0\\x80");  // overlong; a surrogate
  BOOST_TEST(printable("\xf4\x90\x80\x80"s) == "\\xf4\\x90\\x80\\x80");
  BOOST_TEST(printable("\xe2\x82"s) == "\\xe2\\x82");
}

BOOST_AUTO_TEST_CASE(no_word_is_a_command_to_a_ci_service) {
  BOOST_TEST(printable("::error::x"s) == "\\x3a:error::x");
  BOOST_TEST(printable("say ::add-mask::x"s) == "say \\x3a:add-mask::x");
  BOOST_TEST(printable("##[error]x ##teamcity[x]"s) == "\\x23#[error]x \\x23#teamcity[x]");
  BOOST_TEST(printable("std::vector # 1"s) == "std::vector # 1");
  BOOST_TEST(printable("first\n ::error::x"s, LineEnds::kept) == "first\n \\x3a:error::x");
  BOOST_TEST(printable("first\n::error::x"s, LineEnds::kept) == "first\n\\x3a:error::x");
}
