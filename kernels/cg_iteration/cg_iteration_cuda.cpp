#include <algorithm>
#include <stdexcept>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/cg_iteration/cg_iteration_bricks.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/device/cuda/primitives/device_reduction.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/cg_iteration/cg_iteration.cu";

// Launch shape of either pass.
struct Shape {
  Extent threads;
  int cells;
  int blocks;
  int run = 0;  // tiles of a block in bricks; 0: blocks share all tiles

  Shape(const Grid& g, const Config& config) : threads(block_of(config)), cells(config.integer("cells")) {
    const Extent tiles = blocks_over(g, threads, column_of(cells, g));
    blocks = int(std::min<Index>(config.integer("blocks"), Index(tiles.x) * tiles.y * tiles.z));
  }
};

template <class S, class C, class A>
Launch launch(const char* name, int dims, const CgIterationArgs& args, const Shape& shape,
              const Arguments& arguments) {
  const Extent t = shape.threads;
  return {{source, instance<S, C, A>(name, {dims, args.keeps_product(), t.x, t.y, shape.cells, shape.run})},
          {shape.blocks},
          t,
          arguments};
}

// Returns the launch of a pass. result: as store_sum() of the device code says.
Launch pass(const CgIterationArgs& args, const Shape& shape, const BlockResults& of_blocks, double* result) {
  const AnyView& q = args.keeps_product() ? args.q : args.p;
  const bool reads_operator = args.pass == CgPass::direction || !args.keeps_product();
  return with_operator(args.precision, reads_operator ? args.a : Operator{}, args.grid,
                       [&]<class S, class C, int dims, class A>(const A& a) {
                         const auto p = args.p.as<S>(), r = args.r.as<S>();
                         const auto p_read = args.p.as<const S>(), r_read = args.r.as<const S>();
                         return args.pass == CgPass::direction
                                    ? launch<S, C, A>(
                                          "cg_direction", dims, args, shape,
                                          Arguments(a, args.factor, r_read, args.p_before.as<const S>(), p,
                                                    q.as<S>(), of_blocks, result))
                                    : launch<S, C, A>("cg_update", dims, args, shape,
                                                      Arguments(a, args.factor, p_read, q.as<const S>(),
                                                                args.u.as<S>(), r, of_blocks, result));
                       });
}

// Returns a plan with one launch; the last block to arrive reduces the results of all.
Plan column(Backend& backend, const CgIterationArgs& args, const Config& config) {
  const Shape shape(args.grid, config);
  const BlockResultsMemory results(backend, shape.blocks);
  return {.run = {pass(args, shape, results.view(), args.result)}, .memory = results.buffers()};
}

// Few blocks with many tiles each are faster than a tile per block, since every block must wait for its
// result to be counted.
TuningSpace space(int cells) {
  return reducing_block_space(
      {{"cells", {2, 4, 8}, cells, "cells of a column per thread"},
       {"blocks", {512, 1024, 2048, 4096, 8192}, 4096, "maximum number of blocks, which share the tiles"}});
}

}  // namespace

BrickParts cg_iteration_bricks(const CgIterationArgs& args, const Config& config) {
  if (!built_with_cuda) throw std::logic_error("this program has no reductions on cuda");
  constexpr int joining = 1024, cells_of_a_thread = 32;
  Shape shape(args.grid, config);
  shape.threads = {shape.threads.x * shape.threads.y * shape.threads.z, 1, 1};
  shape.cells = std::min(shape.cells, rows_of_a_brick);
  shape.run = cells_of_a_thread / shape.cells;
  const int across = (args.grid.nx + shape.threads.x - 1) / shape.threads.x;
  const int bricks = (args.grid.ny + rows_of_a_brick - 1) / rows_of_a_brick;
  BrickParts made;
  made.results_of_a_brick = rows_of_a_brick / shape.cells * ((across + shape.run - 1) / shape.run);
  shape.blocks = bricks * made.results_of_a_brick;
  made.reduce = [args, shape](double* numbers) { return pass(args, shape, {}, numbers); };
  made.join = [](const double* numbers, int count, double* result) {
    return Launch{
        {source, instance<>("join_sums", {joining})}, {1}, {joining}, Arguments(numbers, count, result)};
  };
  return made;
}

// Where p is recomputed at every neighbour, longer columns recompute less.
Methods<CgIterationArgs> cg_iteration_cuda(CgPass pass, bool constant_operator) {
  const bool recomputes = pass == CgPass::direction && constant_operator;
  return {{"column", space(recomputes ? 8 : 4), prepare_cuda<column>}};
}

}  // namespace cfdmark
