#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/cg_iteration/cg_persistent.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/grid_sum.hpp"
#include "kernels/device/cuda/runtime/cuda_limits.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {
namespace {

constexpr int lanes = 32;

constexpr int usual_rows = 16;
const Setting rows{"block_y", {4, 8, 16}, usual_rows, "rows of threads per block, of 32 each"};
constexpr int most_cells = 16, cells_of_a_column[] = {1, 2, 4, 8, most_cells};
const Setting column = choice_setting("kept_cells", {"fewest", "1", "2", "4", "8", "16"}, "fewest",
                                      "cells of a column per thread; fewest: the smallest number that holds "
                                      "the grid, with one block per multiprocessor if possible");

const Setting sums_setting =
    choice_setting("sums", {"two", "one"}, "two",
                   "grid-wide sums per iteration: two as in the textbook, or one after "
                   "Chronopoulos and Gear, whose residual departs from the true "
                   "one somewhat sooner");

int blocks_over(const Grid& g, int block_y, int cells) {
  const auto parts = [](int n, int of) { return (n + of - 1) / of; };
  return parts(g.nx, lanes) * parts(g.ny, block_y * cells);
}

int shared_bytes(Precision stored, int block_y, int cells) {
  return 3 * cells * lanes * block_y * int(stored_bytes(stored));
}

// State shared by the launches of a solve and kept between them.
struct CgPersistentMemory {
  GridSumMemory sums;
  FlaggedValue* rims;
  AnyView q;          // A p, for one sum per iteration
  double* curvature;  // p . A p, for one sum per iteration
};

Launch launch(const CgPersistentArgs& args, int block_y, int cells, bool one_sum,
              const CgPersistentMemory& shared) {
  return with_operator(
      args.precision, args.a, args.u.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        const View<S> r = args.r.as<S>(), p = args.p.as<S>(), u = args.u.as<S>();
        const auto with = [&](const char* source, const char* name, Arguments arguments) {
          return Launch{.function = {source, instance<S, C, A>(name, {block_y, cells})},
                        .blocks = {blocks_over(args.u.grid, block_y, cells)},
                        .threads = {lanes, block_y},
                        .arguments = std::move(arguments),
                        .shared_bytes = shared_bytes(args.precision, block_y, cells),
                        .cooperative = true};
        };
        if (!one_sum)
          return with("kernels/cg_iteration/cg_persistent.cu", "cg_persistent",
                      Arguments(a, args.most, args.reduction, r, p, u, shared.rims, args.rho, args.rho_before,
                                args.iterations, shared.sums));
        return with("kernels/cg_iteration/cg_persistent_one_sum.cu", "cg_persistent_one_sum",
                    Arguments(a, args.most, args.reduction, r, p, shared.q.as<S>(), u, shared.rims, args.rho,
                              args.rho_before, shared.curvature, args.iterations, shared.sums));
      });
}

}  // namespace

TuningSpace cg_persistent_space() { return {{rows, column, sums_setting}}; }

bool prefers_cg_persistent(const Grid& grid, Precision precision) {
  const CudaLimits& limits = cuda_limits();
  return std::any_of(std::begin(cells_of_a_column), std::end(cells_of_a_column), [&](int cells) {
    return blocks_over(grid, usual_rows, cells) <= limits.multiprocessors &&
           shared_bytes(precision, usual_rows, cells) <= limits.shared_bytes;
  });
}

Step prepare_cg_persistent(Backend& backend, const CgPersistentArgs& args, const Config& config) {
  auto& cuda = static_cast<CudaBackend&>(backend);
  const int block_y = config.integer(rows.name);
  const std::string chosen = config.choice(column.name);
  const bool one_sum = config.is(sums_setting.name, "one");
  const auto with = [&](int cells, const CgPersistentMemory& shared) {
    return launch(args, block_y, cells, one_sum, shared);
  };
  // More cells per thread mean fewer blocks: fewer partial sums, but more work per thread. One block per
  // multiprocessor is preferred, since two cost more than doubling the cells.
  const auto fewest_cells = [&] {
    int resident = 0;  // fewest cells with which all blocks are resident
    for (const int n : cells_of_a_column) {
      const Launch tried = with(n, {});
      if (tried.blocks.x > 1 && tried.blocks.x > cuda.resident_blocks(tried)) continue;
      if (tried.blocks.x <= cuda_limits().multiprocessors) return n;
      if (resident == 0) resident = n;
    }
    return resident > 0 ? resident : most_cells;  // does not fit; the backend throws
  };
  const int cells = chosen == "fewest" ? fewest_cells() : std::stoi(chosen);

  Plan plan;
  const auto zeros = [&]<class T>(T*& at, std::size_t count) {
    const Buffer buffer(backend, count * sizeof(T));
    backend.set_zero(buffer.data(), count * sizeof(T));
    plan.memory.push_back(buffer);
    at = static_cast<T*>(buffer.data());
  };
  const auto blocks = std::size_t(blocks_over(args.u.grid, block_y, cells));
  CgPersistentMemory shared{};
  zeros(shared.sums.parts, 2 * (one_sum ? 2 : 1) * blocks);
  zeros(shared.sums.round, 1);
  zeros(shared.rims, 2 * blocks * std::size_t(2 * (lanes + block_y * cells)));
  if (one_sum) {
    zeros(shared.curvature, 1);
    const Field q(backend, args.u.grid, args.precision);
    shared.q = q.view();
    plan.memory.push_back(q.buffer());
  }
  plan.run = {with(cells, shared)};
  return cuda.prepare(std::move(plan));
}

}  // namespace cfdmark
