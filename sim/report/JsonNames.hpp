// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The words by which the JSON report tells values of small sets from each other.
#pragma once

#include "../../model/device/Occupancy.hpp"
#include "../../model/device/WarpAccess.hpp"
#include "../findings/Finding.hpp"
#include "../findings/Traffic.hpp"
#include "Report.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace teamsan::json {

template <class T>
struct Name {
  T value;
  std::string_view word;
};

inline constexpr Name<AccessKind> access_kinds[] = {{AccessKind::none, "none"},
                                                    {AccessKind::read, "read"},
                                                    {AccessKind::write, "write"},
                                                    {AccessKind::atomic_read, "atomic_read"},
                                                    {AccessKind::atomic_write, "atomic_write"}};
inline constexpr Name<Data::Kind> data_kinds[] = {
    {Data::Kind::none, "none"},         {Data::Kind::view, "view"},
    {Data::Kind::scratch, "scratch"},   {Data::Kind::constant, "constant"},
    {Data::Kind::lane_stack, "lane_stack"}, {Data::Kind::host, "host"}};
inline constexpr Name<model::Operation> operations[] = {{model::Operation::load, "load"},
                                                        {model::Operation::store, "store"},
                                                        {model::Operation::atomic, "atomic"}};
inline constexpr Name<model::OccupancyLimit> occupancy_limits[] = {{model::OccupancyLimit::lanes, "lanes"},
                                                                   {model::OccupancyLimit::teams, "teams"},
                                                                   {model::OccupancyLimit::scratch, "scratch"},
                                                                   {model::OccupancyLimit::registers, "registers"}};
inline constexpr Name<model::CostBound> cost_bounds[] = {{model::CostBound::scratch, "scratch"},
                                                         {model::CostBound::memory, "memory"},
                                                         {model::CostBound::launches, "launches"}};
inline constexpr Name<bool> cost_units[] = {{true, "wavefronts"}, {false, "sectors"}};
inline constexpr Name<IdleCause> idle_cause_names[] = {{IdleCause::team, "team_size"},
                                                       {IdleCause::vector, "vector_length"},
                                                       {IdleCause::range, "range_end"},
                                                       {IdleCause::branch, "branch"},
                                                       {IdleCause::single, "single"}};
inline constexpr Name<LeftOut::By> left_out_by[] = {{LeftOut::By::nobody, "nobody"},
                                                   {LeftOut::By::baseline, "baseline"},
                                                   {LeftOut::By::suppression, "suppression"},
                                                   {LeftOut::By::source, "source"}};
inline constexpr Name<Severity> severities[] = {
    {Severity::info, "info"}, {Severity::warning, "warning"}, {Severity::error, "error"}};

template <class T, std::size_t n>
std::string_view word_of(Name<T> const (&names)[n], T value) {
  for (auto const& name : names)
    if (name.value == value) return name.word;
  return "";
}

template <class T, std::size_t n>
std::optional<T> value_of(Name<T> const (&names)[n], std::string_view word) {
  for (auto const& name : names)
    if (name.word == word) return name.value;
  return std::nullopt;
}

}  // namespace teamsan::json
