// Many iterations in one launch, with the grid in registers.
#include "kernels/device/cuda/primitives/register_tile_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/red_black_sor/red_black_persistent.cu";

// u and b of each cell are in registers; a half-step updates one colour. Costs measured on an H100.
const TileScheme with_constants = {.steps = 2, .values = 2, .fp32 = {21, 1.4}, .fp64 = {33, 3.6}};
// Five coefficients and a reciprocal per cell in registers leave room for fewer cells.
const TileScheme with_arrays = {
    .steps = 2, .values = 8, .fp32 = {110, 4.5}, .fp64 = {150, 12}, .cells = {2, 4}, .rows = {2, 4}};

template <class K>
Plan persistent(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const TileScheme& scheme = args.fields.a.constant ? with_constants : with_arrays;
  const int first_colour = colours_of(args).front();
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto b = source_of<S>(args);
        return in_register_tiles(
            backend, args.grid(), args.precision, scheme, config, first_colour,
            [&](const DeepTile& tile, const AnyView& through, const AnyView& next, unsigned* arrived) {
              return Launch{
                  {source, instance<S, C, A, std::decay_t<decltype(b)>>("red_black_persistent",
                                                                        template_numbers(tile))},
                  {},
                  {},
                  Arguments(a, args.fields.u.template as<S>(), b, through.as<S>(), next.as<S>(),
                            C(args.kernel.omega), config.integer(sweeps_of_a_tile), first_colour, arrived)};
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
  if (args.fields.a.is_edged()) return "it does not support edged operators of coarse grids";
  return args.fields.a.constant ? "" : "it requires constant coefficients; use persistent_arrays for arrays";
}
template <class K>
std::string why_no_arrays(const CellArgs<K>& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  return args.fields.a.constant ? "it is for coefficient arrays; use persistent for constant coefficients"
                                : "";
}

}  // namespace

template <class K>
Method<CellArgs<K>> persistent_method() {
  return {.name = "persistent",
          .space = register_tile_space(with_constants),
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
  method.space = register_tile_space(with_arrays);
  method.unsupported = why_no_arrays<K>;
  return method;
}
template Method<CellArgs<RedBlackSor>> persistent_arrays_method();
template Method<CellArgs<RedBlackLaplace>> persistent_arrays_method();

}  // namespace cfdmark
