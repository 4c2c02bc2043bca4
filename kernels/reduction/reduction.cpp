#include "kernels/reduction/reduction.hpp"

#include "kernels/reduction/reduction_methods.hpp"

namespace cfdmark {
namespace {

template <class K>
Methods<CellArgs<K>> by_hand(BackendKind kind) {
  if constexpr (built_with_openblas)
    if (kind == BackendKind::openmp) return {reduction_openblas<K>()};
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return reduction_cuda<K>();
  return {};
}

Methods<CellArgs<Dot>> dot_by_hand(BackendKind kind) {
  Methods<CellArgs<Dot>> methods = by_hand<Dot>(kind);
  if (CellKernel<Sum>::methods(kind).empty()) return methods;
  Methods<CellArgs<Dot>> both = two_passes(kind);
  both.insert(both.end(), methods.begin(), methods.end());
  return both;
}

}  // namespace

CellDescription<Sum> Sum::description() {
  return {.name = "sum", .flops = [](int, bool) { return 1.0; }, .more = by_hand<Sum>};
}
CellDescription<Dot> Dot::description() {
  return {.name = "dot", .flops = [](int, bool) { return 2.0; }, .more = dot_by_hand};
}
CellDescription<MaxNorm> MaxNorm::description() {
  return {.name = "max_norm", .flops = [](int, bool) { return 1.0; }, .more = by_hand<MaxNorm>};
}
CellDescription<Multiply> Multiply::description() {
  return {.name = "multiply", .flops = [](int, bool) { return 1.0; }};
}

}  // namespace cfdmark
