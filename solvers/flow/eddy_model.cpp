#include "solvers/flow/eddy_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/cells/operator_problem.hpp"
#include "kernels/eddy_viscosity/eddy_viscosity.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/flow/periodic_ghosts.hpp"

namespace cfdmark {
namespace {

constexpr double karman = 0.41, van_driest = 26;

// Not tuned: another model gives another answer.
const Setting model{"eddy_viscosity",
                    {},
                    "none",
                    "eddy viscosity l^2 |S|: none; smagorinsky, l = C_s Delta; mixing_length, l = 0.41 times "
                    "the wall distance",
                    "",
                    no_numbers(),
                    {"none", "smagorinsky", "mixing_length"}};
const Setting constant = real_setting("smagorinsky_constant", 0.1, {Range::Kind::real, 0, 1},
                                      "C_s: 0.1 in shear flows, 0.17 otherwise");
const Setting damping{"wall_damping",
                      {},
                      "none",
                      "damping of the eddy length near walls: none, or van Driest's",
                      "",
                      no_numbers(),
                      {"none", "van_driest"}};
const Setting friction_speed = real_setting("friction_speed", 0, {Range::Kind::real, 0},
                                            "u_tau of van Driest's damping; 0: from the driving force");
// The review (results/published/README.md) gives no value. 0.85 to 0.9 holds in boundary layers of air (Kays
// 1994, J. Heat Transfer 116, 284).
const Setting prandtl = real_setting("turbulent_prandtl", 0.9, real_above(0),
                                     "Pr_t: the eddy diffusivity of heat is the eddy viscosity over Pr_t");

bool is_damped(const Config& config) { return config.is(damping.name, "van_driest"); }

// Returns the face kind at the lower (0) or upper (1) side of a cell along an axis.
FaceKind kind_of(const HostField& faces, int axis, int side, int i, int j, int k) {
  const CellFaces cell{int(faces.get(i, j, k))};
  return side == 0 ? cell.before(axis) : cell.behind(axis);
}
bool is_fluid(const HostField& faces, int i, int j, int k) {
  return !CellFaces{int(faces.get(i, j, k))}.is_solid();
}

// Returns the distance from each cell's centre to the nearest wall along the axes; infinity without a wall.
HostField wall_distances(const FlowDomain& domain, const HostField& faces) {
  const Grid& g = faces.grid();
  HostField nearest(g, Precision::fp64);
  for_each_cell(g, false,
                [&](int i, int j, int k) { nearest.set(i, j, k, std::numeric_limits<double>::infinity()); });
  const int cells[] = {g.nx, g.ny, g.nz};
  for (int axis = 0; axis < g.dims; ++axis) {
    const double side = domain.cell.side(axis);
    const int n = cells[axis];
    // Scans each line in both directions. Two rounds, because a periodic line continues at its other end.
    const auto line = [&](int i, int j, int k) {
      for (const int way : {0, 1}) {
        double distance = std::numeric_limits<double>::infinity();
        for (int step = 0; step < 2 * n; ++step) {
          const int m = way == 0 ? step % n : n - 1 - step % n;
          const int at[] = {axis == 0 ? m : i, axis == 1 ? m : j, axis == 2 ? m : k};
          const FaceKind kind = kind_of(faces, axis, way, at[0], at[1], at[2]);
          distance = kind == FaceKind::fixed   ? 0.5 * side
                     : kind == FaceKind::fluid ? distance + side
                                               : std::numeric_limits<double>::infinity();
          nearest.set(at[0], at[1], at[2], std::min(nearest.get(at[0], at[1], at[2]), distance));
        }
      }
    };
    for (int k = 0; k < (axis == 2 ? 1 : g.nz); ++k)
      for (int j = 0; j < (axis == 1 ? 1 : g.ny); ++j)
        for (int i = 0; i < (axis == 0 ? 1 : g.nx); ++i) line(i, j, k);
  }
  return nearest;
}

// Returns u_tau from the force balance: rho u_tau^2 on all walls parallel to the flow equals the driving
// force.
double driven_friction_speed(const FlowDomain& domain, const HostField& faces) {
  double volume = 0, area = 0;
  for_each_cell(faces.grid(), false, [&](int i, int j, int k) {
    if (!is_fluid(faces, i, j, k)) return;
    volume += domain.cell.volume();
    for (int axis = 1; axis < faces.grid().dims; ++axis)
      for (const int side : {0, 1})
        if (kind_of(faces, axis, side, i, j, k) == FaceKind::fixed) area += domain.cell.area(axis);
  });
  return area > 0 ? std::sqrt(std::abs(domain.driving_force) * volume / (domain.cell.density * area)) : 0;
}

}  // namespace

std::vector<Setting> eddy_settings() { return {model, constant, damping, friction_speed, prandtl}; }

bool has_eddies(const Config& config) { return config.has(model.name) && !config.is(model.name, "none"); }

double turbulent_prandtl(const Config& config) { return config.real(prandtl.name); }
bool sets_turbulent_prandtl(const Config& config) {
  return turbulent_prandtl(config) != prandtl.default_value.number();
}

void complete_eddy_space(TuningSpace& space) {
  const auto adapt = space.adapt;
  space.adapt = [adapt](Config& defaults, const Config& given) {
    if (adapt) adapt(defaults, given);
    if (has_eddies(given) && !given.has("time_step")) defaults.set("time_steps", "stable");
  };
  space.require([](const Config& c) -> std::string {
    const bool is_smagorinsky = c.is(model.name, "smagorinsky");
    if (!is_smagorinsky && c.real(constant.name) != constant.default_value.number())
      return "smagorinsky_constant needs eddy_viscosity=smagorinsky: set that, or leave it out";
    if (!has_eddies(c) && is_damped(c)) return "wall_damping needs eddy_viscosity: set that, or leave it out";
    if (!has_eddies(c) && sets_turbulent_prandtl(c))
      return "turbulent_prandtl needs eddy_viscosity: set that, or leave it out";
    if (!is_damped(c) && c.real(friction_speed.name) > 0)
      return "friction_speed needs wall_damping=van_driest: set that, or leave it out";
    return "";
  });
}

HostField eddy_lengths(const FlowDomain& domain, const HostField& faces, const Config& config) {
  const Grid& g = faces.grid();
  const FluidCell& c = domain.cell;
  const bool is_smagorinsky = config.is(model.name, "smagorinsky");
  const double delta = g.is_3d() ? std::cbrt(c.volume()) : std::sqrt(c.dx * c.dy);
  double u_tau = config.real(friction_speed.name);
  if (is_damped(config) && u_tau == 0) u_tau = driven_friction_speed(domain, faces);
  const HostField distances = wall_distances(domain, faces);
  HostField lengths(g, Precision::fp64);
  for_each_cell(g, false, [&](int i, int j, int k) {
    if (!is_fluid(faces, i, j, k)) return;
    const double y = distances.get(i, j, k);
    if (!is_smagorinsky && !std::isfinite(y))
      throw std::invalid_argument(
          "eddy_viscosity=mixing_length: a cell of this flow has no wall along any axis; set "
          "eddy_viscosity=smagorinsky");
    const double undamped = is_smagorinsky ? config.real(constant.name) * delta : karman * y;
    const double y_plus = y * u_tau * c.density / c.viscosity;
    lengths.set(i, j, k, is_damped(config) ? undamped * -std::expm1(-y_plus / van_driest) : undamped);
  });
  return lengths;
}

EddyModel::EddyModel(FlowSystem& flow, const Config& config, const StaggeredSweeps& sweeps)
    : flow_(flow), config_(config), sweeps_(sweeps), length_(flow.field()), eddy_(flow.field()) {
  if (!flow.domain.heat && sets_turbulent_prandtl(config))
    throw std::invalid_argument("turbulent_prandtl: this flow has no heat; leave it out");
  if (is_damped(config) && config.real(friction_speed.name) == 0 && flow.domain.driving_force == 0)
    throw std::invalid_argument(
        "wall_damping=van_driest: no driving force determines u_tau; set friction_speed");
  if (flow.ranks() && !flow.backend.host_accessible())
    flow.take_domain_faces = [this](const HostField& faces) {
      take_part(eddy_lengths(flow_.domain, faces, config_));
      knows_lengths_ = true;
    };
}

void EddyModel::start() {
  if (std::exchange(knows_lengths_, true)) return;  // walls do not move
  if (flow_.take_domain_faces) throw std::logic_error("a part of a flow lacks the faces of its domain");
  if (flow_.ranks()) return start_on_ranks();
  length_.upload(converted(eddy_lengths(flow_.domain, flow_.faces.download(), config_), flow_.precision));
}

// The distance to a wall may be across cuts: each rank takes its part of the lengths of the whole domain.
void EddyModel::start_on_ranks() {
  const System system = flow_.poisson_system();
  const CellBox own = system.own();
  const HostField part = flow_.faces.download();
  HostField faces(system.domain(), flow_.precision);
  for_each_cell(part.grid(), false,
                [&](int i, int j, int k) { faces.set(own.i + i, own.j + j, own.k + k, part.get(i, j, k)); });
  Field whole(flow_.backend, faces.grid(), flow_.precision);
  whole.upload(faces);
  Operations(system, {}).gather(*flow_.ranks(), whole.view())();
  take_part(eddy_lengths(flow_.domain, whole.download(), config_));
}

void EddyModel::take_part(const HostField& lengths) {
  const CellBox own = flow_.own();
  HostField of_part(flow_.grid(), flow_.precision);
  for_each_cell(of_part.grid(), false, [&](int i, int j, int k) {
    of_part.set(i, j, k, lengths.get(own.i + i, own.j + j, own.k + k));
  });
  length_.upload(of_part);
}

std::vector<Operation> EddyModel::add_to(const std::vector<AnyView>& rates) const {
  const std::vector<AnyView> velocities = velocity_views(flow_);
  const AnyView faces = flow_.faces.view(), eddy = eddy_.view();
  std::vector<Operation> all = {sweeps_.sweep<EddyViscosity, EddyViscosity3d>(
      "eddy viscosity", EddyViscosityOfStrain{{flow_.domain.cell}},
      {{"faces", faces}, {"*", velocities}, {"l", length_.view()}, {"nu_t", eddy}})};
  const PeriodicGhosts ghosts(flow_.poisson_system(), flow_.domain, {eddy}, threads_of(config_));
  all.insert(all.end(), ghosts.copies().begin(), ghosts.copies().end());
  all.push_back(sweeps_.sweep<EddyStress, EddyStress3d>(
      "eddy stress", EddyMomentum{{flow_.domain.cell}},
      {{"faces", faces}, {"nu_t", eddy}, {"*", velocities}, {"R(*)", rates}}));
  return all;
}

}  // namespace cfdmark
