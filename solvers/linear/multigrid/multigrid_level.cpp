#include "solvers/linear/multigrid/multigrid_level.hpp"

#include <algorithm>
#include <utility>

#include "kernels/jacobi/jacobi.hpp"
#include "solvers/linear/multigrid/level_blocks.hpp"
#include "solvers/linear/stationary/red_black_sweep.hpp"

namespace cfdmark {
namespace {

// A direction is not coarsened if its coupling is weaker than this fraction of the strongest.
constexpr double weakest_coarsened = 0.5;

Operation repeated(const Operation& once, int times, const char* routine) {
  Operation all = once;
  all.routine = routine;
  all.step.run = [run = once.step.run, times] {
    for (int n = 0; n < times; ++n) run();
  };
  all.step.resources.launches *= times;
  all.cost = double(times) * once.cost;
  return all;
}

// Returns true if a method supports a system and is preferred there; `wanted_anyway` is the preference of a
// method that declares none. Several passes per run cannot exchange ghosts in between.
bool does(const SmoothingMethod& method, const System& system, bool wanted_anyway) {
  const CellArgs<RedBlackSor> args{.precision = system.precision,
                                   .fields = {.a = system.stencil(), .u = system.u, .b = system.b}};
  if (method.steps && (system.sides.are_periodic() || system.ranks)) return false;
  return method.why_unsupported(args).empty() && (method.preferred ? method.preferred(args) : wanted_anyway);
}

SmoothingMethod sweep_on(const System& system, const SmoothingMethod& method) {
  return does(method, system, true) ? method : smoothing_methods(system.backend->kind()).front();
}

const char* name_of(TransferPass pass) {
  switch (pass) {
    case TransferPass::restriction: return "restriction";
    case TransferPass::prolongation: return "prolongation";
    case TransferPass::operator_coarsening: break;
  }
  return "operator_coarsening";
}

}  // namespace

Operation nothing(const System& system, const char* routine) {
  Operation none;
  none.routine = routine, none.backend = system.backend, none.clock = system.clock;
  return none;
}

Operation clear_unknown(const System& system) {
  Operation clear = nothing(system, "clear");
  const AnyView& u = system.u;
  const std::size_t value = stored_bytes(u.storage);
  clear.step.run = [backend = system.backend, bytes = Layout(u.grid).elements * value,
                    first = static_cast<char*>(u.origin) - Layout(u.grid).lead * value] {
    backend->set_zero(first, bytes);
  };
  return clear;
}

Methods<CellArgs<RedBlackSor>> smoothing_methods(BackendKind kind) {
  const Methods<CellArgs<RedBlackSor>> all = CellKernel<RedBlackSor>::methods(kind);
  Methods<CellArgs<RedBlackSor>> kept;
  for (const SmoothingMethod& method : all)
    if (kept.empty() || (method.steps && method.for_solvers)) kept.push_back(method);
  return kept;
}

// On an H200 tiles of several passes are no faster here than plain passes in a graph. Methods that declare
// where they are preferred, such as pipelined passes, are used there anyway.
bool smooths_best_by_several(BackendKind kind) { return kind != BackendKind::cuda; }

SmoothingMethod usual_smoothing(const System& system) {
  const BackendKind kind = system.backend->kind();
  const auto methods = smoothing_methods(kind);
  for (const SmoothingMethod& method : methods)
    if (method.steps && does(method, system, smooths_best_by_several(kind))) return method;
  return methods.front();
}

Coarsening next_coarsening(const Grid& g, const Operator& a) {
  const int n[] = {g.nx, g.ny, g.nz};
  const double weights[] = {a.wx, a.wy, g.is_3d() && a.wz == 0 ? a.wx : a.wz};
  double strongest = 0;
  for (int d = 0; d < 3; ++d)
    if (n[d] > 1) strongest = std::max(strongest, weights[d]);
  const auto coarsened = [&](int d) { return n[d] > 1 && weights[d] >= weakest_coarsened * strongest; };
  return {coarsened(0), coarsened(1), coarsened(2)};
}

Coarsening coarsening_of(const Grid& g, const Operator& a, const Sides& sides) {
  const Axes& periodic = sides.periodic;
  Coarsening by = next_coarsening(g, a);
  // An odd number of points would give unevenly spaced coarse points across the periodic sides.
  if (periodic[0] && g.nx % 2) by.x = 0;
  if (periodic[1] && g.ny % 2) by.y = 0;
  if (periodic[2] && g.nz % 2) by.z = 0;
  // A single unknown of a singular system would have no equation.
  return sides.is_singular && coarse_grid(g, by).cells() == 1 ? Coarsening{} : by;
}

// A periodic axis has no boundary that lies nearer to the last coarse point. A periodic axis of one cell is
// its own neighbour, so its coupling vanishes.
Operator coarse_operator(const Grid& fine, const Operator& of_fine, const Sides& sides,
                         const Coarsening& by) {
  Operator a = coarse_constant(of_fine, fine, by);
  const Grid g = coarse_grid(fine, by);
  const int n[] = {g.nx, g.ny, g.nz};
  double* const weights[] = {&a.wx, &a.wy, &a.wz};
  for (int d = 0; d < (g.is_3d() ? 3 : 2); ++d) {
    if (!sides.periodic[d]) continue;
    a.to_boundary[d] = 1;
    if (n[d] == 1 && a.constant) a.centre -= 2 * std::exchange(*weights[d], 0);
  }
  return a;
}

LevelOperations::LevelOperations(const System& system, const AnyView& scratch, const SmoothingMethod& sweep,
                                 const Config& config)
    : system_(system), scratch_(scratch), sweep_(sweep_on(system, sweep)), config_(config) {
  if (config.has("threads")) threads_.set("threads", config.at("threads"));
}

template <class Args>
Config LevelOperations::with_blocks(Config config, const std::string& kernel,
                                    const Method<Args>& method) const {
  const Config of_level =
      level_config(system_, config_, kernel, method.name, method.space_in(system_.precision));
  for (const auto& [name, value] : of_level.values()) config.set(name, value);
  return config;
}

template <class K>
Operation LevelOperations::by_default(const char* routine, const CellArgs<K>& args) const {
  const auto methods = CellKernel<K>::methods(system_.backend->kind());
  const auto& method = default_method(methods, args);
  return prepare(system_, routine, method, args, with_blocks(threads_, K::description().name, method));
}

Operation LevelOperations::smooth(int sweeps, bool reversed) const {
  if (sweeps == 0) return nothing(system_, "smooth");
  if (config_.is(cycle_setting::smoother, "jacobi")) return repeated(damped_jacobi(), sweeps, "smooth");
  return red_black(sweeps, red_black_factor(), reversed, "smooth");
}

Operation LevelOperations::solve_coarsest() const {
  // With arrays a single periodic cell is its own neighbour, so one pass does not solve it.
  const bool is_its_own = system_.sides.are_periodic() && !system_.stencil().constant;
  if (system_.unknowns() == 1 && !is_its_own) return red_black(1, 1, false, "coarsest");
  const int half = (config_.integer(cycle_setting::coarsest_sweeps) + 1) / 2;
  return in_turn(red_black(half, 1, false, "coarsest"), red_black(half, 1, true, "coarsest"));
}

// Returns omega of red-black smoothing. Without a prescribed value at any wall the coarse-grid correction is
// weaker, and more over-relaxation gives a smaller cycle factor (measured). Periodic sides alone do not need
// it.
double LevelOperations::red_black_factor() const {
  const bool in_3d = system_.grid().is_3d();
  const Axes& periodic = system_.sides.periodic;
  const bool has_walls = !periodic[0] || !periodic[1] || (in_3d && !periodic[2]);
  if (!system_.sides.is_singular || !has_walls) return omega_or(1.2);
  return omega_or(in_3d ? 1.35 : 1.25);
}

std::vector<Operation> LevelOperations::restrict_residual(const AnyView& coarse, const Coarsening& by) const {
  const CellArgs<Residual> args{
      .precision = system_.precision,
      .fields = {.a = system_.stencil(), .u = system_.u, .b = system_.b, .out = scratch_}};
  return {Operations(system_, threads_).around(system_.u, by_default<Residual>("restrict", args)),
          transfer(TransferPass::restriction, "restrict", scratch_, coarse, {}, by)};
}

Operation LevelOperations::transfer(TransferPass pass, const char* routine, const AnyView& fine,
                                    const AnyView& coarse, const Operator& coarse_a,
                                    const Coarsening& by) const {
  GridTransferArgs args;
  args.precision = system_.precision, args.pass = pass;
  args.fine_grid = system_.grid(), args.by = by, args.a = system_.stencil();
  args.fine = fine, args.coarse = coarse, args.coarse_a = coarse_a;
  args.periodic = system_.sides.periodic;
  const auto methods = grid_transfer_methods(system_.backend->kind());
  const auto& method = default_method(methods, args);
  const Operation all = prepare(system_, routine, method, grid_transfer_cost, args,
                                with_blocks(threads_, name_of(pass), method));
  return pass == TransferPass::restriction ? Operations(system_, threads_).around(fine, all) : all;
}

Operation LevelOperations::prolong(const System& coarse_system, const AnyView& coarse,
                                   const Coarsening& by) const {
  return Operations(coarse_system, threads_).around(coarse_system.u, prolong_filled(coarse, by));
}

Operation LevelOperations::prolong_filled(const AnyView& coarse, const Coarsening& by) const {
  return transfer(TransferPass::prolongation, "prolong", system_.u, coarse, {}, by);
}

std::vector<Operation> LevelOperations::fill_operator_ghosts() const {
  std::vector<Operation> all;
  for (const AnyView& array : arrays_of(system_.stencil(), system_.grid()))
    for (Operation& copy : Operations(system_, threads_).exchange(array)) all.push_back(std::move(copy));
  return all;
}

bool LevelOperations::can_be_leg(int sweeps, const AnyView& coarse, const Coarsening& by) const {
  const Methods<RedBlackPass> passes = methods_of_passes();
  if (passes.empty() || config_.is(cycle_setting::smoother, "jacobi") || sweeps == 0 || !by.x || !by.y)
    return false;
  const Method<RedBlackPass>& method = passes.front();
  return sweeps <= config_for(method.space, of_pass(method, 1)).integer("depth") &&
         method.why_unsupported(leg_args(CycleLeg::down, scratch_, coarse, false)).empty();
}

Operation LevelOperations::leg(CycleLeg leg, int sweeps, bool reversed, const AnyView& coarse) const {
  const Method<RedBlackPass> method = methods_of_passes().front();
  const RedBlackPass args = leg_args(leg, scratch_, coarse, reversed);
  const Config config = config_for(method.space, of_pass(method, sweeps));
  return {leg == CycleLeg::down ? "smooth and restrict" : "correct and smooth", system_.backend,
          system_.clock, method.prepare(*system_.backend, args, config),
          double(sweeps) * method.config_cost(args, config)};
}

bool LevelOperations::can_be_in_a_block() const {
  return config_.is(cycle_setting::smoother, "red_black") && !system_.sides.are_periodic();
}

double LevelOperations::omega_or(double best) const {
  return config_.is(cycle_setting::omega, "optimal") ? best : config_.real(cycle_setting::omega);
}

CellArgs<RedBlackSor> LevelOperations::sweep_args(const AnyView& u, double omega, bool reversed) const {
  CellArgs<RedBlackSor> args{.precision = system_.precision,
                             .kernel = {.omega = omega},
                             .fields = {.a = system_.stencil(), .u = u, .b = system_.b}};
  if (reversed) args.fields.u.grid.parity = 1 - args.fields.u.grid.parity;
  return args;
}

RedBlackPass LevelOperations::leg_args(CycleLeg leg, const AnyView& other, const AnyView& coarse,
                                       bool reversed) const {
  const bool down = leg == CycleLeg::down;
  return {.sweep = sweep_args(down ? system_.u : other, red_black_factor(), reversed),
          .to = down ? other : system_.u,
          .leg = leg,
          .coarse = coarse};
}

Config LevelOperations::of_pass(const Method<RedBlackPass>& method, int sweeps) const {
  Config config = config_;
  config.set(method.steps, sweeps);
  return config;
}

// Returns the fused legs of the level's own smoothing method.
Methods<RedBlackPass> LevelOperations::methods_of_passes() const {
  Methods<RedBlackPass> passes = red_black_passes(system_.backend->kind());
  std::erase_if(passes, [&](const auto& method) { return method.name != sweep_.name; });
  return passes;
}

Operation LevelOperations::red_black(int sweeps, double omega, bool reversed, const char* routine) const {
  const CellArgs<RedBlackSor> args = sweep_args(system_.u, omega, reversed);
  if (!sweep_.steps)
    return repeated(
        red_black_sweep(system_, routine, sweep_, args, with_blocks(config_, "red_black_sor", sweep_)),
        sweeps, routine);
  Config config = config_;
  config.set(sweep_.steps, sweeps);
  Operation all = prepare(system_, routine, sweep_, args, config);
  all.cost = double(sweeps) * all.cost;
  return all;
}

// u = (1 - omega) u + omega (Jacobi pass of u)
Operation LevelOperations::damped_jacobi() const {
  const double omega = omega_or(system_.grid().is_3d() ? 6.0 / 7 : 0.8);
  const CellArgs<Jacobi> args{
      .precision = system_.precision,
      .fields = {.a = system_.stencil(), .u = system_.u, .b = system_.b, .out = scratch_}};
  const Operations op(system_, threads_);
  return in_turn(op.around(system_.u, by_default<Jacobi>("smooth", args)),
                 op.update({omega}, scratch_, {1 - omega}, system_.u, "smooth"));
}

}  // namespace cfdmark
