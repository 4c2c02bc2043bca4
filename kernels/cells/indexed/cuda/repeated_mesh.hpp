// CUDA's `repeated` on meshes: the launch of `plain` several times, singly or as one graph. It shows what
// launches cost on small meshes. Results do not depend on earlier ones, so all steps give the same.
#pragma once

#include "kernels/cells/indexed/cuda/mesh_cuda.hpp"
#include "kernels/device/cuda/plan/launch_mode.hpp"

namespace cfdmark {

template <class K>
inline constexpr bool can_repeat =
    !scatters<K> && !at_boundary_only<K> &&
    mesh_fields_with<K>([](MeshRole r, int) { return r == MeshRole::in_out; }) == 0;

template <class K>
Plan repeated_entities(Backend& backend, const MeshArgs<K>& args, const Config& config) {
  const Plan one = entities_plain<K>(backend, args, config);
  Plan plan;
  for (int n = 0; n < config.integer("sweeps"); ++n)
    plan.run.insert(plan.run.end(), one.run.begin(), one.run.end());
  return plan;
}

template <class K>
Step prepare_repeated_entities(Backend& backend, const MeshArgs<K>& args, const Config& config) {
  return in_launch_mode(backend, prepare_cuda<repeated_entities<K>>(backend, args, config), config,
                        config.integer("sweeps"));
}

template <class K>
Method<MeshArgs<K>> repeated_mesh_method() {
  std::vector<Setting> settings = group_settings<K>();
  settings.push_back({"sweeps", {}, 10, "steps per run"});
  settings.push_back(launch_mode_setting());
  TuningSpace space{std::move(settings)};
  space.require(group_problem);
  return {.name = "repeated",
          .space = std::move(space),
          .prepare = prepare_repeated_entities<K>,
          .for_solvers = false,
          .steps = "sweeps"};
}

}  // namespace cfdmark
