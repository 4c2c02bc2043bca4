// Several iterations with coefficient arrays in one pass, as a wavefront of half-steps; see
// red_black_wavefront.cu.
#include <algorithm>
#include <utility>

#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"
#include "kernels/red_black_sor/red_black_wavefront.hpp"

namespace cfdmark {
namespace {

Wavefront wavefront_of(const Config& c) { return {c.integer("pairs"), c.integer("depth")}; }

// Returns a plan with no more depth than the launches need. The number of blocks is `waves` times those
// resident at once: a few more would take a full wave longer.
template <class K>
Plan wavefront(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const std::vector<int> launches = sweeps_of_launches(config);
  Wavefront shape = wavefront_of(config);
  shape.depth = std::min(shape.depth, launches.front());
  const Field other(backend, args.grid(), args.precision);
  auto& device = static_cast<CudaBackend&>(backend);
  return with_types(args.precision, [&]<class S, class C>() {
    const StencilArrays<S, C> a = args.fields.a.template as_arrays<S, C>();
    const auto b = source_of<S>(args);
    using B = std::decay_t<decltype(b)>;
    const DeviceFunction function{
        "kernels/red_black_sor/red_black_wavefront.cu",
        instance<S, C, StencilArrays<S, C>, B>(
            "red_black_wavefront", {shape.pairs, shape.depth, config.integer("min_blocks_per_sm")})};
    const AnyView views[2] = {args.fields.u, other.view()};
    Plan plan{.memory = {other.buffer()}};
    for (const int sweeps : launches) {
      const int n = int(plan.run.size()), ghosts = n == 0;  // u has them; `other` from then on
      Launch launch{function,
                    {shape.strips(args.grid().nx, int(sizeof(S)))},
                    {shape.pairs, 2},
                    Arguments(a, views[n % 2].as<const S>(), b, views[1 - n % 2].as<S>(),
                              C(args.kernel.omega), sweeps, colours_of(args).front(), ghosts)};
      launch.shared_bytes = shape.shared_bytes(has_source<B>, int(sizeof(S)));
      const int places = config.integer("grid_waves") * device.resident_blocks(launch);
      launch.blocks.y = std::clamp(places / launch.blocks.x, 1, args.grid().ny);
      plan.run.push_back(launch);
    }
    return plan;
  });
}

template <class K>
std::string why_not(const CellArgs<K>& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  if (args.fields.a.constant) return "it is for coefficient arrays; use staged for constant coefficients";
  const Operator& a = args.fields.a;
  bool are_even = true;
  for (const AnyView& view : {a.west_a, a.east_a, a.south_a, a.north_a, a.centre_a}) {
    if (!view.origin) continue;  // a query without values
    if (!view.rows_are_aligned()) return "rows of its coefficients are not aligned to 16 bytes";
    are_even = are_even && view.pitch == args.fields.u.pitch;
  }
  args.for_each_view([&](const AnyView& view, Role) {
    are_even = are_even && (!view.origin || view.pitch == args.fields.u.pitch);
  });
  return are_even ? "" : "its fields and coefficients must have the same pitch";
}

TuningSpace space() {
  TuningSpace space = {
      {{"pairs", {64, 96}, 64, "pairs of neighbouring cells in a block's row, with two threads per pair"},
       {"min_blocks_per_sm",
        {1, 2, 3, 4},
        2,
        "minimum of resident blocks per multiprocessor; more leave fewer registers per thread"},
       {"grid_waves", {1, 2}, 2, "number of blocks, in multiples of those resident at once"}}};
  add_sweeps(space, {2, 3, 4});
  space.settings.back().default_value = 24;  // full launches for every depth, in both directions
  space.require([](const Config& c) -> std::string {
    const Wavefront shape = wavefront_of(c);
    if (shape.pairs % 32 || shape.pairs > 512) return "pairs must be a multiple of 32, at most 512";
    if (shape.own_packs(int(sizeof(double))) <= 0)
      return "strips overlap by two columns per sweep on either side and have no columns of their own: "
             "reduce depth";
    // The limit per block of an A100.
    if (shape.shared_bytes(true, int(sizeof(double))) > 163 * 1024)
      return "a block needs more than 163 KiB of shared memory: reduce pairs or depth";
    constexpr int others = 60;
    const int registers = 65536 / (shape.threads() * c.integer("min_blocks_per_sm"));
    if (5 * shape.held() + others <= std::min(registers, 255)) return "";
    return "a thread needs 5 registers for each of " + std::to_string(shape.held()) + " rows and " +
           std::to_string(others) + " more, of at most 255 per thread and 65536 per multiprocessor";
  });
  return space;
}

template <class K>
Cost cost(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, config);
}

template <class K>
bool is_large(const CellArgs<K>& args) {
  return args.grid().cells() >= least_cells_of_strips;
}

}  // namespace

template <class K>
Method<CellArgs<K>> wavefront_method() {
  return {.name = "wavefront",
          .space = space(),
          .prepare = prepare_cuda<wavefront<K>>,
          .unsupported = why_not<K>,
          .config_cost = cost<K>,
          .preferred = is_large<K>,
          .steps = sweeps_of_a_step};
}
template Method<CellArgs<RedBlackSor>> wavefront_method();
template Method<CellArgs<RedBlackLaplace>> wavefront_method();

}  // namespace cfdmark
