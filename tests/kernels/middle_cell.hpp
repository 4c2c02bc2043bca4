// One cell with distinct neighbours, for kernels of flows by hand. All other cells are NaN, so that reading
// one of them is detected.
#pragma once

#include <limits>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark::middle_cell {

inline constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .density = 2, .viscosity = 3};  // volume 1/8
inline constexpr FaceKind fluid = FaceKind::fluid, fixed_velocity = FaceKind::fixed,
                          outlet = FaceKind::outlet, slip = FaceKind::slip;
inline const int all_fluid = CellFaces::of(fluid, fluid, fluid, fluid).code, solid = CellFaces::solid().code;

// Values at a cell, (1, 1), and around it.
struct StencilIn {
  double centre, west, east, south, north;
};
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

inline HostField field(FieldPlace place, const StencilIn& values) {
  HostField f(Grid{3, 3}.at(place), Precision::fp64);
  for_each_cell(f.grid(), true, [&](int i, int j, int k) { f.set(i, j, k, nothing); });
  f.set(1, 1, 0, values.centre);
  f.set(0, 1, 0, values.west), f.set(2, 1, 0, values.east);
  f.set(1, 0, 0, values.south), f.set(1, 2, 0, values.north);
  return f;
}
inline HostField at_cells(const StencilIn& values) { return field(FieldPlace::cell, values); }
inline HostField at_cell(double value) { return at_cells({value, nothing, nothing, nothing, nothing}); }
// Mass fluxes on the west and east faces, and on the south and north faces.
inline HostField at_faces_x(double west, double east) {
  return field(FieldPlace::face_x, {west, nothing, east, nothing, nothing});
}
inline HostField at_faces_y(double south, double north) {
  return field(FieldPlace::face_y, {south, nothing, nothing, nothing, north});
}

// Applies the body to the middle cell, or to its west or south face.
template <class K>
void sweep_middle(const K& kernel, const typename K::template Fields<AnyViews>& fields) {
  const CellArgs<K> args{.precision = Precision::fp64, .kernel = kernel, .fields = fields};
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
    if constexpr (std::is_same_v<typename V::Number, double>) sweep_cell<V>(kernel, views, 1, 1, 0);
  });
}

inline double middle(const HostField& f) { return f.get(1, 1); }

}  // namespace cfdmark::middle_cell
