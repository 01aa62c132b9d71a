// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The main program of each unit test, compiled once.
#define BOOST_TEST_MODULE unit
#include <boost/test/unit_test.hpp>
