// Prepares kernels of a staggered grid on a flow. They have more fields in 3-D than in 2-D.
#pragma once

#include <stdexcept>
#include <vector>

#include "solvers/flow/block_shape.hpp"
#include "solvers/flow/flow_system.hpp"

namespace cfdmark {

// Returns the lists concatenated.
inline std::vector<AnyView> joined_views(std::initializer_list<std::vector<AnyView>> lists) {
  std::vector<AnyView> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}
inline std::vector<AnyView> views_of(const std::vector<Field>& fields) {
  std::vector<AnyView> views;
  for (const Field& field : fields) views.push_back(field.view());
  return views;
}
inline std::vector<AnyView> velocity_views(FlowSystem& flow) {
  std::vector<AnyView> views;
  for (const Field* velocity : flow.velocities()) views.push_back(velocity->view());
  return views;
}

class StaggeredSweeps {
 public:
  // Takes the number of threads and the block shape from the config.
  StaggeredSweeps(const FlowSystem& flow, const Config& config)
      : system_(flow.poisson_system()), config_(config) {}

  // Prepares a kernel on views in the order of its fields. `result`: output of a reduction.
  template <class K>
  Operation sweep(const char* routine, const K& kernel, const std::vector<AnyView>& views,
                  double* result = nullptr) const {
    if (int(views.size()) != field_count<K>)
      throw std::logic_error(K::description().name + " got the wrong number of fields");
    auto next = views.begin();
    const CellArgs<K> args{system_.precision, kernel,
                           mapped<K, AnyViews>(K::names, [&](const auto&) { return *next++; }), result};
    const auto methods = CellKernel<K>::methods(system_.backend->kind());
    const auto method = default_method(methods, args);
    return prepare(system_, routine, method, args, blocks_for(method.space, config_));
  }
  // Prepares the 2-D or the 3-D kernel, which share their parameters.
  template <class In2d, class In3d, class Parameters>
  Operation sweep(const char* routine, const Parameters& parameters,
                  const std::vector<AnyView>& views) const {
    return system_.grid().is_3d() ? sweep(routine, In3d{parameters}, views)
                                  : sweep(routine, In2d{parameters}, views);
  }

 private:
  System system_;
  Config config_;
};

}  // namespace cfdmark
