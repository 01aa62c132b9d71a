// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a finding says of its cause, and what cures it: an enumerator with typed arguments. The sentences stand in Reasons.def
/// and Cures.def and nowhere else; they are said once a report is finished, so that making a finding stays cheap. No code asks
/// what a sentence begins with, and what a program calls its Views is never looked through for marks.
#pragma once

#include "../../traces/Site.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace teamsan {

/// The user's line of an instruction: "src/rhs.hpp:52", or "src/rhs.hpp:52:7".
struct CodePlace {
  Site site{};
  bool with_column = false;
  friend bool operator==(CodePlace const&, CodePlace const&) = default;
};
/// What that line declares: "tile"; "one" where it declares nothing.
struct DeclaredThere {
  Site site{};
  friend bool operator==(DeclaredThere const&, DeclaredThere const&) = default;
};

/// What stands for {0}, {1}, ... of a sentence. A list is said without anything between its parts.
struct Argument {
  using List = std::vector<Argument>;
  std::variant<std::string, std::uint64_t, CodePlace, DeclaredThere, List> value;

  Argument(std::string text) : value(std::move(text)) {}
  Argument(char const* text) : value(std::string(text)) {}
  Argument(std::string_view text) : value(std::string(text)) {}
  template <std::integral T>
  Argument(T number) : value(static_cast<std::uint64_t>(number)) {}
  Argument(CodePlace place) : value(place) {}
  Argument(DeclaredThere name) : value(name) {}
  Argument(List list) : value(std::move(list)) {}
  friend bool operator==(Argument const&, Argument const&) = default;
};

/// The enumerators: findings/Sentences.hpp. None is Reason{}, Cure{}.
enum class Reason : std::uint8_t;
enum class Cure : std::uint8_t;

/// How a cure works, as far as it decides which findings have one cause.
enum class Way : std::uint8_t {
  other,
  barrier,        ///< puts a barrier between two lines
  single,         ///< puts a line into a single
  atomic_update,  ///< makes an update atomic
};

template <class Kind>
struct Sentence {
  Kind kind{};
  std::vector<Argument> arguments = {};
  bool empty() const { return kind == Kind{}; }
  friend bool operator==(Sentence const&, Sentence const&) = default;
};
using Because = Sentence<Reason>;
using Remedy = Sentence<Cure>;

template <class... A>
Because because(Reason reason, A&&... arguments) {
  return {reason, {Argument(std::forward<A>(arguments))...}};
}
template <class... A>
Remedy remedy(Cure cure, A&&... arguments) {
  return {cure, {Argument(std::forward<A>(arguments))...}};
}

/// "teams_unordered": for reports that programs read. An empty or unknown one is none.
std::string_view name_of(Reason reason);
std::string_view name_of(Cure cure);
Reason reason_named(std::string_view name);
Cure cure_named(std::string_view name);
Way way_of(Cure cure);

/// Knows the places that sentences name.
class Speaker {
 public:
  virtual ~Speaker() = default;
  virtual std::string place(CodePlace place) const = 0;
  virtual std::string declared(DeclaredThere name) const = 0;
  /// What stands for a name in braces: "first" and "second" are the lines of the sides, "from" and "to" those between which
  /// something can be put, "update" is the first side's update as an atomic, "updates" those of both.
  virtual std::string named(std::string_view name) const = 0;
};

std::string say(Because const& sentence, Speaker const& speaker);
std::string say(Remedy const& sentence, Speaker const& speaker);
/// Of sentences that name no place.
std::string say(Remedy const& sentence);

// As one text, for traces; a text that is none of these is a sentence as it was said.
std::string packed(Because const& sentence);
std::string packed(Remedy const& sentence);
Because unpacked_reason(std::string_view text);
Remedy unpacked_cure(std::string_view text);

}  // namespace teamsan
