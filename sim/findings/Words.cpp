// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sentences.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace teamsan {
namespace {

struct Entry {
  std::string_view name, text;
  Way way = Way::other;
};

constexpr Entry reasons[] = {
#define TEAMSAN_REASON(name, text) {#name, text},
#include "Reasons.def"
#undef TEAMSAN_REASON
};
constexpr Entry cures[] = {
#define TEAMSAN_CURE(name, way, text) {#name, text, Way::way},
#include "Cures.def"
#undef TEAMSAN_CURE
};

Entry const& entry_of(Reason kind) { return reasons[static_cast<std::size_t>(kind)]; }
Entry const& entry_of(Cure kind) { return cures[static_cast<std::size_t>(kind)]; }

template <class Kind, std::size_t n>
Kind kind_named(Entry const (&all)[n], std::string_view name) {
  for (std::size_t i = 0; i != n; ++i)
    if (all[i].name == name) return static_cast<Kind>(i);
  return Kind{};
}

std::string text_of(Argument const& argument, Speaker const& speaker) {
  struct Visitor {
    Speaker const& speaker;
    std::string operator()(std::string const& text) const { return text; }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(CodePlace place) const { return speaker.place(place); }
    std::string operator()(DeclaredThere name) const { return speaker.declared(name); }
    std::string operator()(Argument::List const& list) const {
      std::string all;
      for (Argument const& one : list) all += text_of(one, speaker);
      return all;
    }
  };
  return std::visit(Visitor{speaker}, argument.value);
}

template <class Kind>
std::string said(Sentence<Kind> const& sentence, Speaker const& speaker) {
  std::string result;
  std::string_view rest = entry_of(sentence.kind).text;
  for (std::size_t open; (open = rest.find('{')) != rest.npos;) {
    std::size_t const close = rest.find('}', open);
    result += rest.substr(0, open);
    std::string_view const name = rest.substr(open + 1, close - open - 1);
    rest.remove_prefix(close + 1);
    std::size_t number = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc())
      result += speaker.named(name);
    else if (number < sentence.arguments.size())
      result += text_of(sentence.arguments[number], speaker);
  }
  return result.append(rest);
}

class Mute : public Speaker {
  std::string place(CodePlace) const override { return "unknown place"; }
  std::string declared(DeclaredThere) const override { return "one"; }
  std::string named(std::string_view) const override { return {}; }
};

constexpr char begin = '\x1e', end_of_part = '\x1f';

void pack(std::string& text, Argument const& argument) {
  struct Visitor {
    std::string& text;
    void operator()(std::string const& words) const { part('t', words); }
    void operator()(std::uint64_t number) const { part('n', std::to_string(number)); }
    void operator()(CodePlace place) const { part(place.with_column ? 'c' : 'p', std::to_string(number_of(place.site))); }
    void operator()(DeclaredThere name) const { part('d', std::to_string(number_of(name.site))); }
    void operator()(Argument::List const& list) const {
      part('l', std::to_string(list.size()));
      for (Argument const& one : list) pack(text, one);
    }
    void part(char tag, std::string_view words) const { text.append(1, tag).append(words).append(1, end_of_part); }
  };
  std::visit(Visitor{text}, argument.value);
}

std::string_view next_part(std::string_view& text) {
  std::size_t const at = std::min(text.find(end_of_part), text.size());
  std::string_view const part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

Argument unpack(std::string_view& text) {
  std::string_view part = next_part(text);
  char const tag = part.empty() ? 't' : part.front();
  if (!part.empty()) part.remove_prefix(1);
  std::uint64_t number = 0;
  std::from_chars(part.data(), part.data() + part.size(), number);
  switch (tag) {
    case 'n':
      return number;
    case 'c':
    case 'p':
      return CodePlace{static_cast<Site>(static_cast<std::uint32_t>(number)), tag == 'c'};
    case 'd':
      return DeclaredThere{static_cast<Site>(static_cast<std::uint32_t>(number))};
    case 'l': {
      Argument::List list;
      while (number-- != 0 && !text.empty()) list.push_back(unpack(text));
      return list;
    }
    default:
      return part;
  }
}

template <class Kind>
std::string packed_text(Sentence<Kind> const& sentence) {
  if (sentence.empty()) return {};
  std::string text(1, begin);
  text.append(entry_of(sentence.kind).name).append(1, end_of_part);
  for (Argument const& argument : sentence.arguments) pack(text, argument);
  return text;
}

template <class Kind>
Sentence<Kind> unpacked(std::string_view text, Kind (*named)(std::string_view)) {
  if (text.empty()) return {};
  if (text.front() != begin) return {Kind::as_said, {text}};
  text.remove_prefix(1);
  Sentence<Kind> sentence{named(next_part(text))};
  while (!text.empty()) sentence.arguments.push_back(unpack(text));
  return sentence;
}

}  // namespace

std::string_view name_of(Reason reason) { return entry_of(reason).name; }
std::string_view name_of(Cure cure) { return entry_of(cure).name; }
Reason reason_named(std::string_view name) { return kind_named<Reason>(reasons, name); }
Cure cure_named(std::string_view name) { return kind_named<Cure>(cures, name); }
Way way_of(Cure cure) { return entry_of(cure).way; }

std::string say(Because const& sentence, Speaker const& speaker) { return said(sentence, speaker); }
std::string say(Remedy const& sentence, Speaker const& speaker) { return said(sentence, speaker); }
std::string say(Remedy const& sentence) { return said(sentence, Mute()); }

std::string packed(Because const& sentence) { return packed_text(sentence); }
std::string packed(Remedy const& sentence) { return packed_text(sentence); }
Because unpacked_reason(std::string_view text) { return unpacked<Reason>(text, reason_named); }
Remedy unpacked_cure(std::string_view text) { return unpacked<Cure>(text, cure_named); }

}  // namespace teamsan
