#include "solvers/mesh_flow/cavity_on_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/mesh/files/made_mesh.hpp"
#include "kernels/mesh/geometry.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = real_setting("reynolds", 100, real_above(0), "Reynolds number of lid and height");
const Setting courant =
    real_setting("step_courant", 0.5, real_above(0),
                 "time step times the lid's speed, over the side of a square of two mean cells");
const Setting steps{"steps", {}, 20, "time steps; 0: until the flow is steady", "", integer_from(0)};

struct Height {
  double least, most;
  double size() const { return most - least; }
};
Height height_of(const Mesh& mesh, std::size_t axis) {
  const auto [least, most] =
      std::minmax_element(mesh.nodes.begin(), mesh.nodes.end(),
                          [=](const Point& a, const Point& b) { return a[axis] < b[axis]; });
  return {(*least)[axis], (*most)[axis]};
}

std::vector<PublishedValue> published_at(double re) {
  if (re == 100) return {{"u_min", -0.2140417, "Marchi, Suero and Araki 2009"}};
  if (re == 1000) return {{"u_min", -0.3885698, "Botella and Peyret 1998"}};
  return {};
}

std::string unsuitable(const Domain& domain) {
  if (domain.is_mesh() && domain.dims() == 2) return "";
  return "fractional steps need a mesh of triangles, such as --mesh triangles-60x60";
}

FamilyMethod plain_method(StepKind kind, BackendKind on) {
  FamilyMethod method{"plain", {step_settings()}, SourcePlace::here()};
  if (on == BackendKind::openmp)
    for (const Setting& setting : openmp_space().settings) method.space.settings.push_back(setting);
  method.unsupported_dimension = [](int dims, Precision p) -> std::string {
    if (dims == 3) return "fractional steps run on meshes of triangles only";
    return p == Precision::mixed ? "fractional steps have no mixed precision: use fp32 or fp64" : "";
  };
  method.unsupported = [](const CaseShape& shape) { return unsuitable(shape.domain); };
  const auto counts = [](const CaseShape& shape) {
    return shape.domain.is_mesh() ? counts_of(shape.domain.mesh()) : MeshCounts{};
  };
  method.field_bytes = [=](const CaseShape& shape) {
    return step_bytes(kind, counts(shape), shape.precision);
  };
  // The mesh with its connections, and lists and fields that are made to be uploaded or verified.
  method.host_bytes = [=](const CaseShape& shape) {
    return 400.0 * double(counts(shape).cells) + step_bytes(kind, counts(shape), Precision::fp64);
  };
  method.prepare = [kind](Backend& backend, Precision p, const Config& config,
                          const std::shared_ptr<const Problem>& problem, const LevelConfigs&) {
    return std::make_unique<PreparedStep>(kind, backend, p, config, as<MeshFlow>(problem));
  };
  return method;
}

FamilySolver step_solver(const char* name, StepKind kind) {
  FamilySolver solver;
  solver.name = name;
  solver.methods = [kind](BackendKind on) {
    std::vector<FamilyMethod> methods;
    if (has_mesh_kernels(on)) methods.push_back(plain_method(kind, on));
    return methods;
  };
  solver.absent = plain_method(kind, BackendKind::serial);
  solver.max_iterations = 100000;
  solver.is_slow = true;
  return solver;
}

// Returns the largest speed in a cell.
double fastest(const std::vector<Point>& velocities) {
  double most = 0;
  for (const Point& v : velocities)
    if (const double speed = length(v); !(speed <= most)) most = speed;  // a NaN stays
  return most;
}

// Factor by which a flow may be faster than its boundary and its start.
constexpr double most_speed = 100;

std::vector<double> values_of(const Field& field) {
  const HostField host = field.download();
  std::vector<double> values(std::size_t(host.grid().nx));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = host.get(int(n), 0);
  return values;
}

}  // namespace

MeshFlow cavity_on_mesh(std::shared_ptr<const Mesh> mesh, double re, double courant_number, int step_count) {
  const Height height = height_of(*mesh, 1);
  MeshFlow flow;
  flow.viscosity = height.size() / re;
  flow.time_step = courant_number * std::sqrt(2 * volume_of(*mesh) / mesh->cells());
  flow.steps = step_count;
  const auto is_at_top = [&](std::size_t n) {
    return mesh->nodes[std::size_t(mesh->face_nodes[n])][1] > height.most - 1e-12 * height.size();
  };
  for (auto f = std::size_t(mesh->inner_faces); f < std::size_t(mesh->faces()); ++f)
    flow.boundary_velocity.push_back({is_at_top(2 * f) && is_at_top(2 * f + 1) ? 1.0 : 0.0, 0, 0});
  flow.start_stream.resize(mesh->nodes.size());
  flow.published = published_at(re);
  flow.mesh = std::move(mesh);
  return flow;
}

std::vector<CentrelineCell> centreline_velocities(const Mesh& mesh, const std::vector<double>& flux) {
  const Height width = height_of(mesh, 0);
  const double middle = 0.5 * (width.least + width.most);
  MeshFlow flow;
  flow.mesh = std::shared_ptr<const Mesh>(std::shared_ptr<const Mesh>(), &mesh);
  const std::vector<Point> velocity = HostStep(flow).interpolated(flux);
  std::vector<CentrelineCell> crossed;
  for (std::size_t c = 0; c < velocity.size(); ++c) {
    const auto x = [&](std::size_t n) { return mesh.nodes[std::size_t(mesh.cell_nodes[3 * c + n])][0]; };
    const auto [least, most] = std::minmax({x(0), x(1), x(2)});
    if (least < middle && middle < most) crossed.push_back({cell_centroid(mesh, int(c))[1], velocity[c][0]});
  }
  std::sort(crossed.begin(), crossed.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  return crossed;
}

PreparedStep::PreparedStep(StepKind kind, Backend& on, Precision p, const Config& config,
                           std::shared_ptr<const MeshFlow> flow)
    : config_(config),
      state_(on, p, std::move(flow), kind, &clock_),
      solver_(std::make_unique<Solver>(on, fractional_step(state_, config), config, &clock_)),
      field_bytes_(std::size_t(step_bytes(kind, counts_of(*state_.flow->mesh), p))) {}

void PreparedStep::load(std::shared_ptr<const Problem> next) {
  const auto flow = as<MeshFlow>(next);
  const Mesh &now = *state_.flow->mesh, &then = *flow->mesh;
  if (now.nodes != then.nodes || now.cell_nodes != then.cell_nodes || now.face_nodes != then.face_nodes)
    throw std::invalid_argument("the flows have different meshes: a prepared solve keeps its own");
  state_.flow = flow;
  state_.fields->upload(*flow);
}

void PreparedStep::reset() {
  state_.reset();
  state_.fields->backend.fence();
}

StepFluxes PreparedStep::fluxes() const {
  StepFluxes all{values_of(state_.old_flux), values_of(state_.flux), {}};
  if (state_.kind == StepKind::classical) all.pressure = values_of(state_.pressure);
  return all;
}

Judgement PreparedStep::verify(Outcome& outcome, double tolerance) {
  const StepFluxes last = fluxes();
  const MeshFlow& flow = *state_.flow;
  const double unit = roundoff(state_.fields->precision);
  const HostStep host(flow, is_upwind_step(config_));
  const StepCheck found = host.check(last, unit);
  const double speed = fastest(host.interpolated(last.flux)),
               expected =
                   std::max(fastest(flow.boundary_velocity), fastest(host.interpolated(start_fluxes(flow))));
  double u_min = 0;
  for (const CentrelineCell& cell : centreline_velocities(*flow.mesh, last.flux))
    u_min = std::min(u_min, cell.u);
  outcome.results.push_back({"u_min", u_min});

  Judgement judgement;
  const auto claimed = [&](std::size_t n) { return outcome.residuals[n].value; };
  const double change = state_.has_stepped ? found.change : 1;
  judgement.check = "change, divergence and the equations of the last step by loops over the mesh in 64 bits";
  judgement.residuals = {{"change", change}, {"continuity", found.continuity}};
  judgement.facts = {{"step_residual", found.equation}};
  judgement.true_residual = std::max(change, found.continuity);
  const double change_off = std::abs(change - claimed(0)), lost_off = std::abs(found.continuity - claimed(1));
  judgement.difference = std::max(change_off, lost_off);
  // Differences across a cell of s, and of U and p in a divergence, lose as many digits as a side has cells.
  const double side = std::sqrt(double(flow.mesh->cells())), cancelled = 64 * unit * side;
  const double wanted = cg_tolerance_of(config_);
  const double most =
      true_residual_factor * wanted + 64 * found.rounding * (state_.kind == StepKind::exact ? side : 1);
  if (!(speed <= most_speed * expected))
    judgement.wrong = fmt::format(
        "the flow diverged: its speed is {:.3g}, that of its boundary and start {:.3g}; use a smaller {}",
        speed, expected, courant.name);
  else if (!(change_off <= 0.1 * change + 64 * unit / flow.time_step &&
             lost_off <= 0.1 * found.continuity + cancelled))
    judgement.wrong = fmt::format(
        "the solver reports residuals of {:.3g} (change) and {:.3g} (continuity), but they are {:.3g} and "
        "{:.3g}",
        claimed(0), claimed(1), change, found.continuity);
  else if (state_.has_stepped && wanted > 0 && !(found.equation <= most))
    judgement.wrong = fmt::format(
        "the equations of the last step have a residual of {:.3g}, more than {:.3g}: raise cg_iterations or "
        "cg_tolerance",
        found.equation, most);
  const bool has_ended =
      flow.steps > 0 ? outcome.converged : is_converged(judgement.true_residual, tolerance);
  judgement.converged = judgement.wrong.empty() && has_ended;
  if (flow.steps == 0) judgement.published = flow.published;
  return judgement;
}

double step_bytes(StepKind kind, const MeshCounts& n, Precision p) {
  const auto values = [&](long long entities, int components) {
    return double(stored_bytes(p)) *
           double(Layout(mesh_grid(int(entities), components, VectorLayout::planes)).elements);
  };
  const double cell = values(n.cells, 1), vector = values(n.cells, 2), face = values(n.faces, 1),
               face_vector = values(n.faces, 2), node = values(n.nodes, 1);
  // The lists of two cells of a face, and of three faces of a cell, twice: as places too.
  double lists = sizeof(int) * (2.0 * double(n.faces) + 6.0 * double(n.cells));
  double bytes = 3 * vector + 2 * cell + 2 * face_vector + 6 * face + node;
  if (kind == StepKind::classical) {
    bytes += 3 * face + 6 * cell;  // CG of momentum; p, -D U*, CG, and ones for means
  } else {
    bytes += 2 * face + 5 * node;  // C s and A C s; s, C^T r, CG
    lists += sizeof(int) * (4.0 * double(n.faces) + double(n.nodes));
  }
  return bytes + lists;
}

std::vector<FamilySolver> fractional_step_solvers() {
  return {step_solver("fractional_step", StepKind::classical), step_solver("exact_step", StepKind::exact)};
}

FamilyProblem mesh_cavity() {
  FamilyProblem problem;
  problem.name = "mesh_cavity";
  problem.help =
      "the driven cavity on a mesh of triangles: lid on its highest side, extremum of u at mid-width";
  problem.settings = {reynolds, courant, steps, numbering_setting()};
  problem.make = [](const Domain& domain, const Config& settings) {
    if (const std::string why = unsuitable(domain); !why.empty()) throw std::invalid_argument(why);
    const auto made = made_mesh(domain.mesh(), numbering_of(settings));
    auto flow = std::make_shared<MeshFlow>(cavity_on_mesh(
        made->mesh, settings.real(reynolds.name), settings.real(courant.name), settings.integer(steps.name)));
    flow->made = made;
    return flow;
  };
  problem.usual_solver = problem.usual_solver_3d = "fractional_step";
  problem.usual_grid = "triangles-60x60";
  return problem;
}

}  // namespace cfdmark
