// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a row of a recording to what the models take.
#pragma once

#include "../model/device/WarpAccess.hpp"
#include "HardwareCsv.hpp"

namespace teamsan::traces {

/// By the name of the operation: "atom_cas_u32", "atom_exch_u32", "atom_add_f64"; all else is an integer's.
inline model::AtomicKind atomic_kind(std::string_view op) {
  std::string_view const type = op.substr(op.rfind('_') + 1);
  if (op.find("cas") != op.npos) return model::AtomicKind::compare_exchange;
  if (op.find("exch") != op.npos) return model::AtomicKind::exchange;
  return type.starts_with('f') ? model::AtomicKind::floating_add : model::AtomicKind::integer_add;
}

inline model::Operation operation_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return model::Operation::load;
    case AccessKind::store:
      return model::Operation::store;
    case AccessKind::atomic:
      return model::Operation::atomic;
  }
  return model::Operation::load;
}

/// The row must outlive the access.
inline model::WarpAccess warp_access(HardwareRow const& row) {
  return {operation_of(row.kind), row.bytes_per_lane, row.active, row.addresses, atomic_kind(row.op)};
}

}  // namespace teamsan::traces
