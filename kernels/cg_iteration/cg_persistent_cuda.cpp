#include <utility>

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/field.hpp"
#include "kernels/backends/grid_sum.hpp"
#include "kernels/cg_iteration/cg_persistent.hpp"

namespace cfdmark {
namespace {

constexpr int lanes = 32;

const Setting rows{"block_y", {4, 8, 16}, 16, "rows of a block's threads, each of 32"};
constexpr int cells_of_a_column[] = {1, 2, 4, 8, 16};
const Setting column = word_setting("kept_cells", {"fewest", "1", "2", "4", "8", "16"}, "fewest",
                                    "of a column that a thread keeps; fewest: that hold the grid");

const Setting sums_setting = word_setting("sums", {"two", "one"}, "two",
                                          "over the grid an iteration, for which all blocks wait: the "
                                          "textbook's, or those of Chronopoulos and Gear, "
                                          "whose residual drifts off the true one somewhat sooner");

int blocks_over(const Grid& g, int block_y, int cells) {
  const auto parts = [](int n, int of) { return (n + of - 1) / of; };
  return parts(g.nx, lanes) * parts(g.ny, block_y * cells);
}

// What the launches of a solve share, between them too.
struct CgPersistentMemory {
  GridSumMemory sums;
  AnyView rims[2];       // of one sum an iteration
  double* alpha_before;  // likewise
};

Launch launch(const CgPersistentArgs& args, int block_y, int cells, bool one_sum,
              const CgPersistentMemory& shared) {
  return with_operator(
      args.precision, args.a, args.u.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        const View<S> r = args.r.as<S>(), p = args.p.as<S>(), other = args.p_in_turns.as<S>(),
                      u = args.u.as<S>();
        const auto with = [&](const char* source, const char* name, Arguments arguments) {
          return Launch{.function = {source, instance<S, C, A>(name, {block_y, cells})},
                        .blocks = {blocks_over(args.u.grid, block_y, cells)},
                        .threads = {lanes, block_y},
                        .arguments = std::move(arguments),
                        .shared_bytes = 3 * cells * lanes * block_y * int(sizeof(S)),
                        .cooperative = true};
        };
        if (!one_sum)
          return with("kernels/cg_iteration/cg_persistent.cu", "cg_persistent",
                      Arguments(a, args.most, args.reduction, r, p, other, u, args.rho, args.rho_before,
                                args.iterations, shared.sums));
        return with("kernels/cg_iteration/cg_persistent_one_sum.cu", "cg_persistent_one_sum",
                    Arguments(a, args.most, args.reduction, r, p, other, u, shared.rims[0].as<S>(),
                              shared.rims[1].as<S>(), args.rho, args.rho_before, shared.alpha_before,
                              args.iterations, shared.sums));
      });
}

}  // namespace

TuningSpace cg_persistent_space() { return {{rows, column, sums_setting}}; }

Step prepare_cg_persistent(Backend& backend, const CgPersistentArgs& args, const Config& config) {
  auto& cuda = static_cast<CudaBackend&>(backend);
  const int block_y = config.whole(rows.name);
  const std::string chosen = config.word(column.name);
  const int most_blocks = blocks_over(args.u.grid, block_y, 1);
  const bool one_sum = config.is(sums_setting.name, "one");
  const std::size_t bytes = std::size_t(4 * (one_sum ? 2 : 1) * most_blocks) * sizeof(unsigned long long);
  const Buffer words(backend, bytes), round(backend, sizeof(unsigned)), alpha(backend, sizeof(double));
  backend.set_zero(words.data(), bytes);
  backend.set_zero(round.data(), sizeof(unsigned));
  backend.set_zero(alpha.data(), sizeof(double));
  Plan plan{.memory = {words, round, alpha}};
  CgPersistentMemory shared{
      {static_cast<unsigned long long*>(words.data()), static_cast<unsigned*>(round.data())},
      {},
      static_cast<double*>(alpha.data())};
  if (one_sum)
    for (AnyView& rim : shared.rims) {
      const Field field(backend, args.u.grid, args.precision);
      rim = field.view();
      plan.memory.push_back(field.buffer());
    }
  const auto with = [&](int cells) { return launch(args, block_y, cells, one_sum, shared); };
  // More cells a thread, fewer blocks: fewer parts to wait for, and more for each thread to do.
  int cells = 0;
  for (const int n : cells_of_a_column) {
    if (chosen != "fewest" && chosen != std::to_string(n)) continue;
    cells = n;
    const Launch tried = with(n);
    if (chosen != "fewest" || tried.blocks.x == 1 || tried.blocks.x <= cuda.resident_blocks(tried)) break;
  }
  plan.run = {with(cells)};
  return cuda.prepare(std::move(plan));
}

}  // namespace cfdmark
