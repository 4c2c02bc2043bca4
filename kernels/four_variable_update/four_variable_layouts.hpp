// What the methods with a layout of their own share.
#pragma once

#include <array>

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/four_variable_update/four_variable_update.hpp"

namespace cfdmark {

using FourVariableArgs = CellArgs<FourVariableUpdate>;

// A field on this grid holds the four variables of cell i in its cells 4 i to 4 i + 3.
inline Grid interleaved(const Grid& g) { return {4 * g.nx, g.ny, g.nz, g.dims}; }

inline std::array<AnyView, 4> q_of(const FourVariableArgs& args) {
  return {args.fields.q0, args.fields.q1, args.fields.q2, args.fields.q3};
}
inline std::array<AnyView, 4> rhs_of(const FourVariableArgs& args) {
  return {args.fields.rhs0, args.fields.rhs1, args.fields.rhs2, args.fields.rhs3};
}

template <class T>
FourViews<T> four_views(const std::array<AnyView, 4>& fields) {
  return {{fields[0].as<T>(), fields[1].as<T>(), fields[2].as<T>(), fields[3].as<T>()}};
}

}  // namespace cfdmark
