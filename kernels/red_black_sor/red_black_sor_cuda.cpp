#include <array>
#include <utility>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/red_black_sor/red_black_sor.cu";
constexpr const char* streamed_source = "kernels/red_black_sor/red_black_streamed.cu";
constexpr const char* tiled_source = "kernels/red_black_sor/red_black_tiled.cu";

// Of each part of a step, in turn.
std::vector<int> colours_of(const RedBlackArgs& args) {
  std::vector<int> colours;
  for (const RedBlackSor& part : parts_of(args)) colours.push_back(part.colour);
  return colours;
}

// One launch a colour of a function that updates u in place; its threads have `cells_x` cells of either
// colour each.
Plan in_place(const char* name, int cells_x, const RedBlackArgs& args, const Config& config) {
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const Extent t = block_of(config);
        const DeviceFunction function{source, instance<S, C, A>(name, {dims, t.x, t.y, t.z})};
        Plan plan;
        for (int colour : colours_of(args))
          plan.run.push_back(Launch{function, blocks_over(args.grid(), t, {cells_x, 1, 1}), t,
                                    Arguments(a, args.fields.u.as<S>(), args.fields.b.as<const S>(),
                                              C(args.kernel.omega), colour)});
        return plan;
      });
}

Plan coloured(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_coloured", 2, a, c);
}
Plan shared(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_shared", 1, a, c);
}
Plan shared_branches(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_shared_branches", 1, a, c);
}
Plan readonly(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_readonly", 1, a, c);
}

// Fields with their colours in separate arrays, and the launches that copy them there and back.
class SplitFields {
 public:
  SplitFields(Backend& backend, const RedBlackArgs& args, Extent threads)
      : backend_(backend),
        precision_(args.precision),
        half_{(args.grid().nx + 1) / 2, args.grid().ny, args.grid().nz, args.grid().dims},
        threads_(threads) {}

  // Copies `whole` in when the step is loaded. Returns the red and the black half.
  std::array<AnyView, 2> split(const AnyView& whole, Plan& plan) const {
    const std::array<Field, 2> halves = {Field(backend_, half_, precision_),
                                         Field(backend_, half_, precision_)};
    for (const Field& half : halves) plan.memory.push_back(half.buffer());
    const std::array<AnyView, 2> views = {halves[0].view(), halves[1].view()};
    with_types(precision_, [&]<class S, class C>() {
      plan.load.push_back(Launch{function<S>("split_colours"), blocks_over(with_ghosts(), threads_), threads_,
                                 Arguments(whole.as<const S>(), views[0].as<S>(), views[1].as<S>())});
    });
    return views;
  }
  // Copies the halves out when the step is stored.
  void join(const std::array<AnyView, 2>& halves, const AnyView& whole, Plan& plan) const {
    with_types(precision_, [&]<class S, class C>() {
      plan.store.push_back(
          Launch{function<S>("join_colours"), blocks_over(half_, threads_), threads_,
                 Arguments(halves[0].as<const S>(), halves[1].as<const S>(), whole.as<S>())});
    });
  }
  // The operator over halves of its arrays, for each colour.
  std::array<Operator, 2> split(const Operator& whole, Plan& plan) const {
    std::array<Operator, 2> parts = {whole, whole};
    for (AnyView Operator::*array :
         {&Operator::west_a, &Operator::east_a, &Operator::south_a, &Operator::north_a, &Operator::bottom_a,
          &Operator::top_a, &Operator::centre_a}) {
      if (!(whole.*array).origin) continue;
      const auto halves = split(whole.*array, plan);
      for (int colour : {0, 1}) parts[colour].*array = halves[colour];
    }
    return parts;
  }
  const Grid& half() const { return half_; }

 private:
  template <class S>
  DeviceFunction function(const char* name) const {
    return {source, instance<S>(name, {half_.is_3d() ? 3 : 2, threads_.x, threads_.y, threads_.z})};
  }
  Grid with_ghosts() const { return {half_.nx + 2, half_.ny + 2, half_.nz + 2 * half_.halo_z(), half_.dims}; }

  Backend& backend_;
  Precision precision_;
  Grid half_;
  Extent threads_;
};

Plan split(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const Extent t = block_of(config);
  const SplitFields fields(backend, args, t);
  Plan plan;
  const auto u = fields.split(args.fields.u, plan), b = fields.split(args.fields.b, plan);
  const auto a = fields.split(args.fields.a, plan);
  fields.join(u, args.fields.u, plan);
  for (int colour : colours_of(args))
    with_operator(
        args.precision, a[colour], args.grid(), [&]<class S, class C, int dims, class A>(const A& typed) {
          plan.run.push_back(
              Launch{{source, instance<S, C, A>("red_black_split", {dims, t.x, t.y, t.z})},
                     blocks_over(fields.half(), t),
                     t,
                     Arguments(typed, u[colour].as<S>(), u[1 - colour].as<const S>(), b[colour].as<const S>(),
                               C(args.kernel.omega), colour, args.grid().nx)});
        });
  return plan;
}

int even(int n) { return n + n % 2; }

// One pass from one array to another, which then change places.
Plan streamed(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const int cells = config.whole("cells"), warps = config.whole("warps");
  const int strips = (args.grid().nx + 30 * cells - 1) / (30 * cells);
  const int rows = even((args.grid().ny + config.whole("row_blocks") - 1) / config.whole("row_blocks"));
  const Extent blocks = {(strips + warps - 1) / warps, (args.grid().ny + rows - 1) / rows};
  const Extent copying = {64, 4};
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto from = std::make_shared<View<S>>(), to = std::make_shared<View<S>>();
        const View<S> u = args.fields.u.as<S>(), scratch = other.view().as<S>();
        const DeviceFunction sweep{streamed_source,
                                   instance<S, C, A>("red_black_streamed", {cells, warps, rows})};
        const DeviceFunction copy{streamed_source, instance<S>("copy_with_ghosts", {copying.x, copying.y})};
        const Extent copies = blocks_over({args.grid().nx + 2, args.grid().ny + 2}, copying);
        return Plan{.run = {Launch{sweep,
                                   blocks,
                                   {32, warps},
                                   Arguments(a, from, args.fields.b.as<const S>(), to, C(args.kernel.omega))},
                            HostCall{[=](const CudaQueue&) { std::swap(*from, *to); }}},
                    .load = {HostCall{[=](const CudaQueue&) { *from = u, *to = scratch; }},
                             Launch{copy, copies, copying, Arguments(u, scratch)}},
                    .store = {Launch{copy, copies, copying, Arguments(from, u)}},
                    .memory = {other.buffer()}};
      });
}

std::string streamable(const RedBlackArgs& args) {
  if (args.grid().is_3d()) return "it walks along the rows of a 2-D grid";
  if (args.grid().parity) return "it takes rows in pairs, the first of which begins with a red cell";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}

TuningSpace streamed_space() {
  return {{{"cells", {2, 4}, 2, "cells of a row that a lane holds, half of them red"},
           {"warps", {1, 2, 4, 8}, 4, "warps of a block, side by side"},
           {"row_blocks", {16, 32, 64, 128, 256}, 64, "parts that the rows are cut into"}},
          [](const Config& c) -> std::string {
            if (c.whole("cells") % 2 || c.whole("cells") > 8)
              return "cells: 2, 4, 6 or 8 a lane, half of them red";
            return c.whole("warps") <= 32 ? "" : "warps: at most 32 a block";
          }};
}

// A warp walks along many rows one after the other: only where there are enough of them for all warps of a
// device. With coefficient arrays it holds too much in registers.
bool prefers_streamed(const RedBlackArgs& args) {
  return args.fields.a.constant && args.grid().cells() >= 2048 * 2048;
}

constexpr const char* sweeps_of_a_step = "sweeps";

// What tiles of a config look like: see red_black_tiled.cu.
struct Tiling {
  explicit Tiling(const Config& c)
      : threads{c.whole("block_x"), c.whole("block_y")},
        rows(c.whole("rows")),
        depth(c.whole("depth")),
        own{2 * threads.x - 4 * depth, threads.y * rows - 4 * depth} {}
  Extent threads;
  int rows, depth;
  Extent own;  // cells of a tile, without the layers that overlap
};

// Back and forth between two arrays, so that an even number of launches ends where it began.
int tiled_launches(const Config& config) {
  const int there_and_back = 2 * config.whole("depth"), sweeps = config.whole(sweeps_of_a_step);
  return 2 * ((sweeps + there_and_back - 1) / there_and_back);
}

Plan tiled(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const Tiling tiling(config);
  const int sweeps = config.whole(sweeps_of_a_step), launches = tiled_launches(config);
  const Extent blocks = blocks_over(args.grid(), tiling.own);
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const DeviceFunction function{
            tiled_source, instance<S, C, A>("red_black_tiled",
                                            {tiling.threads.x, tiling.threads.y, tiling.rows, tiling.depth})};
        const AnyView views[2] = {args.fields.u, other.view()};
        Plan plan{.memory = {other.buffer()}};
        for (int n = 0; n < launches; ++n) {
          const AnyView &from = views[n % 2], &to = views[1 - n % 2];
          Launch launch{function, blocks, tiling.threads,
                        Arguments(a, args.fields.u.as<const S>(), from.as<const S>(),
                                  args.fields.b.as<const S>(), to.as<S>(), C(args.kernel.omega),
                                  colours_of(args).front(), sweeps / launches + (n < sweeps % launches))};
          launch.shared_bytes = 2 * tiling.threads.x * tiling.threads.y * tiling.rows * int(sizeof(S));
          plan.run.push_back(launch);
        }
        return plan;
      });
}

// Each launch reads everything once and writes u once; what overlaps comes from the caches.
Cost tiled_cost(const RedBlackArgs& args, const Config& config) {
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double(tiled_launches(config)) / config.whole(sweeps_of_a_step);
  return cost;
}

std::string can_be_tiled(const RedBlackArgs& args) {
  if (args.grid().is_3d()) return "its tiles are of a 2-D grid";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}

TuningSpace tiled_space() {
  TuningSpace space = {{{"block_x", {16, 32}, 32, "threads of a block along x, which have two cells each"},
                        {"block_y", {4, 8, 16, 32}, 8, "threads of a block along y"},
                        {"rows", {1, 2, 4, 8}, 4, "rows of a tile that a thread has cells in"},
                        {"depth", {1, 2, 4, 8}, 4, "sweeps that a launch makes at most"},
                        {sweeps_of_a_step, {}, 16, "that one step makes"}}};
  space.require([](const Config& c) -> std::string {
    const Tiling tiling(c);
    if (tiling.threads.x * tiling.threads.y > 1024) return "a block has at most 1024 threads";
    if (tiling.rows > 16) return "rows: at most 16";
    if (tiling.own.x > 0 && tiling.own.y > 0) return "";
    return "tiles overlap by 4 depth cells, and are 2 block_x wide and block_y rows high: nothing is left";
  });
  return space;
}

}  // namespace

Methods<RedBlackArgs> red_black_cuda() {
  return {{"coloured", block_space(), prepare_cuda<coloured>},
          {"shared", block_space(), prepare_cuda<shared>},
          {"shared_branches", block_space(), prepare_cuda<shared_branches>},
          {"readonly", block_space(), prepare_cuda<readonly>},
          {.name = "streamed",
           .space = streamed_space(),
           .prepare = prepare_cuda<streamed>,
           .unsupported = streamable,
           .cost = red_black_fused_cost,
           .preferred = prefers_streamed},
          {.name = "tiled",
           .space = tiled_space(),
           .prepare = prepare_cuda<tiled>,
           .unsupported = can_be_tiled,
           .config_cost = tiled_cost,
           .steps = sweeps_of_a_step},
          {.name = "split",
           .space = block_space(),
           .prepare = prepare_cuda<split>,
           .cost = red_black_split_cost,
           .preferred = always<RedBlackArgs>}};
}

}  // namespace cfdmark
