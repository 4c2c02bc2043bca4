// Kernels of a staggered grid take their views by the names of their fields.
#include "solvers/flow/staggered_sweep.hpp"

#include "kernels/velocity_correction/velocity_correction.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const Grid grid{2, 2};
AnyView view_of(double& first) { return {&first, grid, Precision::fp64}; }

}  // namespace

TEST_CASE("a star stands for u, v and in 3-D w, and the order of names does not matter", "[flow]") {
  double faces = 0, p = 0, u[3] = {}, new_u[3] = {};
  const NamedViews old_2d{"*", {view_of(u[0]), view_of(u[1])}};
  const auto in_2d = fields_by_name<VelocityCorrection>({{"new *", {view_of(new_u[0]), view_of(new_u[1])}},
                                                         {"p", view_of(p)},
                                                         old_2d,
                                                         {"faces", view_of(faces)}});
  CHECK(in_2d.faces.origin == &faces);
  CHECK(in_2d.p.origin == &p);
  CHECK(in_2d.u.origin == &u[0]);
  CHECK(in_2d.v.origin == &u[1]);
  CHECK(in_2d.new_u.origin == &new_u[0]);
  CHECK(in_2d.new_v.origin == &new_u[1]);
  const auto in_3d = fields_by_name<VelocityCorrection3d>(
      {{"faces", view_of(faces)},
       {"p", view_of(p)},
       {"*", {view_of(u[0]), view_of(u[1]), view_of(u[2])}},
       {"new *", {view_of(new_u[0]), view_of(new_u[1]), view_of(new_u[2])}}});
  CHECK(in_3d.w.origin == &u[2]);
  CHECK(in_3d.new_w.origin == &new_u[2]);
}

TEST_CASE("a missing, an unknown and a repeated field name is an error", "[flow]") {
  double value = 0;
  const AnyView view = view_of(value);
  const std::vector<NamedViews> all = {
      {"faces", view}, {"p", view}, {"*", {view, view}}, {"new *", {view, view}}};
  const auto changed = [&](const auto& change) {
    std::vector<NamedViews> views = all;
    change(views);
    return fields_by_name<VelocityCorrection>(views);
  };
  CHECK_NOTHROW(changed([](auto&) {}));
  CHECK_THROWS_WITH(changed([](auto& views) { views.pop_back(); }),
                    "velocity_correction: no view for field new u");
  CHECK_THROWS_WITH(changed([&](auto& views) {
                      views.push_back({"T", view});
                    }),
                    "velocity_correction has no field T");
  CHECK_THROWS_WITH(changed([&](auto& views) { views.push_back({"p", view}); }), "two views are named p");
}
