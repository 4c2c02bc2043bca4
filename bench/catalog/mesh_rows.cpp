#include "bench/catalog/mesh_rows.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_row.hpp"
#include "bench/catalog/mesh_workload.hpp"
#include "bench/catalog/ranked_mesh_kernel.hpp"
#include "generated/mesh_kernels.hpp"
#include "kernels/mesh/connect.hpp"
#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

Setting vectors_setting() {
  return choice_setting("vectors", {"planes", "packed"}, "planes",
                        "components of vectors: a plane of values each, or those of an entity side by side");
}
VectorLayout vectors_of(const Config& workload) {
  return workload.has("vectors") && workload.is("vectors", "packed") ? VectorLayout::packed
                                                                     : VectorLayout::planes;
}

MeshShape shape_of(const MadeMesh& mesh, Precision p, const Config& workload) {
  return {mesh.mesh, p, vectors_of(workload)};
}

template <class Args>
std::shared_ptr<KernelFields> fields_for(const MeshKernelDescription<Args>& kernel, const MeshShape& shape,
                                         const Domain& domain, const Config& workload, Backend& on) {
  const Precision storage = storage_of(shape.precision);
  const std::string key =
      fmt::format("kernel {} {} {} {}", kernel.name, to_string(storage), domain.text(), workload.text());
  return fields_for_case(on, storage, key, [&] {
    return keep_problem(key, [&] {
      return KernelProblem(kernel.start(shape),
                           [kernel, shape](const HostProblem& start, const ProblemShape& of) {
                             MeshShape here = shape;
                             here.precision = of.precision;
                             return kernel.expected(start, here);
                           });
    });
  });
}

// Prepares a method on a small mesh: its device code does not depend on the size. The mesh is not a case's,
// which is kept for the cases that follow.
template <class Args>
void prepare_code(const MeshKernelDescription<Args>& kernel, const Method<Args>& method, Precision p,
                  Backend& offline, const MeshRef& like, const Config& config, const Config& workload) {
  Mesh small = like.dims == 2 ? triangles(2, 2, 0, 1) : tetrahedra(2, 2, 2, 0, 1);
  connect(small);
  const MeshShape shape{std::make_shared<const Mesh>(std::move(small)), p, vectors_of(workload)};
  DeviceMesh lists(offline, shape.mesh);
  std::vector<AnyView> nothing;
  for (const auto& entry : kernel.start(shape).fields)
    nothing.emplace_back(nullptr, entry.initial.grid(), entry.initial.storage());
  method.prepare(offline, kernel.bind(shape, nothing, lists), config);
}

template <class Args>
Row row_on_ranks(const MeshKernelDescription<Args>& kernel, Precision p, const Row& of_one,
                 const RankSetup& setup) {
  Row row = mesh_row_on_ranks(of_one, setup);
  row.prepare = [kernel, p, setup](Backend& on, const Domain& domain, const Config& config,
                                   const Config& workload) {
    if (process_rank())
      throw std::invalid_argument("kernels on meshes run on ranks that are threads; remove join=mpi");
    auto mesh = case_mesh(domain.mesh(), numbering_of(workload));
    const MeshShape shape = shape_of(*mesh, p, workload);
    return RankedMeshWorkload::prepared(on, kernel, setup, std::move(mesh), shape, config,
                                        fields_for(kernel, shape, domain, workload, on));
  };
  return row;
}

template <class Args>
Row mesh_row(const MeshKernelDescription<Args>& kernel, BackendKind backend_kind, Precision p,
             const Method<Args>& method) {
  Row row = row_of_method(kernel, backend_kind, p, method);
  row.workload_settings = {numbering_setting()};
  if (kernel.has_vectors) row.workload_settings.push_back(vectors_setting());
  row.runs_on = DomainKind::mesh;
  row.unsupported = [](const Domain&, const Config& workload) {
    return not_built_reason(numbering_of(workload));
  };
  row.field_bytes = [kernel, p](const Domain& domain, const Config& workload) {
    return list_bytes(domain.mesh()) +
           kernel.field_bytes(counts_of(domain.mesh()), domain.dims(), p, vectors_of(workload));
  };
  row.host_bytes = [kernel, p](const Domain& domain, const Config& workload) {
    // The initial fields, and the expected ones.
    return mesh_bytes(domain.mesh()) +
           2 * kernel.field_bytes(counts_of(domain.mesh()), domain.dims(), p, vectors_of(workload));
  };
  if (row.device_code)
    row.prepare_code = [kernel, p, method](Backend& offline, const Domain& domain, const Config& config,
                                           const Config& workload) {
      prepare_code(kernel, method, p, offline, domain.mesh(), config, workload);
    };
  row.prepare = [kernel, p, method](Backend& on, const Domain& domain, const Config& config,
                                    const Config& workload) {
    auto mesh = case_mesh(domain.mesh(), numbering_of(workload));
    const MeshShape shape = shape_of(*mesh, p, workload);
    auto fields = fields_for(kernel, shape, domain, workload, on);
    return std::make_unique<MeshWorkload<Args>>(kernel, method, on, std::move(mesh), shape, config,
                                                std::move(fields));
  };
  if ((backend_kind == BackendKind::serial || backend_kind == BackendKind::cuda) && method.name == "plain")
    row.on_ranks = [kernel, p, row](const RankSetup& setup) { return row_on_ranks(kernel, p, row, setup); };
  return row;
}

}  // namespace

void add_mesh_rows(std::vector<Row>& rows) {
  for_each_mesh_kernel([&]<class Args>(const MeshKernelDescription<Args>& kernel) {
    const Methods<Args> none = {{"plain", {}, nullptr}};
    for (const BackendKind b : all_backends) {
      const Methods<Args> methods = kernel.methods(b);
      for (const Precision p : all_precisions)
        for (const auto& method : is_not_built(methods, b, p) ? none : methods)
          rows.push_back(mesh_row(kernel, b, p, method));
    }
  });
}

}  // namespace cfdmark
