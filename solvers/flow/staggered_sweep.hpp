// Prepares kernels of a staggered grid on a flow. They have more fields in 3-D than in 2-D.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/flow/block_shape.hpp"
#include "solvers/flow/flow_system.hpp"

namespace cfdmark {

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

// A view with the name of a kernel's field (K::names), or a view per axis with the names of several fields.
// In the latter * stands for u, v and w: R(*) names R(u), R(v) and in 3-D R(w).
struct NamedViews {
  std::string name;
  std::vector<AnyView> views;

  NamedViews(std::string field, const AnyView& view) : name(std::move(field)), views{view} {}
  NamedViews(std::string fields, std::vector<AnyView> of_axes)
      : name(std::move(fields)), views(std::move(of_axes)) {}
};

// Returns each view by the name of its field.
inline std::map<std::string, AnyView> views_by_name(const std::vector<NamedViews>& all) {
  std::map<std::string, AnyView> views;
  for (const NamedViews& of : all) {
    const std::size_t star = of.name.find('*');
    for (std::size_t axis = 0; axis < of.views.size(); ++axis) {
      std::string name = of.name;
      if (star != std::string::npos) name[star] = "uvw"[axis];
      if (!views.emplace(name, of.views[axis]).second) throw std::logic_error("two views are named " + name);
    }
  }
  return views;
}

// Returns a kernel's fields. Throws std::logic_error unless there is one view for each, and no other.
template <class K>
typename K::template Fields<AnyViews> fields_by_name(const std::vector<NamedViews>& all) {
  std::map<std::string, AnyView> views = views_by_name(all);
  const auto fields = mapped<K, AnyViews>(K::names, [&](const auto& name) {
    const auto found = views.extract(name.text);
    if (!found) throw std::logic_error(K::description().name + ": no view for field " + name.text);
    return found.mapped();
  });
  if (!views.empty()) throw std::logic_error(K::description().name + " has no field " + views.begin()->first);
  return fields;
}

class StaggeredSweeps {
 public:
  // Takes the number of threads and the block shape from the config.
  StaggeredSweeps(const FlowSystem& flow, const Config& config)
      : system_(flow.poisson_system()), config_(config) {}

  // Prepares a kernel. `result`: output of a reduction.
  template <class K>
  Operation sweep(const char* routine, const K& kernel, const typename K::template Fields<AnyViews>& fields,
                  double* result = nullptr) const {
    const CellArgs<K> args{
        .precision = system_.precision, .kernel = kernel, .fields = fields, .result = result};
    if constexpr (is_reduction<K>)
      if (system_.ranks) return Operations(system_, config_).sweep(routine, args);
    const auto methods = CellKernel<K>::methods(system_.backend->kind());
    const auto method = default_method(methods, args);
    return prepare(system_, routine, method, args, blocks_for(method.space, config_));
  }
  // Prepares the 2-D or the 3-D kernel, which share their parameters.
  template <class In2d, class In3d, class Parameters>
  Operation sweep(const char* routine, const Parameters& parameters,
                  const std::vector<NamedViews>& views) const {
    return system_.grid().is_3d() ? sweep(routine, In3d{parameters}, fields_by_name<In3d>(views))
                                  : sweep(routine, In2d{parameters}, fields_by_name<In2d>(views));
  }

 private:
  System system_;
  Config config_;
};

}  // namespace cfdmark
