// Many sweeps in one launch, of a grid that stays in registers.
#include "kernels/backends/register_tile_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/red_black_sor/red_black_persistent.cu";
constexpr int steps = 2;  // of a sweep: red, black

Plan persistent(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const TileShape tile = tile_of(config, steps);
  const int first_colour = colours_of(args).front();
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        return in_register_tiles(
            backend, args.grid(), args.precision, tile, first_colour,
            [&](const AnyView& through, const AnyView& next, unsigned* arrived) {
              return Launch{
                  {source, instance<S, C, A>("red_black_persistent",
                                             {tile.cells, tile.rows, tile.warps, config.whole("depth")})},
                  {},
                  {},
                  Arguments(a, args.fields.u.as<S>(), args.fields.b.as<const S>(), through.as<S>(),
                            next.as<S>(), C(args.kernel.omega), config.whole(sweeps_of_a_tile), first_colour,
                            arrived)};
            });
      });
}

Cost cost(const RedBlackArgs& args, const Config& config) {
  return register_tile_cost(red_black_fused_cost(args), config);
}

std::string why_not(const RedBlackArgs& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  return args.fields.a.constant ? "" : "coefficients of all cells would not fit into registers";
}

}  // namespace

Method<RedBlackArgs> persistent_method() {
  return {.name = "persistent",
          .space = register_tile_space(steps),
          .prepare = prepare_cuda<persistent>,
          .unsupported = why_not,
          .config_cost = cost,
          .preferred = [](const RedBlackArgs&) { return false; },  // until it is measured
          .steps = sweeps_of_a_tile};
}

}  // namespace cfdmark
