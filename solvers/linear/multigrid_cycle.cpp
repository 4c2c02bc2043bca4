#include <algorithm>

#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "solvers/linear/multigrid.hpp"

namespace cfdmark {
namespace {

const Setting nu1{"nu1", {1, 2, 3}, 2, "sweeps of multigrid on the way down", "", whole_from(0)};
const Setting nu2{"nu2", {1, 2, 3}, 2, "sweeps of multigrid on the way up", "", whole_from(0)};
const Setting most_levels{"levels", {}, 32, "grids of multigrid at most; fewer if there are no more"};
const Setting coarsest_sweeps{
    "coarsest_sweeps", {}, 20, "on the coarsest grid, where it has more than one unknown"};
const Setting smoothing_omega{"omega",
                              {},
                              "optimal",
                              "factor of the smoothing sweeps; optimal: 1.2 red-black (1 in bicgstab; where "
                              "nothing passes any side 1.25 in 2-D and 1.35 in 3-D), Jacobi 4/5 in 2-D and "
                              "6/7 in 3-D",
                              "",
                              real_between(0, 2),
                              {"optimal"}};
// A small grid's cycle is dozens of launches that each take longer to give than to run.
const Setting launch_mode = word_setting("launch_mode", {"graph", "stream"}, "graph",
                                         "of a multigrid cycle: one CUDA graph, or kernel by kernel");
// Coarse levels wait for launches, not for memory. On an H200 1024 is 4 to 8 % faster than 4096 at 256x256,
// at 1023x1023 and at 64x64x64.
const Setting block_cells{
    "block_cells",
    {0, 256, 1024, 4096},
    1024,
    "of a grid at most that one block does with all coarser ones of a multigrid v-cycle; "
    "0: none",
    "",
    whole_from(0)};
Setting untuned(Setting s) {
  s.values.clear();
  return s;
}

std::string sweeps_constraint(const Config& c) {
  return c.whole(nu1.name) + c.whole(nu2.name) > 0 ? "" : "nu1=0,nu2=0: a cycle needs a sweep";
}

// Couplings that are weaker than this share of the strongest are not coarsened along.
constexpr double weakest_coarsened = 0.5;

Operation nothing(const System& system, const char* routine) {
  Operation none;
  none.routine = routine, none.backend = system.backend, none.clock = system.clock;
  return none;
}

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

}  // namespace

void add_cycle_settings(BackendKind kind, TuningSpace& space) {
  for (const Setting& s :
       {nu1, nu2,
        untuned(word_setting("cycle", {"v", "w", "f", "full"}, "v",
                             "of multigrid; full: from the coarsest grid up, a v on each")),
        untuned(word_setting("smoother", {"red_black", "jacobi"}, "red_black", "of multigrid")),
        smoothing_omega, most_levels, coarsest_sweeps})
    space.settings.push_back(s);
  if (kind == BackendKind::cuda) {
    space.settings.push_back(untuned(launch_mode));
    space.settings.push_back(untuned(block_cells));
  }
  space.require(sweeps_constraint);
}

Methods<CellArgs<RedBlackSor>> smoothing_methods(BackendKind kind) {
  const Methods<CellArgs<RedBlackSor>> all = CellKernel<RedBlackSor>::methods(kind);
  Methods<CellArgs<RedBlackSor>> kept;
  for (const SmoothingMethod& method : all)
    if (kept.empty() || (method.steps && method.for_solvers)) kept.push_back(method);
  return kept;
}

// Tiles of a GPU gain nothing here: on an H200 a cycle at 1025 x 1025 takes 0.29 ms by plain sweeps in a
// graph and 0.36 ms by tiles, at 8193 x 8193 6.5 and 6.7 ms (results/nvidia-h200/multigrid.jsonl). What
// says itself where it is preferred, as pipelined sweeps do, is taken there.
bool smooths_best_by_several(BackendKind kind) { return kind != BackendKind::cuda; }

SmoothingMethod usual_smoothing(const System& system) {
  const BackendKind kind = system.backend->kind();
  const auto methods = smoothing_methods(kind);
  const CellArgs<RedBlackSor> args{system.precision, {}, {system.a, system.u, system.b}};
  if (system.sides.are_periodic()) return methods.front();
  for (const SmoothingMethod& method : methods)
    if (method.steps && method.why_unsupported(args).empty() &&
        (method.preferred ? method.preferred(args) : smooths_best_by_several(kind)))
      return method;
  return methods.front();
}

Operation clear_unknown(const System& system) {
  Operation clear = nothing(system, "clear");
  const AnyView& u = system.u;
  const std::size_t value = stored_bytes(u.storage);
  clear.step.run = [backend = system.backend, bytes = u.grid.elements() * value,
                    first = static_cast<char*>(u.origin) - u.grid.lead() * value] {
    backend->set_zero(first, bytes);
  };
  return clear;
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

namespace {

// Between periodic sides an odd number is not coarsened: its coarse points would not be evenly spaced across
// them. Of a system that leaves a constant open one unknown would have no equation: it keeps two, or up
// to 27.
Coarsening coarsening_of(const System& s) {
  const Grid& g = s.grid();
  const auto periodic = s.sides.periodic();
  Coarsening by = next_coarsening(g, s.a);
  if (periodic[0] && g.nx % 2) by.x = 0;
  if (periodic[1] && g.ny % 2) by.y = 0;
  if (periodic[2] && g.nz % 2) by.z = 0;
  return s.sides.leave_constant_open && coarse_grid(g, by).cells() == 1 ? Coarsening{} : by;
}

// Periodic sides have no boundary that is nearer.
Operator coarse_operator(const System& s, const Coarsening& by) {
  Operator a = coarse_constant(s.a, s.grid(), by);
  const auto periodic = s.sides.periodic();
  for (int d = 0; d < 3; ++d)
    if (periodic[d]) a.to_boundary[d] = 1;
  return a;
}

}  // namespace

struct MultigridCycle::Level {
  std::unique_ptr<OwnedSystem> owned;  // none of the finest
  System system;
  Field scratch;  // residuals, or what Jacobi makes of u; or u itself between two legs of the cycle
  Coarsening by;  // to the next level
  // Restricting ends with a clear coarse unknown. Legs smooth and restrict, or correct and smooth, in one.
  std::vector<Operation> smooth_down, restrict_residual, correct, smooth_up;
  Operation solve;  // of the coarsest
};

namespace {

// Makes the operations of a level.
class LevelOperations {
 public:
  LevelOperations(const System& system, const AnyView& scratch, const SmoothingMethod& sweep,
                  const Config& config)
      : system_(system), scratch_(scratch), sweep_(sweep), config_(config) {
    if (config.has("threads")) threads_.set("threads", config.at("threads"));
  }

  // reversed: black before red.
  Operation smooth(int sweeps, bool reversed) const {
    if (sweeps == 0) return nothing(system_, "smooth");
    if (config_.is("smoother", "jacobi")) return repeated(damped_jacobi(), sweeps, "smooth");
    return red_black(sweeps, omega_or(best_red_black()), reversed, "smooth");
  }

  // Whether so many sweeps can go in one pass that is a leg of a cycle. The field between the legs is the
  // scratch field.
  bool can_be_leg(int sweeps, const AnyView& coarse, const Coarsening& by) const {
    const Methods<RedBlackPass> passes = methods_of_passes();
    if (passes.empty() || config_.is("smoother", "jacobi") || sweeps == 0 || !by.x || !by.y ||
        system_.sides.are_periodic())
      return false;
    const Method<RedBlackPass>& method = passes.front();
    return sweeps <= config_for(method.space, of_pass(method, 1)).whole("depth") &&
           method.why_unsupported(leg_args(CycleLeg::down, scratch_, coarse, false)).empty();
  }
  // down: from u to the scratch field, and the residual to coarse; up: with the correction from coarse, back.
  Operation leg(CycleLeg leg, int sweeps, bool reversed, const AnyView& coarse) const {
    const Method<RedBlackPass> method = methods_of_passes().front();
    const RedBlackPass args = leg_args(leg, scratch_, coarse, reversed);
    const Config config = config_for(method.space, of_pass(method, sweeps));
    return {leg == CycleLeg::down ? "smooth and restrict" : "correct and smooth", system_.backend,
            system_.clock, method.prepare(*system_.backend, args, config),
            double(sweeps) * method.config_cost(args, config)};
  }

  // One unknown is solved by one sweep; more by many, back and forth.
  Operation solve_coarsest() const {
    if (system_.grid().cells() == 1) return red_black(1, 1, false, "coarsest");
    const int half = (config_.whole(coarsest_sweeps.name) + 1) / 2;
    const Operation there = red_black(half, 1, false, "coarsest"),
                    back = red_black(half, 1, true, "coarsest");
    Operation both = there;
    both.step = in_turn(there.step, back.step);
    both.cost = there.cost + back.cost;
    return both;
  }

  double red_black_factor() const { return omega_or(best_red_black()); }

  // The residual of u, brought to the coarse grid.
  std::vector<Operation> restrict_residual(const AnyView& coarse, const Coarsening& by) const {
    Operation residual = Operations(system_, threads_).residual(system_.u, system_.b, scratch_);
    residual.routine = "restrict";  // a part of the cycle, as the look at the residual is not
    return {residual, transfer(TransferPass::restriction, "restrict", scratch_, coarse, {}, by)};
  }
  Operation transfer(TransferPass pass, const char* routine, const AnyView& fine, const AnyView& coarse,
                     const Operator& coarse_a, const Coarsening& by) const {
    GridTransferArgs args;
    args.precision = system_.precision, args.pass = pass;
    args.fine_grid = system_.grid(), args.by = by, args.a = system_.a;
    args.fine = fine, args.coarse = coarse, args.coarse_a = coarse_a;
    const auto methods = grid_transfer_methods(system_.backend->kind());
    const Operation all =
        prepare(system_, routine, default_method(methods, args), grid_transfer_cost, args, threads_);
    if (pass == TransferPass::operator_coarsening) return all;
    return Operations(system_, threads_).around(pass == TransferPass::restriction ? fine : coarse, all);
  }

 private:
  // Where nothing holds a value coarse grids say less, and sweeps may do more: at 64x64x64 a cycle leaves
  // 0.05 by 1.35, 0.11 by 1.2; at 511x400 0.07 by 1.25, 0.10 by 1.2. Between periodic sides they say as much
  // as ever.
  double best_red_black() const {
    if (!system_.sides.leave_constant_open || system_.sides.are_periodic()) return 1.2;
    return system_.grid().is_3d() ? 1.35 : 1.25;
  }

  double omega_or(double best) const {
    return config_.is(smoothing_omega.name, "optimal") ? best : config_.real(smoothing_omega.name);
  }

  CellArgs<RedBlackSor> sweep_args(const AnyView& u, double omega, bool reversed) const {
    CellArgs<RedBlackSor> args{system_.precision, {.omega = omega}, {system_.a, u, system_.b}};
    if (reversed) args.fields.u.grid.parity = 1 - args.fields.u.grid.parity;
    return args;
  }
  RedBlackPass leg_args(CycleLeg leg, const AnyView& other, const AnyView& coarse, bool reversed) const {
    const bool down = leg == CycleLeg::down;
    return {sweep_args(down ? system_.u : other, omega_or(best_red_black()), reversed),
            down ? other : system_.u, leg, coarse};
  }
  Config of_pass(const Method<RedBlackPass>& method, int sweeps) const {
    Config config = config_;
    config.set(method.steps, sweeps);
    return config;
  }
  // Of the method that the sweeps have.
  Methods<RedBlackPass> methods_of_passes() const {
    Methods<RedBlackPass> passes = red_black_passes(system_.backend->kind());
    std::erase_if(passes, [&](const auto& method) { return method.name != sweep_.name; });
    return passes;
  }

  Operation red_black(int sweeps, double omega, bool reversed, const char* routine) const {
    const CellArgs<RedBlackSor> args = sweep_args(system_.u, omega, reversed);
    if (system_.sides.are_periodic()) return repeated(by_colours(args, routine), sweeps, routine);
    Config config = config_;
    if (!sweep_.steps) return repeated(prepare(system_, routine, sweep_, args, config), sweeps, routine);
    config.set(sweep_.steps, sweeps);
    Operation all = prepare(system_, routine, sweep_, args, config);
    all.cost = double(sweeps) * all.cost;
    return all;
  }

  // A sweep whose ghosts are filled before each colour.
  Operation by_colours(CellArgs<RedBlackSor> args, const char* routine) const {
    const Operations op(system_, threads_);
    args.kernel.order = ColourOrder::red;
    Operation both = op.around(system_.u, prepare(system_, routine, sweep_, args, config_));
    args.kernel.order = ColourOrder::black;
    const Operation black = op.around(system_.u, prepare(system_, routine, sweep_, args, config_));
    both.step = in_turn(both.step, black.step);
    both.cost = both.cost + black.cost;
    return both;
  }

  // u = (1 - omega) u + omega (what Jacobi makes of it)
  Operation damped_jacobi() const {
    const double omega = omega_or(system_.grid().is_3d() ? 6.0 / 7 : 0.8);
    const CellArgs<Jacobi> args{system_.precision, {}, {system_.a, system_.u, system_.b, scratch_}};
    const auto methods = CellKernel<Jacobi>::methods(system_.backend->kind());
    const Operations op(system_, threads_);
    const Operation sweep =
        op.around(system_.u, prepare(system_, "smooth", default_method(methods, args), args, threads_));
    const Operation damp = op.update({omega}, scratch_, {1 - omega}, system_.u, "smooth");
    Operation both = sweep;
    both.step = in_turn(sweep.step, damp.step);
    both.cost = sweep.cost + damp.cost;
    return both;
  }

  System system_;
  AnyView scratch_;
  SmoothingMethod sweep_;
  Config config_, threads_;
};

// A method, or the plain one on a level that it cannot do or is not preferred on.
SmoothingMethod sweep_on(const System& system, const SmoothingMethod& method) {
  const CellArgs<RedBlackSor> args{system.precision, {}, {system.a, system.u, system.b}};
  const bool takes = !system.sides.are_periodic() && method.why_unsupported(args).empty() &&
                     (!method.preferred || method.preferred(args));
  return takes ? method : smoothing_methods(system.backend->kind()).front();
}

}  // namespace

MultigridCycle::MultigridCycle(const System& finest, const SmoothingMethod& sweep, const Config& config,
                               bool symmetric)
    : clock_(finest.clock),
      is_recorded_(config.has(launch_mode.name) && config.is(launch_mode.name, "graph")),
      recorded_(*finest.backend, [this] { run(); }) {
  add_levels(finest, sweep, config, symmetric);
  add_block(config, symmetric);
  add_cycle(cycle_, config.word("cycle"), 0, in_block_from_);
  add_cycle(passes_, config.word("cycle"), 0, levels_.size());
}
MultigridCycle::~MultigridCycle() = default;

void MultigridCycle::add_levels(const System& finest, const SmoothingMethod& sweep, const Config& config,
                                bool symmetric) {
  const std::size_t most = config.whole(most_levels.name);
  levels_.push_back(std::make_unique<Level>());
  levels_.back()->system = finest;
  for (;;) {
    Level& level = *levels_.back();
    const System& system = level.system;
    level.scratch = system.new_field();
    const LevelOperations make(system, level.scratch.view(), sweep_on(system, sweep), config);
    level.by = coarsening_of(system);
    if (levels_.size() == most || level.by.none()) {
      level.solve = make.solve_coarsest();
      return;
    }
    auto coarse = std::make_unique<Level>();
    coarse->owned =
        std::make_unique<OwnedSystem>(*system.backend, system.precision, coarse_grid(system.grid(), level.by),
                                      coarse_operator(system, level.by), system.clock, system.sides);
    coarse->system = coarse->owned->system();
    const System& next = coarse->system;
    const int down = config.whole(nu1.name), up = config.whole(nu2.name);
    if (!config.is("cycle", "full") && make.can_be_leg(down, next.b, level.by) &&
        make.can_be_leg(up, next.u, level.by)) {
      level.smooth_down = {make.leg(CycleLeg::down, down, false, next.b)};
      level.smooth_up = {make.leg(CycleLeg::up, up, symmetric, next.u)};
    } else {
      level.smooth_down = {make.smooth(down, false)};
      level.smooth_up = symmetric || up != down ? std::vector{make.smooth(up, symmetric)} : level.smooth_down;
      level.restrict_residual = make.restrict_residual(next.b, level.by);
      level.correct = {make.transfer(TransferPass::prolongation, "prolong", system.u, next.u, {}, level.by)};
    }
    level.restrict_residual.push_back(clear_unknown(next));
    if (!next.a.constant)
      start_.push_back(
          make.transfer(TransferPass::operator_coarsening, "coarsen operator", {}, {}, next.a, level.by));
    levels_.push_back(std::move(coarse));
  }
}

// The levels that one block does: from the first that is small enough, in as many as a block can do.
void MultigridCycle::add_block(const Config& config, bool symmetric) {
  const auto methods = red_black_small_cycles(levels_.front()->system.backend->kind());
  const System& finest = levels_.front()->system;
  if (methods.empty() || !config.has(block_cells.name) || !config.is("smoother", "red_black") ||
      finest.sides.are_periodic())
    return;
  const auto& method = methods.front();
  SmallCycle cycle;
  cycle.precision = finest.precision, cycle.symmetric = symmetric;
  cycle.omega = LevelOperations(finest, {}, {}, config).red_black_factor();
  cycle.nu1 = config.whole(nu1.name), cycle.nu2 = config.whole(nu2.name);
  cycle.coarsest_sweeps = config.whole(coarsest_sweeps.name);
  Cost cost;
  for (std::size_t n = levels_.size(); n-- > 0;) {
    const Level& level = *levels_[n];
    const System& s = level.system;
    SmallCycle longer = cycle;
    longer.levels.insert(longer.levels.begin(), {s.a, s.u, s.b, level.scratch.view(), level.by});
    if (s.grid().cells() > config.whole(block_cells.name) || !method.why_unsupported(longer).empty()) break;
    cycle = longer, in_block_from_ = n;
    for (const Operation* each : passes_of(level)) cost = cost + each->cost;
  }
  if (cycle.levels.empty()) return;
  block_ = nothing(finest, "coarse levels");
  block_.step = method.prepare(*finest.backend, cycle, method.space.defaults());
  block_.cost = cost;
}

// One time each.
std::vector<const Operation*> MultigridCycle::passes_of(const Level& level) const {
  if (&level == levels_.back().get()) return {&level.solve};
  std::vector<const Operation*> all;
  for (const auto* part : {&level.smooth_down, &level.restrict_residual, &level.correct, &level.smooth_up})
    for (const Operation& operation : *part) all.push_back(&operation);
  return all;
}

void MultigridCycle::add_cycle(std::vector<Pass>& to, const std::string& kind, std::size_t at,
                               std::size_t in_block_from) const {
  const Level& level = *levels_[at];
  const std::size_t coarsest = levels_.size() - 1;
  if (kind == "v" && at >= in_block_from) return to.push_back({&block_, at});
  if (at == coarsest) return to.push_back({&level.solve, at});
  const bool full = kind == "full";
  const auto add = [&](const std::vector<Operation>& all) {
    for (const Operation& operation : all) to.push_back({&operation, at});
  };
  const auto add_coarse = [&](const std::string& coarse) { add_cycle(to, coarse, at + 1, in_block_from); };
  if (!full) add(level.smooth_down);
  add(level.restrict_residual);
  add_coarse(kind);
  if (at + 1 < coarsest && kind == "w") add_coarse("w");
  if (at + 1 < coarsest && kind == "f") add_coarse("v");
  add(level.correct);
  if (full)
    add_cycle(to, "v", at, in_block_from);
  else
    add(level.smooth_up);
}

void MultigridCycle::start() const {
  for (const Operation& coarsen : start_) coarsen();
}
void MultigridCycle::operator()() {
  if (clock_ && clock_->is_on()) return run_timed();
  return is_recorded_ ? recorded_() : run();
}
void MultigridCycle::run() const {
  for (const Pass& pass : cycle_) (*pass.operation)();
}
void MultigridCycle::run_timed() const {
  for (const Pass& pass : passes_) {
    const Grid& g = levels_[pass.level]->system.grid();
    const std::string plane = std::to_string(g.nx) + "x" + std::to_string(g.ny);
    clock_->at_level(g.is_3d() ? plane + "x" + std::to_string(g.nz) : plane);
    (*pass.operation)();
  }
  clock_->at_level("");
}

int MultigridCycle::levels() const { return int(levels_.size()); }
Grid MultigridCycle::coarsest() const { return levels_.back()->system.grid(); }

Cost MultigridCycle::cost() const {
  Cost sum;
  for (const Pass& pass : cycle_) sum = sum + pass.operation->cost;
  return sum;
}
Cost MultigridCycle::start_cost() const {
  Cost sum;
  for (const Operation& coarsen : start_) sum = sum + coarsen.cost;
  return sum;
}
Resources MultigridCycle::resources() const {
  Resources sum;
  for (const Pass& pass : cycle_) add_resources(sum, pass.operation->step);
  return sum;
}

}  // namespace cfdmark
