// Fractional steps on triangles: their algebra, and the driven cavity.
#include "solvers/mesh/fractional_step.hpp"

#include "kernels/cells/timed_problem.hpp"
#include "kernels/device/backends/counting.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
#include "kernels/mesh_step/mesh_step.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/kernels/run_kernel.hpp"
#include "tests/solvers/linear/solve.hpp"
#include "tests/solvers/mesh/step_solve.hpp"

using namespace cfdmark;

namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<double> noise_values(int n, unsigned salt) {
  std::vector<double> values;
  for (int e = 0; e < n; ++e) values.push_back(noise(e, 0, 0, salt) - 1);
  return values;
}
// Random fluxes inside and none through the boundary.
std::vector<double> noise_fluxes(const Mesh& mesh, unsigned salt) {
  std::vector<double> values = noise_values(mesh.faces(), salt);
  std::fill(values.begin() + mesh.inner_faces, values.end(), 0);
  return values;
}
double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
  return sum;
}
std::vector<double> curl(const Mesh& mesh, const std::vector<double>& s) {
  std::vector<double> u;
  for (std::size_t f = 0; f < std::size_t(mesh.faces()); ++f)
    u.push_back(s[std::size_t(mesh.face_nodes[2 * f + 1])] - s[std::size_t(mesh.face_nodes[2 * f])]);
  return u;
}

// The operators of a step on a backend, applied to values.
struct StepAlgebra {
  MeshFlow flow;
  StepState state;
  Operations op;

  StepAlgebra(MeshFlow of, BackendKind on = BackendKind::serial, Precision p = Precision::fp64)
      : flow(std::move(of)),
        state(backend(on), p, std::make_shared<const MeshFlow>(flow), StepKind::exact),
        op(state.system({}, state.flux, state.flux), {}) {}
  template <class A>
  std::vector<double> apply(Entity entity, const std::vector<double>& values) {
    const A a(state.fields);
    Field x = state.fields->field(entity), y = state.fields->field(entity);
    state.fields->set(x, entity, values);
    a.apply(op, x.view(), y.view())();
    return flat_values(y);
  }
};

std::vector<BackendKind> backends_with_meshes() {
  std::vector<BackendKind> all;
  for (const BackendKind kind : backends_here())
    if (has_mesh_kernels(kind)) all.push_back(kind);
  return all;
}

}  // namespace

TEST_CASE("the operators of a fractional step are those of plain loops over the mesh", "[mesh][step]") {
  for (const BackendKind kind : backends_with_meshes())
    for (const Precision p : {Precision::fp32, Precision::fp64}) {
      if (!not_built_reason(p).empty()) continue;
      INFO(to_string(kind) << " " << to_string(p));
      StepAlgebra algebra(cavity_on_mesh(shared_triangles(9, 7, 40, 2), 20, 0.5, 0), kind, p);
      const Mesh& mesh = *algebra.flow.mesh;
      const HostStep host(algebra.flow);
      const double near = p == Precision::fp64 ? 1e-12 : 1e-4;
      const auto is_near = [&](const std::vector<double>& found, const std::vector<double>& expected) {
        CHECK(norm_of_values(expected) > 0);
        CHECK(largest_gap(found, expected) < near * norm_of_values(expected));
      };
      const std::vector<double> u = noise_values(mesh.faces(), 1), phi = noise_values(mesh.cells(), 2),
                                s = noise_values(int(mesh.nodes.size()), 3);
      is_near(algebra.apply<MomentumOperator>(Entity::face, u), host.momentum(u));
      is_near(algebra.apply<StreamOperator>(Entity::node, s), host.rotation(host.momentum(curl(mesh, s))));
      const std::vector<double> pushed = host.corrected(std::vector<double>(u.size()), phi, 1);
      is_near(algebra.apply<PressureOperator>(Entity::cell, phi), host.divergence(pushed));
    }
}

TEST_CASE("the operators of a fractional step are symmetric and positive", "[mesh][step]") {
  StepAlgebra algebra(cavity_on_mesh(shared_triangles(9, 7, 40, 2), 20, 0.5, 0));
  const Mesh& mesh = *algebra.flow.mesh;
  const auto check = [&]<class A>(Entity entity, const std::vector<double>& x, const std::vector<double>& y) {
    const std::vector<double> ax = algebra.apply<A>(entity, x), ay = algebra.apply<A>(entity, y);
    CHECK(std::abs(product(ax, y) - product(x, ay)) < 1e-13 * norm_of_values(ax) * norm_of_values(y));
    CHECK(product(ax, x) > 0);
    CHECK(product(ay, y) > 0);
  };
  check.operator()<MomentumOperator>(Entity::face, noise_fluxes(mesh, 1), noise_fluxes(mesh, 2));
  check.operator()<PressureOperator>(Entity::cell, noise_values(mesh.cells(), 3),
                                     noise_values(mesh.cells(), 4));
  std::vector<double> s = noise_values(int(mesh.nodes.size()), 5),
                      t = noise_values(int(mesh.nodes.size()), 6);
  const std::vector<char> inner = inner_nodes(mesh);
  for (std::size_t n = 0; n < s.size(); ++n)
    if (!inner[n]) s[n] = t[n] = 0;
  check.operator()<StreamOperator>(Entity::node, s, t);
  CHECK(norm_of_values(algebra.apply<PressureOperator>(
            Entity::cell, std::vector<double>(std::size_t(mesh.cells()), 3.0))) == 0);
}

TEST_CASE("the divergence after a classical step is the residual of its pressure", "[mesh][step]") {
  for (const double tolerance : {1e-2, 1e-5, 1e-9}) {
    INFO(tolerance);
    Stepped flow(StepKind::classical, cavity_on_mesh(shared_triangles(12, 12), 100, 0.5, 0),
                 {{"cg_tolerance", tolerance}});
    flow.step(1);
    const HostStep host(*flow.state.flow);
    const std::vector<double> u = flow.flux(), p = flat_values(flow.state.pressure);
    const std::vector<double> before = host.divergence(host.corrected(u, p, -1)), lost = host.divergence(u);
    // The first pressure is 0: the first residual is the divergence of U*. CG tests every tenth iteration.
    CHECK(norm_of_values(lost) < tolerance * norm_of_values(before));
    CHECK(norm_of_values(lost) > 1e-4 * tolerance * norm_of_values(before));
    // b - A p with b = -D U* from the loops and A from the kernels.
    StepAlgebra algebra(*flow.state.flow);
    std::vector<double> residual = algebra.apply<PressureOperator>(Entity::cell, p);
    for (std::size_t c = 0; c < residual.size(); ++c) residual[c] = before[c] + residual[c];
    CHECK(largest_gap(residual, lost) < 1e-15);
  }
}

TEST_CASE("the divergence after an exact step is rounding, whatever the tolerance of CG", "[mesh][step]") {
  for (const double tolerance : {0.5, 1e-2, 1e-9}) {
    Stepped flow(StepKind::exact, cavity_on_mesh(shared_triangles(12, 12, 60), 100, 0.5, 0),
                 {{"cg_tolerance", tolerance}});
    flow.step(3);
    const std::vector<double> u = flow.flux();
    CHECK(norm_of_values(u) > 1e-2);
    CHECK(norm_of_values(HostStep(*flow.state.flow).divergence(u)) < 1e-15 * norm_of_values(u));
  }
}

TEST_CASE("the right-hand side of an exact step does not see a pressure gradient", "[mesh][step]") {
  const auto mesh = shared_triangles(9, 7, 40, 2);
  const MeshShape shape{mesh, Precision::fp64};
  const std::vector<char> inner = inner_nodes(*mesh);
  const auto is_inner = [&](int n, int) { return double(inner[std::size_t(n)]); };
  const MeshResult g =
      run_on_mesh<MeshGradient>(shape, {{"p", [](int c, int) { return 100 * noisy(c, 0); }}});
  const auto rotated = [&](bool with_gradient) {
    return run_on_mesh<MeshInnerRotation>(
        shape,
        {{"g", [&](int f, int) { return noisy(f, 1) + (with_gradient ? g(f) : 0); }}, {"inner", is_inner}});
  };
  const MeshResult without = rotated(false), with = rotated(true);
  double size = 0;
  for (int n = 0; n < int(mesh->nodes.size()); ++n) {
    CHECK(with(n) == Approx(without(n)).margin(1e-12));
    if (!inner[std::size_t(n)]) CHECK(with(n) == 0);
    size = std::max(size, std::abs(with(n)));
  }
  CHECK(size > 0.5);
}

TEST_CASE("a pressure gradient alone moves nothing: classical steps find the pressure, exact ones no flow",
          "[mesh][step]") {
  MeshFlow flow = cavity_on_mesh(shared_triangles(9, 7, 40, 2), 100, 0.5, 0);
  flow.viscosity = 0;
  const Mesh& mesh = *flow.mesh;
  const std::vector<double> phi = noise_values(mesh.cells(), 7);
  std::vector<double> gradient(std::size_t(mesh.faces()));
  for (std::size_t f = 0; f < std::size_t(mesh.inner_faces); ++f)
    gradient[f] = phi[std::size_t(mesh.face_cells[2 * f + 1])] - phi[std::size_t(mesh.face_cells[2 * f])];
  // Momentum: A = M / dt, so U* = dt (A_f / L) G phi, which a correction by -phi makes.
  const HostStep host(flow);
  StepAlgebra algebra(flow);
  const std::vector<double> star = host.corrected(std::vector<double>(gradient.size()), phi, -1);
  CHECK(largest_gap(algebra.apply<MomentumOperator>(Entity::face, star), gradient) < 1e-13);
  StepState state(backend(BackendKind::serial), Precision::fp64, std::make_shared<const MeshFlow>(flow),
                  StepKind::classical);
  std::vector<double> loss = host.divergence(star);
  for (double& value : loss) value = -value;
  state.fields->set(state.loss, Entity::cell, loss);
  System poisson =
      state.system(std::make_shared<const PressureOperator>(state.fields), state.loss, state.pressure);
  poisson.sides.is_singular = true;
  InnerSolve solve(poisson, {"cg", 1000, 1e-12}, {});
  solve();
  const std::vector<double> p = flat_values(state.pressure);
  std::vector<double> shift;
  for (std::size_t c = 0; c < p.size(); ++c) shift.push_back(p[c] - phi[c]);
  CHECK(largest_gap(shift, std::vector<double>(p.size(), shift.front())) < 1e-9);
  CHECK(norm_of_values(host.corrected(star, p, 1)) < 1e-9 * norm_of_values(star));
  CHECK(norm_of_values(host.rotation(gradient)) < 1e-14 * norm_of_values(gradient));
}

TEST_CASE("a fluid at rest between walls at rest stays at rest", "[mesh][step]") {
  for (const StepKind kind : {StepKind::classical, StepKind::exact}) {
    MeshFlow flow = cavity_on_mesh(shared_triangles(8, 8), 100, 0.5, 0);
    flow.boundary_velocity.assign(flow.boundary_velocity.size(), Point{});
    Stepped at_rest(kind, flow);
    at_rest.step(3);
    CHECK(norm_of_values(at_rest.flux()) == 0);
    for (const NamedValue& residual : at_rest.iteration->residuals()) CHECK(residual.value == 0);
  }
}

TEST_CASE("a constant flow through an open box stays constant, with convection and diffusion",
          "[mesh][step]") {
  for (const StepKind kind : {StepKind::classical, StepKind::exact})
    for (const char* convection : {"central", "upwind"})
      for (const int extra : {0, 40}) {
        INFO(convection << " " << extra);
        Stepped flow(kind, constant_flow(shared_triangles(9, 7, extra, 2), {0.8, -0.6, 0}),
                     {{"convection", convection}, {"cg_tolerance", 1e-12}});
        const std::vector<double> start = flow.flux();
        flow.step(5);
        CHECK(norm_of_values(start) > 1);
        CHECK(largest_gap(flow.flux(), start) < 1e-13);
      }
}

TEST_CASE("the right-hand side of a step is that of plain loops over the mesh", "[mesh][step]") {
  for (const char* convection : {"central", "upwind"}) {
    Stepped flow(StepKind::exact, cavity_on_mesh(shared_triangles(9, 7, 40, 2), 100, 0.5, 0),
                 {{"convection", convection}});
    flow.step(4);
    const HostStep host(*flow.state.flow, convection == std::string("upwind"));
    const std::vector<double> expected = host.right_side(flat_values(flow.state.old_flux));
    CHECK(largest_gap(flat_values(flow.state.rhs), expected) < 1e-13 * norm_of_values(expected));
    CHECK(largest_gap(HostStep(*flow.state.flow, convection != std::string("upwind"))
                          .right_side(flat_values(flow.state.old_flux)),
                      expected) > 1e-4 * norm_of_values(expected));
  }
}

TEST_CASE("classical and exact steps differ by the order of the time step", "[mesh][step]") {
  const auto mesh = shared_triangles(10, 10, 100);
  const auto difference = [&](int steps) {
    std::vector<std::vector<double>> fluxes;
    for (const StepKind kind : {StepKind::classical, StepKind::exact}) {
      MeshFlow flow = cavity_on_mesh(mesh, 10, 1, 0);
      flow.time_step = 0.1 / steps;
      // A vortex between walls at rest: a lid that starts suddenly has a layer of its own at every time step.
      flow.boundary_velocity.assign(flow.boundary_velocity.size(), Point{});
      for (std::size_t n = 0; n < mesh->nodes.size(); ++n) {
        const double x = std::sin(pi * mesh->nodes[n][0]), y = std::sin(pi * mesh->nodes[n][1]);
        flow.start_stream[n] = 0.1 * x * x * y * y;
      }
      Stepped stepped(kind, flow, {{"cg_tolerance", 1e-12}});
      stepped.step(steps);
      fluxes.push_back(stepped.flux());
    }
    return largest_gap(fluxes[0], fluxes[1]) / norm_of_values(fluxes[1]);
  };
  const double coarse = difference(80), fine = difference(160), finest = difference(320);
  INFO(coarse << " " << fine << " " << finest);
  CHECK(coarse < 0.05);
  CHECK(coarse / fine > 1.7);
  CHECK(fine / finest > 1.8);
  CHECK(fine / finest < 2.2);
}
