// The common part of the rows of kernels on grids and on meshes.
#pragma once

#include <filesystem>
#include <string>

#include "bench/case/row.hpp"
#include "bench/catalog/not_built.hpp"
#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"

namespace cfdmark {

// Returns "kernels/jacobi" from a source location in that folder; "nine_point" for a kernel from outside.
inline std::string kernel_folder(SourcePlace where) {
  const std::filesystem::path folder = std::filesystem::path(where.file).parent_path();
  const std::string parent = folder.parent_path().filename().string(), name = folder.filename().string();
  return parent == "kernels" ? parent + "/" + name : name;
}

// Returns the row of a method with what does not depend on the kind of domain. `Description`: a
// KernelDescription or a MeshKernelDescription.
template <class Description, class Args>
Row row_of_method(const Description& kernel, BackendKind backend_kind, Precision p,
                  const Method<Args>& method) {
  Row row;
  row.kind = RowKind::kernel;
  row.name = kernel.name;
  row.backend = backend_kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space_in(p);
  row.source = kernel_folder(kernel.described_at);
  row.in_2d = kernel.in_2d, row.in_3d = kernel.in_3d;
  row.device_code = backend_kind == BackendKind::cuda && method.prepare && method.device_code;
  row.unavailable = unavailable_reason(backend_kind, p);
  return row;
}

}  // namespace cfdmark
