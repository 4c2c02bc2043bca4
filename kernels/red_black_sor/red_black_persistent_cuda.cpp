// Many sweeps in one launch, of a grid that stays in registers.
#include "kernels/backends/register_tile_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/red_black_sor/red_black_persistent.cu";
constexpr int steps = 2;  // of a sweep: red, black

template <class K>
Plan persistent(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const TileShape tile = tile_of(config, steps);
  const int first_colour = colours_of(args).front();
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto b = source_of<S>(args);
        return in_register_tiles(
            backend, args.grid(), args.precision, tile, first_colour,
            [&](const AnyView& through, const AnyView& next, unsigned* arrived) {
              return Launch{
                  {source,
                   instance<S, C, A, std::decay_t<decltype(b)>>(
                       "red_black_persistent", {tile.cells, tile.rows, tile.warps, config.whole("depth")})},
                  {},
                  {},
                  Arguments(a, args.fields.u.template as<S>(), b, through.as<S>(), next.as<S>(),
                            C(args.kernel.omega), config.whole(sweeps_of_a_tile), first_colour, arrived)};
            });
      });
}

template <class K>
Cost cost(const CellArgs<K>& args, const Config& config) {
  return register_tile_cost(red_black_fused_cost(args), config);
}

template <class K>
std::string why_not(const CellArgs<K>& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  if (args.fields.a.is_edged()) return "the last cells have coefficients of their own";
  return args.fields.a.constant ? ""
                                : "arrays of coefficients want registers too: persistent_arrays has them";
}
// Five coefficients of each cell in registers too leave room for fewer cells.
TuningSpace space_with_arrays() {
  TuningSpace space = register_tile_space(steps);
  const auto take = [&](const char* name, std::vector<Value> searched, int usual) {
    for (Setting& setting : space.settings)
      if (setting.name == name) setting.values = std::move(searched), setting.fallback = usual;
  };
  take("cells", {2, 4}, 2), take("rows", {2, 4}, 4), take("warps", {8, 12, 16}, 12);
  space.require([](const Config& c) -> std::string {
    if (fits_registers(tile_of(c, steps), 7)) return "";
    return "a lane holds u, b and five coefficients of cells x rows cells, and 40 registers more: a "
           "multiprocessor has 2048 for each lane of its warps, of which one can have 255";
  });
  return space;
}
template <class K>
std::string why_no_arrays(const CellArgs<K>& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  return args.fields.a.constant ? "constant coefficients need no registers: persistent" : "";
}

}  // namespace

template <class K>
Method<CellArgs<K>> persistent_method() {
  return {.name = "persistent",
          .space = register_tile_space(steps),
          .prepare = prepare_cuda<persistent<K>>,
          .unsupported = why_not<K>,
          .config_cost = cost<K>,
          .preferred = [](const CellArgs<K>&) { return false; },  // what fits depends on the device
          .steps = sweeps_of_a_tile};
}
template Method<CellArgs<RedBlackSor>> persistent_method();
template Method<CellArgs<RedBlackLaplace>> persistent_method();

template <class K>
Method<CellArgs<K>> persistent_arrays_method() {
  Method<CellArgs<K>> method = persistent_method<K>();
  method.name = "persistent_arrays";
  method.space = space_with_arrays();
  method.unsupported = why_no_arrays<K>;
  return method;
}
template Method<CellArgs<RedBlackSor>> persistent_arrays_method();
template Method<CellArgs<RedBlackLaplace>> persistent_arrays_method();

}  // namespace cfdmark
