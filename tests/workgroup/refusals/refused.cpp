// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses of the vocabulary that do not compile; the sentence that says why stands behind each.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/workgroup.hpp>
#include <teamsan/native/Checkpoint.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;
using Twice = teamsan::workgroup_layout<teamsan::variable<"tile", float[8]>, unsigned, unsigned,
                                        teamsan::variable<"tile", int>>;

struct OtherMember {
  struct execution_space {
    using memory_space = void;  // a GPU's of its own
  };
};

int main() {
  std::size_t bytes = Twice::bytes;  // REFUSED: workgroup_layout: two variables have the same name
  teamsan::warp_items<float, 4, Member, 24> items;  // REFUSED: warp_items: LANES is the policy's vector length, a power of two
  teamsan::warp_items<float, 0, Member> none;  // REFUSED: warp_items: a lane has one item at least
  double value = 0, *pointer = &value;
  teamsan::checkpoint("energy", pointer);  // REFUSED: teamsan::checkpoint: a pointer has no extent: give a View
  teamsan::checkpoint("value", value);
  teamsan::checkpoint("all", std::vector<double>(3));  // REFUSED: teamsan::checkpoint: a checkpoint is of a Kokkos::View
  teamsan::warp_barrier(OtherMember());  // REFUSED: warp operations are for CUDA, HIP, the host's backends and the simulated
  (void)bytes, (void)items, (void)none;
}
