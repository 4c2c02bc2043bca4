// Cases in which every method of the kernels on meshes runs, on hosts and on the emulated device.
#pragma once

#include <algorithm>
#include <cmath>

#include "generated/mesh_kernels.hpp"
#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/generate.hpp"

namespace cfdmark {

inline std::shared_ptr<const Mesh> shared_mesh(Mesh mesh) {
  connect(mesh);
  return std::make_shared<const Mesh>(std::move(mesh));
}
// Single cells and cubes, meshes with extra nodes, and meshes of several blocks and rows of 1024 entities.
inline const std::vector<std::shared_ptr<const Mesh>>& meshes_of_kernels() {
  static const std::vector<std::shared_ptr<const Mesh>> meshes = {
      shared_mesh(triangles(1, 1, 0, 1)),     shared_mesh(triangles(7, 5, 9, 2)),
      shared_mesh(triangles(31, 23, 0, 3)),   shared_mesh(tetrahedra(1, 1, 1, 0, 4)),
      shared_mesh(tetrahedra(3, 2, 2, 5, 5)), shared_mesh(tetrahedra(6, 6, 5, 0, 6))};
  return meshes;
}

// Returns the default config, and those that differ from it in one setting that changes the code or the
// order of work.
inline std::vector<Config> mesh_configs(const TuningSpace& space) {
  std::vector<Config> configs = {space.defaults()};
  for (const Setting& setting : space.settings) {
    if (setting.name == "threads") continue;
    for (const Value& value : setting.values) {
      Config config = space.defaults();
      config.set(setting.name, value);
      if (config != configs.front()) configs.push_back(config);
    }
  }
  return configs;
}

// Calls f(kernel, method, shape, start, config) for each case of a backend: in fp64 with all configs, in the
// other precisions with the default one.
template <class F>
void for_each_mesh_case(BackendKind kind, const F& f) {
  for_each_mesh_kernel([&](const auto& kernel) {
    for (const auto& mesh : meshes_of_kernels())
      for (const Precision p : all_precisions)
        for (const VectorLayout vectors : {VectorLayout::planes, VectorLayout::packed}) {
          if (fp64_alone && p != Precision::fp64) continue;
          if (!(mesh->dims == 3 ? kernel.in_3d : kernel.in_2d)) continue;
          if (vectors == VectorLayout::packed && !kernel.has_vectors) continue;
          const MeshShape shape{mesh, p, vectors};
          const HostProblem start = kernel.start(shape);
          for (const auto& method : kernel.methods(kind))
            for (const Config& config : mesh_configs(method.space))
              if (p == Precision::fp64 || config == method.space.defaults())
                f(kernel, method, shape, start, config);
        }
  });
}

// Sets the memory before and after the values of a field to bytes that make NaN.
inline void frame(HostField& field) {
  const auto all = static_cast<char*>(field.data()), values = static_cast<char*>(field.view().origin);
  const std::size_t bytes = std::size_t(field.grid().nx) * stored_bytes(field.storage());
  std::fill(all, values, char(0xff));
  std::fill(values + bytes, all + field.bytes(), char(0xff));
}
inline bool frame_is_intact(const HostField& field) {
  const auto all = static_cast<const char*>(field.data());
  const auto values = static_cast<const char*>(field.view().origin);
  const std::size_t bytes = std::size_t(field.grid().nx) * stored_bytes(field.storage());
  const auto is_frame = [](char byte) { return byte == char(0xff); };
  return std::all_of(all, values, is_frame) && std::all_of(values + bytes, all + field.bytes(), is_frame);
}

// Fields of a problem on a backend, framed by NaN. Written fields start with NaN.
struct MeshProblemFields {
  std::vector<Field> fields;
  std::vector<AnyView> views;

  MeshProblemFields(Backend& on, const HostProblem& start) {
    for (const auto& entry : start.fields) {
      fields.emplace_back(on, entry.initial.grid(), entry.initial.storage());
      upload(fields.back(), entry.initial);
      views.push_back(fields.back().view());
    }
  }
  // Gives fields that a step updates their first values again.
  void restore_updated(const HostProblem& start) {
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (start.fields[n].is_written && !std::isnan(start.fields[n].initial.get(0, 0)))
        upload(fields[n], start.fields[n].initial);
  }
  std::vector<HostField> written(const HostProblem& start) const {
    std::vector<HostField> left;
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (start.fields[n].is_written) left.push_back(fields[n].download());
    return left;
  }

 private:
  static void upload(Field& field, HostField framed) {
    frame(framed);
    field.upload(framed);
  }
};

// Runs a method and returns why its result is wrong; empty if it is right. It runs twice: the second run
// starts from the first result, or for fields that are updated from their first values.
template <class Args>
std::string problem_of_method(Backend& on, DeviceMesh& mesh, const MeshKernelDescription<Args>& kernel,
                              const Method<Args>& method, const MeshShape& shape, const HostProblem& start,
                              const Config& config) {
  MeshProblemFields fields(on, start);
  const Step step = method.prepare(on, kernel.bind(shape, fields.views, mesh), config);
  step.run();
  fields.restore_updated(start);
  step.run();
  for (const Field& field : fields.fields)
    if (!frame_is_intact(field.download())) return "writes beyond the values of a field";
  return kernel.problem(start, shape, method.name, fields.written(start));
}

}  // namespace cfdmark
