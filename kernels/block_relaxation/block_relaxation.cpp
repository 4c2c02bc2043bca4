#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

constexpr const char* layout_words[] = {"aos25", "aos32", "soa", "soa_block", "soa_8"};

// Sets all bytes, padding included, on all cores: matrices of 256x256x256 points are 24 GB.
void set_bytes(HostField& field, int byte) {
  constexpr std::size_t piece = 1 << 20;
  char* const bytes = static_cast<char*>(field.data());
#pragma omp parallel for schedule(static) if (field.bytes() > piece)
  for (std::size_t at = 0; at < field.bytes(); at += piece)
    std::memset(bytes + at, byte, std::min(piece, field.bytes() - at));
}

// Returns a field with noise where a kernel may read and NaN elsewhere.
HostField noise_in_nan(const Grid& g, Precision p, unsigned salt, bool with_ghosts, double scale) {
  HostField field = HostField::unset(g, p);
  set_bytes(field, 0xff);
  for_each_cell_in_parallel(
      g, with_ghosts, [&](int i, int j, int k) { field.set(i, j, k, scale * (noise(i, j, k, salt) - 1)); });
  return field;
}

void poison_points(HostField& vector, const Grid& points) {
  for (int c = 0; c < block_rows; ++c)
    for_each_cell_in_parallel(points, false, [&](int i, int j, int k) {
      vector.set(i, j, k + c * block_component_planes(points), std::nan(""));
    });
}

// Processes the fronts in order; the points of a front are independent.
void sweep_plainly(const BlockArgs& args) {
  with_form(args, [&]<class S, class C, class X>(const auto& form) {
    const auto a = block_matrices<BlockLayout::aos25, const S>(args.grid, args.matrices);
    for (const BlockFront& front : args.fronts()) {
      const auto v = block_vectors<S, X>(args, front);
#pragma omp parallel for schedule(static) if (args.grid.cells() > 10000)
      for (Index n = 0; n < front.points(); ++n) {
        const BlockPoint p = front.point(n);
        if (front.holds(p))
          sweep_block<C, block_rows>(form, a, a.at(p.i, p.j, p.k), v, v.at(p.i, p.j, p.k), 0);
      }
    }
  });
}

template <BlockSweep sweep>
BlockArgs bind(const ProblemShape& shape, const std::vector<AnyView>& f, double*) {
  return {.precision = shape.precision,
          .grid = shape.grid,
          .sweep = sweep,
          .matrices = f[0],
          .b = f[1],
          .old = f[2],
          .next = f[3],
          .w = 0.9};
}

// The ghosts of the new values count as new neighbours, so they equal the old ones.
HostProblem start(const ProblemShape& shape) {
  const Grid vectors = block_vector_grid(shape.grid);
  const Precision p = shape.precision;
  HostProblem problem;
  problem.check = "every bit against a loop over the points";
  HostField matrices = noise_in_nan(block_matrices_grid(shape.grid, BlockLayout::aos25), p, 1, false, 0.25);
  HostField next = noise_in_nan(vectors, p, 3, true, 2);
  poison_points(next, shape.grid);
  problem.fields = {{std::move(matrices), {}},
                    {noise_in_nan(vectors, p, 2, false, 2), {}},
                    {noise_in_nan(vectors, p, 3, true, 2), {}},
                    {std::move(next), true}};
  return problem;
}

template <BlockSweep sweep>
Expected expected(const HostProblem& start, const ProblemShape& shape) {
  Expected left = unchanged(start);
  sweep_plainly(bind<sweep>(shape, views_for_steps(start, left.fields), nullptr));
  return left;
}

template <BlockSweep sweep>
KernelDescription<BlockArgs> kernel(const char* name) {
  return {.name = name,
          .in_2d = false,
          .start = start,
          .expected = expected<sweep>,
          .bind = bind<sweep>,
          .cost = block_cost,
          .methods = [](BackendKind kind) { return block_methods(kind, sweep); }};
}

}  // namespace

Setting block_layout_setting(std::vector<BlockLayout> that_suit) {
  std::vector<std::string> words;
  for (BlockLayout layout : that_suit) words.push_back(layout_words[int(layout)]);
  const std::string first = words.front();
  return choice_setting("layout", std::move(words), first, "memory layout of the matrices");
}

BlockLayout block_layout_from(const std::string& word) {
  for (int n = 0; n < int(std::size(layout_words)); ++n)
    if (word == layout_words[n]) return BlockLayout(n);
  throw std::invalid_argument("unknown layout of blocks '" + word + "'");
}

std::string block_unsupported(const BlockArgs& args) {
  return args.matrices.is_box ? "it does not support boxes of larger fields" : "";
}

Cost block_cost(const BlockArgs& args) {
  const double points = double(args.grid.cells());
  const auto vector = [](const AnyView& v) { return block_rows * double(stored_bytes(v.storage)); };
  return {points * (block_entries * double(stored_bytes(args.precision)) + vector(args.b) + vector(args.old) +
                    vector(args.next)),
          points * (2 * block_entries + 3 * block_rows), points};
}

// Adds the bytes of matrix padding, which are transferred too.
Cost block_config_cost(const BlockArgs& args, const Config& config) {
  Cost cost = block_cost(args);
  if (block_layout_from(config.choice("layout")) == BlockLayout::aos32)
    cost.bytes += double(args.grid.cells()) * (32 - block_values) * block_directions *
                  double(stored_bytes(args.precision));
  return cost;
}

Methods<BlockArgs> block_methods(BackendKind kind, BlockSweep sweep) {
  switch (kind) {
    case BackendKind::serial: return block_serial(sweep);
    case BackendKind::openmp: return block_openmp(sweep);
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return block_kokkos(sweep);
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return block_cuda(sweep);
      break;
  }
  return {};
}

Step block_copy_step(Backend& backend, const BlockCopy& copy) {
  if constexpr (built_with_kokkos)
    if (backend.kind() == BackendKind::kokkos) return block_copy_kokkos(copy);
  if constexpr (built_with_cuda)
    if (backend.kind() == BackendKind::cuda) return block_copy_cuda(backend, copy);
  return block_copy_openmp(copy);
}

KernelDescription<BlockArgs> block_jacobi_kernel() { return kernel<BlockSweep::jacobi>("block_jacobi"); }
KernelDescription<BlockArgs> block_ssor_kernel() { return kernel<BlockSweep::ssor>("block_ssor"); }
KernelDescription<BlockArgs> block_revised_ssor_kernel() {
  return kernel<BlockSweep::revised_ssor>("block_revised_ssor");
}
KernelDescription<BlockArgs> block_red_black_kernel() {
  return kernel<BlockSweep::red_black>("block_red_black");
}

}  // namespace cfdmark
