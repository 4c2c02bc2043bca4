#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/jacobi/jacobi.cu";

template <class S, class A>
Arguments arguments(const JacobiArgs& args, const A& a) {
  return Arguments(a, args.u.as<const S>(), args.b.as<const S>(), args.out.as<S>());
}

Plan plain(Backend&, const JacobiArgs& args, const Config& config) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
    const Extent t = block_of(config, args.grid);
    return Plan{.run = {Launch{{source, instance<S, C, A>("jacobi_plain", {dims, t.x, t.y, t.z})},
                               blocks_over(args.grid, t), t, arguments<S>(args, a)}}};
  });
}

Plan column(Backend&, const JacobiArgs& args, const Config& config) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
    const Extent t = block_of(config, args.grid);
    const int cells = config.at("cells");
    return Plan{.run = {Launch{{source, instance<S, C, A>("jacobi_column", {dims, t.x, t.y, cells})},
                               blocks_over(args.grid, t, column_of(cells, args.grid)), t, arguments<S>(args, a)}}};
  });
}

}  // namespace

Methods<JacobiArgs> jacobi_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>}, {"column", column_space(), prepare_cuda<column>}};
}

}  // namespace cfdmark
