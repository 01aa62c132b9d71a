// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hands a record of a trace to whoever has something to do for its kind. A visitor is anything with an overload of
/// operator() for each kind of record that it wants; the others are not decoded.
#pragma once

#include "TraceFile.hpp"
#include "TraceRecords.hpp"

namespace teamsan::traces {

/// A visitor made of lambdas, one a kind.
template <class... F>
struct Overloads : F... {
  using F::operator()...;
};
template <class... F>
Overloads(F...) -> Overloads<F...>;

template <class Visitor, class Record>
concept Visits = requires(Visitor& visitor, Record const& record) { visitor(record); };

/// False: the visitor does not want such a record, or it is one of a later version. Throws TraceError for bytes that are none.
template <class Visitor>
bool visit(TraceRecord const& record, Visitor&& visitor) {
  switch (static_cast<RecordTag>(record.tag)) {
    case RecordTag::end:
      return false;
#define TEAMSAN_RECORD(Record, name, number)            \
  case RecordTag::name:                                 \
    if constexpr (Visits<Visitor, Record>) {            \
      visitor(decode<Record>(record.bytes));            \
      return true;                                      \
    } else {                                            \
      return false;                                     \
    }
#include "Records.def"
  }
  return false;
}

}  // namespace teamsan::traces
