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

// Sums the products of two_pass.
inline Method<CellArgs<Sum>> sum_of_products(BackendKind kind) {
  const Methods<CellArgs<Sum>> methods = CellKernel<Sum>::methods(kind);
  return find_method(methods, kind == BackendKind::cuda ? "vector" : "plain");
}

// The products, in the precision of the arithmetic, then their sum.
inline Step prepare_two_pass(Backend& backend, const CellArgs<Dot>& args, const Config& config) {
  const Precision computed = arithmetic_of(args.precision);
  const Field products(backend, args.grid(), computed);
  const CellArgs<Multiply> multiply{computed, {}, {args.fields.x, args.fields.y, products.view()}};
  const Methods<CellArgs<Multiply>> methods = CellKernel<Multiply>::methods(backend.kind());
  const Method<CellArgs<Multiply>>& method = default_method(methods, multiply);
  Config of_multiply = method.space.defaults();
  if (config.has("threads")) of_multiply.set("threads", config.at("threads"));
  Step both = in_turn(method.prepare(backend, multiply, of_multiply),
                      sum_of_products(backend.kind())
                          .prepare(backend, {computed, {}, {products.view()}, args.result}, config));
  both.run = [products, run = std::move(both.run)] { run(); };
  return both;
}

// A dot product as Menon 2008 (section 4.3) has it beside his fused one: the products are written and read
// again.
inline Method<CellArgs<Dot>> two_pass(BackendKind kind) {
  return {.name = "two_pass",
          .space = sum_of_products(kind).space,
          .prepare = prepare_two_pass,
          .cost = [](const CellArgs<Dot>& args) {
            Cost cost = cell_cost(args);
            cost.bytes += 2 * cost.cells * stored_bytes(arithmetic_of(args.precision));
            return cost;
          }};
}

}  // namespace cfdmark
