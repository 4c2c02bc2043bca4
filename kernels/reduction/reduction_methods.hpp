// The hand-tuned methods of the reductions.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {

// Each is instantiated for Sum, Dot and MaxNorm.
template <class K>
Method<CellArgs<K>> reduction_openblas();
template <class K>
Methods<CellArgs<K>> reduction_cuda();
template <class K>
Methods<CellArgs<K>> reduction_levels_cuda();

// Returns the second field of a dot product; a null view for sum and max-norm.
template <class K>
AnyView second_field(const CellArgs<K>& args) {
  if constexpr (std::is_same_v<K, Dot>)
    return args.fields.y;
  else
    return {};
}

// Returns true for the dot product of a field with itself.
template <class K>
bool with_itself(const CellArgs<K>& args) {
  return std::is_same_v<K, Dot> && second_field(args).origin == args.fields.x.origin;
}

// Returns the cost of library methods. A sum is a dot product with ones, whose reads count.
template <class K>
Cost library_cost(const CellArgs<K>& args) {
  const double cells = double(args.grid().cells());
  return {(with_itself(args) ? 1 : 2) * cells * stored_bytes(args.precision), 2 * cells, cells};
}

// Returns the method that sums the products of a two-pass dot product.
inline Method<CellArgs<Sum>> sum_of_products(BackendKind kind, const char* by) {
  const Methods<CellArgs<Sum>> methods = CellKernel<Sum>::methods(kind);
  return find_method(methods, by);
}

// Returns a step that computes the products in the precision of the arithmetic, then sums them with that
// method.
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

// Returns the cost: in addition to the fused dot product, the products are written and read.
inline Cost two_pass_cost(const CellArgs<Dot>& args) {
  Cost cost = cell_cost(args);
  cost.bytes += 2 * cost.cells * stored_bytes(arithmetic_of(args.precision));
  return cost;
}

// The same with the values of each level.
inline Cost two_pass_quarter_cost(const CellArgs<Dot>& args, const Config& config) {
  const CellArgs<Sum> sum{arithmetic_of(args.precision), {}, {args.fields.x}};
  Cost cost = two_pass_cost(args);
  cost.bytes +=
      sum_of_products(BackendKind::cuda, "quarter").config_cost(sum, config).bytes - cell_cost(sum).bytes;
  return cost;
}

// Returns the two-pass dot products of Menon 2008 (section 4.3), which write the products and read them
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
