// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plug-in's door to GCC. It serves the very compiler whose headers it was built with: plugin_default_version_check
/// compares date stamp and configuration, not the version alone.
#include "Atomics.hpp"
#include "Marks.hpp"

#include <ggc.h>

extern "C" int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;

namespace {

using namespace teamsan_plugin;

tree no_handler(tree*, tree, tree, int, bool*) { return NULL_TREE; }
attribute_spec const marks[] = {{plain_root, 0, 0, true, false, false, false, no_handler, nullptr},
                                {blocks_root, 0, 0, true, false, false, false, no_handler, nullptr},
                                {flat_root, 0, 0, true, false, false, false, no_handler, nullptr},
                                {steps_root, 0, 0, true, false, false, false, no_handler, nullptr},
                                {of_lanes, 0, 0, true, false, false, false, no_handler, nullptr}};
void register_marks(void*, void*) {
  for (attribute_spec const& m : marks) register_attribute(&m);
}

ggc_root_tab const kept[] = {
    {runtime_function, runtime_functions, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

}  // namespace

extern "C" int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    std::fprintf(stderr, "teamsan: this plug-in was built for another GCC than %s\n", version->basever);
    return 1;
  }
  register_callback(info->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(kept));
  register_callback(info->base_name, PLUGIN_ATTRIBUTES, register_marks, nullptr);
  register_pass_info bodies = {make_two_bodies(g), "build_ssa_passes", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &bodies);
  register_pass_info arrays = {make_own_arrays(g), "einline", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &arrays);
  register_pass_info calls = {make_virtual_calls(g), "einline", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &calls);
  register_pass_info gone = {make_gone(g), "einline", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &gone);
  register_pass_info waits = {make_waits(g), "tsan", 0, PASS_POS_INSERT_BEFORE};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &waits);
  for (bool const optimised : {true, false}) {
    register_pass_info values = {make_struct_values(g, optimised), optimised ? "tsan" : "tsan0", 0, PASS_POS_INSERT_BEFORE};
    register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &values);
  }
  register_pass_info accesses = {make_lane_accesses(g), "tsan", 0, PASS_POS_INSERT_BEFORE};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &accesses);
#ifdef TEAMSAN_CHECKS_IN_LINE
  register_pass_info checks = {make_checks(g), "tsan", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &checks);
  register_pass_info of_teams = {make_team_checks(g), "tsan", 1, PASS_POS_INSERT_AFTER};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &of_teams);
#endif
  return 0;
}
