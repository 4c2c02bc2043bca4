#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/grid_sum.hpp"
#include "kernels/cg_iteration/cg_persistent.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/cg_iteration/cg_persistent.cu";
constexpr int lanes = 32;

const Setting rows{"block_y", {4, 8, 16}, 16, "rows of a block's threads, each of 32"};
constexpr int cells_of_a_column[] = {1, 2, 4, 8, 16};
const Setting column = word_setting("kept_cells", {"fewest", "1", "2", "4", "8", "16"}, "fewest",
                                    "of a column that a thread keeps; fewest: that hold the grid");

int blocks_over(const Grid& g, int block_y, int cells) {
  const auto parts = [](int n, int of) { return (n + of - 1) / of; };
  return parts(g.nx, lanes) * parts(g.ny, block_y * cells);
}

Launch launch(const CgPersistentArgs& args, int block_y, int cells, const GridSumMemory& sums) {
  return with_operator(
      args.precision, args.a, args.u.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        return Launch{.function = {source, instance<S, C, A>("cg_persistent", {block_y, cells})},
                      .blocks = {blocks_over(args.u.grid, block_y, cells)},
                      .threads = {lanes, block_y},
                      .arguments = Arguments(a, args.most, args.reduction, args.r.as<S>(), args.p.as<S>(),
                                             args.p_in_turns.as<S>(), args.u.as<S>(), args.rho,
                                             args.rho_before, args.iterations, sums),
                      .shared_bytes = 2 * cells * lanes * block_y * int(sizeof(S)),
                      .cooperative = true};
      });
}

}  // namespace

TuningSpace cg_persistent_space() { return {{rows, column}}; }

Step prepare_cg_persistent(Backend& backend, const CgPersistentArgs& args, const Config& config) {
  auto& cuda = static_cast<CudaBackend&>(backend);
  const int block_y = config.whole(rows.name);
  const std::string chosen = config.word(column.name);
  const int most_blocks = blocks_over(args.u.grid, block_y, 1);
  const Buffer words(backend, std::size_t(4 * most_blocks) * sizeof(unsigned long long)),
      round(backend, sizeof(unsigned));
  backend.set_zero(words.data(), std::size_t(4 * most_blocks) * sizeof(unsigned long long));
  backend.set_zero(round.data(), sizeof(unsigned));
  const GridSumMemory sums{static_cast<unsigned long long*>(words.data()),
                           static_cast<unsigned*>(round.data())};
  const auto with = [&](int cells) { return launch(args, block_y, cells, sums); };
  // More cells a thread, fewer blocks: fewer parts to wait for, and more for each thread to do.
  int cells = 0;
  for (const int n : cells_of_a_column) {
    if (chosen != "fewest" && chosen != std::to_string(n)) continue;
    cells = n;
    const Launch tried = with(n);
    if (chosen != "fewest" || tried.blocks.x == 1 || tried.blocks.x <= cuda.resident_blocks(tried)) break;
  }
  return cuda.prepare({.run = {with(cells)}, .memory = {words, round}});
}

}  // namespace cfdmark
