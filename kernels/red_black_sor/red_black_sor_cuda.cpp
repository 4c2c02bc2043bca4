#include <array>
#include <utility>

#include "kernels/cells/cuda/repeated_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/red_black_sor/red_black_sor.cu";

// Meaning of the last template arguments of device code: launch bound, or block shape.
enum class CompiledFor { threads, shape };

// Returns a plan with one launch per colour of a function that updates u in place. Each thread covers
// `cells_x` cells of both colours.
Plan in_place(const char* name, CompiledFor compiled, int cells_x, const RedBlackArgs& args,
              const Config& config) {
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const Extent t = block_of(config);
        const std::vector<int> numbers = compiled == CompiledFor::shape ? std::vector{dims, t.x, t.y, t.z}
                                                                        : std::vector{dims, compiled_for(t)};
        const DeviceFunction function{source, instance<S, C, A>(name, numbers)};
        Plan plan;
        for (int colour : colours_of(args))
          plan.run.push_back(Launch{function, blocks_over(args.grid(), t, {cells_x, 1, 1}), t,
                                    Arguments(a, args.fields.u.as<S>(), args.fields.b.as<const S>(),
                                              C(args.kernel.omega), colour)});
        return plan;
      });
}

Plan coloured(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_coloured", CompiledFor::threads, 2, a, c);
}
Plan shared(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_shared", CompiledFor::shape, 1, a, c);
}
Plan shared_branches(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_shared_branches", CompiledFor::shape, 1, a, c);
}
Plan readonly(Backend&, const RedBlackArgs& a, const Config& c) {
  return in_place("red_black_readonly", CompiledFor::threads, 1, a, c);
}

// Fields with one array per colour, and the launches that copy to and from them.
class SplitFields {
 public:
  SplitFields(Backend& backend, const RedBlackArgs& args, Extent threads)
      : backend_(backend),
        precision_(args.precision),
        half_{(args.grid().nx + 1) / 2, args.grid().ny, args.grid().nz, args.grid().dims},
        threads_(threads) {}

  // Returns the red and black halves, which are filled from `whole` when the step is loaded.
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
  // Copies the halves back when the step is stored.
  void join(const std::array<AnyView, 2>& halves, const AnyView& whole, Plan& plan) const {
    with_types(precision_, [&]<class S, class C>() {
      plan.store.push_back(
          Launch{function<S>("join_colours"), blocks_over(half_, threads_), threads_,
                 Arguments(halves[0].as<const S>(), halves[1].as<const S>(), whole.as<S>())});
    });
  }
  // Returns the operator over the halves of its arrays, per colour.
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
    return {source, instance<S>(name, {half_.is_3d() ? 3 : 2, compiled_for(threads_)})};
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
              Launch{{source, instance<S, C, A>("red_black_split", {dims, compiled_for(t)})},
                     blocks_over(fields.half(), t),
                     t,
                     Arguments(typed, u[colour].as<S>(), u[1 - colour].as<const S>(), b[colour].as<const S>(),
                               C(args.kernel.omega), colour, args.grid().nx)});
        });
  return plan;
}

}  // namespace

Methods<RedBlackArgs> red_black_cuda() {
  Methods<RedBlackArgs> methods = {{"coloured", block_space(), prepare_cuda<coloured>},
                                   {"shared", block_space(), prepare_cuda<shared>},
                                   {"shared_branches", block_space(), prepare_cuda<shared_branches>},
                                   {"readonly", block_space(), prepare_cuda<readonly>}};
  for (auto& method : one_pass_methods<RedBlackSor>()) methods.push_back(std::move(method));
  methods.push_back({.name = "split",
                     .space = block_space(),
                     .prepare = prepare_cuda<split>,
                     .cost = red_black_split_cost,
                     .preferred = always<RedBlackArgs>});
  methods.push_back(planes_method<RedBlackSor>());
  methods.push_back(repeated_launches_method<RedBlackSor>());
  return methods;
}

Methods<CellArgs<RedBlackLaplace>> red_black_laplace_cuda() {
  Methods<CellArgs<RedBlackLaplace>> methods = one_pass_methods<RedBlackLaplace>();
  methods.push_back(planes_method<RedBlackLaplace>());
  methods.push_back(repeated_launches_method<RedBlackLaplace>());
  return methods;
}

}  // namespace cfdmark
