// The methods of the reductions that are written by hand.
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {

// Each is there for Sum, Dot and MaxNorm.
template <class K>
Method<CellArgs<K>> reduction_openblas();
template <class K>
Methods<CellArgs<K>> reduction_cuda();
template <class K>
Methods<CellArgs<K>> reduction_levels_cuda();

// The field beside x in a dot product; of a sum and a max-norm, which have none, one that looks at nothing.
template <class K>
AnyView second_field(const CellArgs<K>& args) {
  if constexpr (std::is_same_v<K, Dot>)
    return args.fields.y;
  else
    return {};
}

template <class K>
bool with_itself(const CellArgs<K>& args) {
  return std::is_same_v<K, Dot> && second_field(args).origin == args.fields.x.origin;
}

// A library has no sum: it is a dot product of x and ones, and pays for reading them.
template <class K>
Cost library_cost(const CellArgs<K>& args) {
  const double cells = double(args.grid().cells());
  return {(with_itself(args) ? 1 : 2) * cells * stored_bytes(args.precision), 2 * cells, cells};
}

// Sums the products of a dot product in two passes.
inline Method<CellArgs<Sum>> sum_of_products(BackendKind kind, const char* by) {
  const Methods<CellArgs<Sum>> methods = CellKernel<Sum>::methods(kind);
  return find_method(methods, by);
}

// The products, in the precision of the arithmetic, then their sum by that method.
inline Step prepare_two_pass(Backend& backend, const CellArgs<Dot>& args, const Config& config,
                             const char* by) {
  const Precision computed = arithmetic_of(args.precision);
  const Field products(backend, args.grid(), computed);
  const CellArgs<Multiply> multiply{computed, {}, {args.fields.x, args.fields.y, products.view()}};
  const Methods<CellArgs<Multiply>> methods = CellKernel<Multiply>::methods(backend.kind());
  const Method<CellArgs<Multiply>>& method = default_method(methods, multiply);
  Config of_multiply = method.space.defaults();
  if (config.has("threads")) of_multiply.set("threads", config.at("threads"));
  Step sum = sum_of_products(backend.kind(), by)
                 .prepare(backend, {computed, {}, {products.view()}, args.result}, config);
  const auto store = std::move(sum.store);
  Step both = in_turn(method.prepare(backend, multiply, of_multiply), std::move(sum));
  both.run = [products, run = std::move(both.run)] { run(); };
  both.store = store;
  return both;
}

// The products are written and read beside what the fused way moves.
inline Cost two_pass_cost(const CellArgs<Dot>& args) {
  Cost cost = cell_cost(args);
  cost.bytes += 2 * cost.cells * stored_bytes(arithmetic_of(args.precision));
  return cost;
}

// And each level's values.
inline Cost two_pass_quarter_cost(const CellArgs<Dot>& args, const Config& config) {
  const CellArgs<Sum> sum{arithmetic_of(args.precision), {}, {args.fields.x}};
  Cost cost = two_pass_cost(args);
  cost.bytes +=
      sum_of_products(BackendKind::cuda, "quarter").config_cost(sum, config).bytes - cell_cost(sum).bytes;
  return cost;
}

// A dot product as Menon 2008 (section 4.3) has it beside his fused one: the products are written and read
// again. two_pass_quarter sums them as his sum does.
inline Methods<CellArgs<Dot>> two_passes(BackendKind kind) {
  const bool cuda = kind == BackendKind::cuda;
  Methods<CellArgs<Dot>> methods{{.name = "two_pass",
                                  .space = sum_of_products(kind, cuda ? "vector" : "plain").space,
                                  .prepare =
                                      [](Backend& b, const CellArgs<Dot>& a, const Config& c) {
                                        const bool vectors = b.kind() == BackendKind::cuda;
                                        return prepare_two_pass(b, a, c, vectors ? "vector" : "plain");
                                      },
                                  .cost = two_pass_cost}};
  if (cuda)
    methods.push_back({.name = "two_pass_quarter",
                       .space = sum_of_products(kind, "quarter").space,
                       .prepare = [](Backend& b, const CellArgs<Dot>& a,
                                     const Config& c) { return prepare_two_pass(b, a, c, "quarter"); },
                       .for_solvers = false,
                       .config_cost = two_pass_quarter_cost});
  return methods;
}

}  // namespace cfdmark
