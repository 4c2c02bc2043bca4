#include "kernels/cells/operator_problem.hpp"
#include "solvers/linear/multigrid/level_blocks.hpp"
#include "solvers/linear/multigrid/level_parts.hpp"
#include "solvers/linear/multigrid/multigrid_level.hpp"
#include "solvers/linear/system/level_communicator.hpp"
#include "solvers/linear/system/rank_levels.hpp"

namespace cfdmark {
namespace {

const Setting nu1{"nu1", {1, 2, 3}, 2, "pre-smoothing passes of multigrid", "", integer_from(0)};
const Setting nu2{"nu2", {1, 2, 3}, 2, "post-smoothing passes of multigrid", "", integer_from(0)};
const Setting most_levels{"levels", {}, 32, "largest number of multigrid levels"};
const Setting coarsest_sweeps{
    cycle_setting::coarsest_sweeps, {}, 20, "passes on the coarsest grid if it has more than one unknown"};
const Setting smoothing_omega{
    cycle_setting::omega,
    {},
    "optimal",
    "relaxation factor of smoothing; optimal: red-black 1.2 (1 in bicgstab; 1.25 in 2-D and 1.35 in 3-D if "
    "all walls are insulated), Jacobi 4/5 in 2-D and 6/7 in 3-D",
    "",
    real_between(0, 2),
    {"optimal"}};
// On small grids a cycle is dozens of kernels whose launch takes longer than their execution.
const Setting launch_mode =
    choice_setting(cycle_launch_mode, {"graph", "stream"}, "graph",
                   "launches of a multigrid cycle: one CUDA graph, or kernel by kernel");
// Coarse levels are limited by launch latency, not by memory. 1024 is the best value measured on an H200.
const Setting block_cells{
    "block_cells",
    {0, 256, 1024, 4096},
    1024,
    "largest grid, in cells, that one block processes with all coarser ones in a V-cycle; 0: none",
    "",
    integer_from(0)};
Setting untuned(Setting s) {
  s.values.clear();
  return s;
}

std::string sweeps_constraint(const Config& c) {
  return c.integer(nu1.name) + c.integer(nu2.name) > 0
             ? ""
             : "nu1=0,nu2=0: a cycle needs at least one smoothing pass";
}

}  // namespace

void add_cycle_settings(BackendKind kind, TuningSpace& space) {
  for (const Setting& s :
       {nu1, nu2,
        untuned(choice_setting("cycle", {"v", "w", "f", "full"}, "v",
                               "multigrid cycle; full: from the coarsest grid up, with a V-cycle on each")),
        untuned(choice_setting(cycle_setting::smoother, {"red_black", "jacobi"}, "red_black",
                               "multigrid smoother")),
        smoothing_omega, most_levels, coarsest_sweeps})
    space.settings.push_back(s);
  if (kind == BackendKind::cuda) {
    space.settings.push_back(untuned(launch_mode));
    space.settings.push_back(untuned(block_cells));
    space.settings.push_back(level_blocks_setting());
  }
  space.require(sweeps_constraint);
}

constexpr int first_rank = 0;  // has the levels that are gathered

struct MultigridCycle::Level {
  std::unique_ptr<OwnedSystem> owned;         // empty for the finest level
  std::unique_ptr<const Communicator> ranks;  // of this level's parts; empty on one rank and for the finest
  System system;
  Operator of_domain;  // its stencil on the whole domain; views of no arrays
  Field scratch;       // residual, or result of a Jacobi pass, or u between two fused legs of the cycle
  Coarsening by;       // coarsening to the next level
  // restrict_residual ends by clearing the coarse u. A fused leg is a single operation: smoothing with
  // restriction, or correction with smoothing.
  std::vector<Operation> smooth_down, restrict_residual, correct, smooth_up;
  Operation solve;           // coarsest level only
  bool is_gathered = false;  // on the first rank, while the next finer level is parted
  bool is_idle = false;      // gathered, or coarser, and this is another rank, which then has no operations

  // True if a rank has the whole grid, but only a part of the next finer one.
  bool completes() const { return ranks && !system.ranks; }
  // Returns the points of a field of this level that are the coarse points of the rank's part.
  AnyView part_of(const AnyView& field) const {
    if (!completes()) return field;
    const CellBox& own = ranks->partition()->part(ranks->rank()).own;
    return field.box(own.i, own.j, own.k, own.nx, own.ny, own.nz);
  }
  // Returns the operation that fills a field in which each rank has set these points.
  Operation complete(const AnyView& field) const {
    const Operations op(system, {});
    return is_gathered ? of_levels(*ranks).gather_on(first_rank, op, field) : ranks->gather(op, field);
  }
  // Returns the operations that add the correction of this level to the next finer one, `fine`.
  std::vector<Operation> correction(const LevelOperations& fine, const Coarsening& by) const {
    if (!is_gathered) return {fine.prolong(system, part_of(system.u), by)};
    const Operations op(system, {});
    std::vector<Operation> all;
    if (!is_idle) all = op.exchange(system.u);  // periodic sides
    all.push_back(of_levels(*ranks).part_from(first_rank, op, system.u));
    all.push_back(fine.prolong_filled(part_of(system.u), by));
    return all;
  }
};

MultigridCycle::MultigridCycle(const System& finest, const SmoothingMethod& sweep, const Config& config,
                               bool symmetric)
    : clock_(finest.clock),
      is_recorded_(!finest.ranks && config.has(launch_mode.name) && config.is(launch_mode.name, "graph")),
      recorded_(*finest.backend, [this] { run(); }) {
  add_levels(finest, sweep, config, symmetric);
  add_block(config, symmetric);
  add_cycle(cycle_, config.choice("cycle"), 0, in_block_from_);
  add_cycle(passes_, config.choice("cycle"), 0, levels_.size());
}
MultigridCycle::~MultigridCycle() = default;

void MultigridCycle::add_levels(const System& finest, const SmoothingMethod& sweep, const Config& config,
                                bool symmetric) {
  const std::size_t most = config.integer(most_levels.name);
  levels_.push_back(std::make_unique<Level>());
  levels_.back()->system = finest, levels_.back()->of_domain = finest.stencil();
  for (;;) {
    Level& level = *levels_.back();
    const System& system = level.system;
    level.scratch = system.new_field();
    const LevelOperations make(system, level.scratch.view(), sweep, config);
    level.by = coarsening_of(system.domain(), level.of_domain, system.sides);
    if (levels_.size() == most || level.by.none()) {
      level.solve = make.solve_coarsest();
      return;
    }
    auto coarse = coarse_level(level, config);
    const System& next = coarse->system;
    const int down = config.integer(nu1.name), up = config.integer(nu2.name);
    if (!config.is("cycle", "full") && !system.ranks && make.can_be_leg(down, next.b, level.by) &&
        make.can_be_leg(up, next.u, level.by)) {
      level.smooth_down = {make.leg(CycleLeg::down, down, false, next.b)};
      level.smooth_up = {make.leg(CycleLeg::up, up, symmetric, next.u)};
    } else {
      level.smooth_down = {make.smooth(down, false)};
      level.smooth_up = symmetric || up != down ? std::vector{make.smooth(up, symmetric)} : level.smooth_down;
      level.restrict_residual = make.restrict_residual(coarse->part_of(next.b), level.by);
      if (coarse->completes()) level.restrict_residual.push_back(coarse->complete(next.b));
      level.correct = coarse->correction(make, level.by);
    }
    level.restrict_residual.push_back(clear_unknown(next));
    if (coarse->completes() && !coarse->is_gathered) {
      const Operations op(next, {});
      level.restrict_residual.push_back(of_levels(*coarse->ranks).mark_repeated(op, true));
      level.correct.insert(level.correct.begin(), of_levels(*coarse->ranks).mark_repeated(op, false));
    }
    if (!level.is_idle) {
      for (Operation& fill : make.fill_operator_ghosts()) start_.push_back(std::move(fill));
      if (!next.stencil().constant) add_operator_coarsening(make, level, *coarse);
    }
    levels_.push_back(std::move(coarse));
  }
}

std::unique_ptr<MultigridCycle::Level> MultigridCycle::coarse_level(const Level& fine, const Config& config) {
  const System& system = fine.system;
  auto coarse = std::make_unique<Level>();
  coarse->of_domain = coarse_operator(system.domain(), fine.of_domain, system.sides, fine.by);
  Grid grid = coarse_grid(system.domain(), fine.by);
  Operator a = coarse->of_domain;
  std::optional<Partition> parts;
  if (system.ranks) {
    parts = coarse_parts(system, fine.by, coarsening_of(grid, a, system.sides), config);
    coarse->ranks = system.ranks->on(parts ? *parts : all_coarse_parts(system, fine.by));
  }
  if (parts) {
    grid = parts->local(system.ranks->rank(), grid.halo);
    a = operator_of_part(a, *parts, system.ranks->rank());
  }
  coarse->owned = std::make_unique<OwnedSystem>(system, system.precision, grid, a);
  coarse->system = coarse->owned->system();
  if (parts) coarse->system.ranks = coarse->ranks.get();
  coarse->is_gathered = coarse->completes() && gathers_coarse_levels(config);
  coarse->is_idle = fine.is_idle || (coarse->is_gathered && system.ranks->rank() != first_rank);
  return coarse;
}

void MultigridCycle::add_operator_coarsening(const LevelOperations& make, const Level& fine,
                                             const Level& coarse) {
  const Operator& a = coarse.system.stencil();
  if (!fine.system.ranks) {
    start_.push_back(
        make.transfer(TransferPass::operator_coarsening, "coarsen operator", {}, {}, a, fine.by));
    return;
  }
  std::vector<AnyView> parts;
  const std::vector<AnyView> arrays = arrays_of(a, coarse.system.grid());
  for (const AnyView& array : arrays) parts.push_back(coarse.part_of(array));
  for (Operation& one : coarsen_part(fine.system, operator_over(parts, 0, coarse.system.grid()), fine.by, {}))
    start_.push_back(std::move(one));
  for (const AnyView& array : arrays)
    if (coarse.completes()) start_.push_back(coarse.complete(array));
}

// Fuses the coarse levels that are small, whole and supported into one operation of one thread block.
void MultigridCycle::add_block(const Config& config, bool symmetric) {
  const auto methods = red_black_small_cycles(levels_.front()->system.backend->kind());
  const System& finest = levels_.front()->system;
  if (methods.empty() || !config.has(block_cells.name)) return;
  const LevelOperations make(finest, {}, smoothing_methods(finest.backend->kind()).front(), config);
  if (!make.can_be_in_a_block()) return;
  const auto& method = methods.front();
  SmallCycle cycle;
  cycle.precision = finest.precision, cycle.symmetric = symmetric;
  cycle.omega = make.red_black_factor();
  cycle.nu1 = config.integer(nu1.name), cycle.nu2 = config.integer(nu2.name);
  cycle.coarsest_sweeps = config.integer(coarsest_sweeps.name);
  Cost cost;
  for (std::size_t n = levels_.size(); n-- > 0;) {
    const Level& level = *levels_[n];
    const System& s = level.system;
    SmallCycle longer = cycle;
    longer.levels.insert(longer.levels.begin(),
                         {.a = s.stencil(), .u = s.u, .b = s.b, .r = level.scratch.view(), .by = level.by});
    const bool is_small = !s.ranks && s.grid().cells() <= config.integer(block_cells.name);
    if (!is_small || !method.why_unsupported(longer).empty()) break;
    cycle = longer, in_block_from_ = n;
    for (const Operation* each : passes_of(level)) cost = cost + each->cost;
  }
  if (cycle.levels.empty()) return;
  block_ = nothing(finest, "coarse levels");
  block_.step = method.prepare(*finest.backend, cycle, method.space.defaults());
  block_.cost = cost;
}

// Returns each operation of a level once.
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
  if (level.is_idle) return;
  if (kind == "v" && at == in_block_from) return to.push_back({&block_, at});
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
Grid MultigridCycle::coarsest() const { return levels_.back()->system.domain(); }

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
