// Implicit steps in delta form: compute the residual r of x, relax A dx = r from dx = 0 by pairs of forward
// and backward passes, add dx to x. The solvers differ in their relaxation.
#include "solvers/block/method.hpp"
#include "solvers/block/transfers.hpp"

namespace cfdmark {
namespace {

// Relaxation passes that alternate between two fields; an even number ends in dx.
class BlockRelaxation {
 public:
  BlockRelaxation(const BlockSystem& system, const Method<BlockArgs>& method, const Config& config,
                  BlockSweep sweep, const AnyView& matrices, BlockLayout layout, const AnyView& r)
      : dx_(system.vectors(storage_of(system.precision))),
        next_(system.vectors(storage_of(system.precision))),
        backend_(system.backend),
        sweeps_(2 * config.integer("pairs")) {
    const auto prepared = [&](const Field& from, const Field& to, bool backward) {
      const BlockArgs args{.precision = system.precision,
                           .grid = system.grid,
                           .sweep = sweep,
                           .matrices = matrices,
                           .layout = layout,
                           .b = r,
                           .old = from.view(),
                           .next = to.view(),
                           .w = config.real("omega"),
                           .backward = backward};
      const Config complete = config_for(method.space, config);
      return Operation{"sweep", &system.backend, system.clock, method.prepare(system.backend, args, complete),
                       declared_cost(method, block_cost, args, complete)};
    };
    if (config.is("store", "copy")) {
      there_ = back_ = prepared(dx_, next_, false);
      copy_ = Operations(system.as_linear(), config).scale({1}, next_.view(), dx_.view(), "copy");
    } else {
      there_ = prepared(dx_, next_, false), back_ = prepared(next_, dx_, sweep != BlockSweep::jacobi);
    }
  }

  void operator()() const {
    backend_.set_zero(dx_.data(), dx_.bytes());
    for (int n = 0; n < sweeps_; ++n) {
      (n % 2 ? back_ : there_)();
      if (copy_.step.run) copy_();
    }
  }
  const Field& dx() const { return dx_; }
  const Step& step() const { return there_.step; }
  int launches() const { return sweeps_ * (there_.step.resources.launches + copy_.step.resources.launches); }
  Cost cost() const { return double(sweeps_) * (there_.cost + copy_.cost); }

 private:
  Field dx_, next_;
  Backend& backend_;
  int sweeps_;
  Operation there_, back_, copy_;
};

// Returns the copy from the host's matrix order to the layout of the relaxation.
Operation laying_out(const BlockSystem& system, const Field& to, BlockLayout layout) {
  const BlockCopy copy{.precision = system.precision,
                       .grid = system.grid,
                       .from = system.matrices.view(),
                       .to = to.view(),
                       .layout = layout};
  Backend& backend = system.backend;
  Step step;
  if (layout == BlockLayout::aos25)
    step.run = [&backend, to, from = system.matrices] { backend.copy(to.data(), from.data(), to.bytes()); };
  else
    step = block_copy_step(backend, copy);
  const Cost cost{double(system.matrices.bytes() + to.bytes()), 0, 0};
  return {"layout", &backend, system.clock, std::move(step), cost};
}

// Returns the operation that computes r from the system's x.
Operation residual_of(const BlockSystem& system, const Config& config, const Field& matrices,
                      BlockLayout layout, const Field& r) {
  const BlockArgs args{.precision = system.precision,
                       .grid = system.grid,
                       .sweep = system.residual,
                       .matrices = matrices.view(),
                       .layout = layout,
                       .b = system.b.view(),
                       .old = system.x.view(),
                       .next = r.view()};
  const Method<BlockArgs> method = block_methods(system.backend.kind(), system.residual).front();
  Config own{{"layout", config.at("layout")}};
  if (config.has("threads")) own.set("threads", config.at("threads"));
  own = config_for(method.space, own);
  return {"residual", &system.backend, system.clock, method.prepare(system.backend, args, own),
          declared_cost(method, block_cost, args, own)};
}

class ImplicitSteps final : public Iteration {
 public:
  ImplicitSteps(BlockSystem& system, const Method<BlockArgs>& method, const Config& config, BlockSweep sweep)
      : system_(system),
        layout_(block_layout_from(config.choice("layout"))),
        laid_out_(layout_ == BlockLayout::aos25 && !overlaps_transfers(config)
                      ? system.matrices
                      : Field(system.backend, block_matrices_grid(system.grid, layout_), system.precision)),
        r_(system.vectors(storage_of(system.precision))),
        square_(system.backend),
        relaxation_(system, method, config, sweep, laid_out_.view(), layout_, r_.view()) {
    if (laid_out_.data() != system.matrices.data()) lay_out_ = laying_out(system, laid_out_, layout_);
    residual_ = residual_of(system, config, laid_out_, layout_, r_);
    const Operations op(system.as_linear(), config);
    System residuals = system.as_linear();
    residuals.precision = system.precision;
    square_of_r_ = Operations(residuals, config).dot(r_.view(), r_.view(), square_);
    add_ = op.update({1}, relaxation_.dx().view(), {1}, system.x.view(), "add");
    transfers_ = block_transfers(system, config, r_, relaxation_.dx(), [this] { relaxation_(); });
  }

  void start() override {
    lay_out_();
    residual_();
  }
  int advance(int most, double) override {
    for (int n = 0; n < most; ++n) {
      if (transfers_.in) {
        timed("transfer in", transfers_.in);
        if (!transfers_.relax_beside) timed("transfer in", transfers_.matrices);
        lay_out_();
      }
      relax_();
      if (transfers_.out) timed("transfer out", transfers_.out);
      add_();
      residual_();
    }
    return most;
  }
  std::vector<NamedValue> residuals() override {
    square_of_r_();
    return {{"b - A x", std::sqrt(square_.get())}};
  }
  Cost cost(int steps) const override {
    return double(steps) * (relaxation_.cost() + residual_.cost + add_.cost) +
           double(transfers_.in ? steps + 1 : 1) * lay_out_.cost;
  }
  Cost check_cost() const override { return square_of_r_.cost; }
  Resources resources() const override {
    Resources resources;
    add_resources(resources, relaxation_.step());
    resources.launches =
        relaxation_.launches() + residual_.step.resources.launches + add_.step.resources.launches;
    return resources;
  }

 private:
  bool is_timed() const { return system_.clock && system_.clock->is_on(); }
  // When routines are timed one by one, nothing overlaps.
  void relax_() {
    if (!transfers_.relax_beside) return relaxation_();
    if (!is_timed()) return transfers_.relax_beside();
    timed("transfer in", transfers_.matrices);
    relaxation_();
  }
  void timed(const char* routine, const std::function<void()>& work) {
    if (is_timed()) return system_.clock->time(routine, system_.backend, work);
    work();
  }

  BlockSystem& system_;
  BlockLayout layout_;
  Field laid_out_, r_;
  DeviceScalar square_;
  BlockRelaxation relaxation_;
  Operation lay_out_, residual_, square_of_r_, add_;
  BlockTransfers transfers_;
};

// Adds the settings of a step to those of its relaxation.
void add_step_settings(TuningSpace& space, BackendKind kind, BlockSweep sweep) {
  std::vector<Setting>& settings = space.settings;
  settings.push_back({"pairs",
                      {5, 10, 20},
                      10,
                      "pairs of relaxation passes per step: forward and backward, two passes for Jacobi"});
  settings.push_back(real_setting("omega", 0.9, real_between(0, 2), "relaxation factor"));
  settings.push_back({"check_interval", {}, 1, "steps between two residual checks"});
  if (sweep == BlockSweep::jacobi)
    settings.push_back(
        choice_setting("store", {"swap", "copy"}, "swap",
                       "storage of a Jacobi pass: swap two fields, or copy back in a second pass"));
  if (kind != BackendKind::cuda) return;
  add_transfer_settings(space);
  settings.push_back(graph_iterations_setting);
  space.require(graph_constraint);
  space.require([](const Config& config) -> std::string {
    if (graph_iterations(config) == 1 || config.is("transfers", "none")) return "";
    return "graphs cannot hold transfers: set graph_iterations=1 or transfers=none";
  });
}

template <BlockSweep sweep>
std::vector<BlockMethod> methods(BackendKind kind, SourcePlace where = SourcePlace::here()) {
  std::vector<BlockMethod> all;
  for (const Method<BlockArgs>& kernel : block_methods(kind, sweep)) {
    BlockMethod method{kernel.name, kernel.space, [kernel](BlockSystem& system, const Config& config) {
                         return std::make_unique<ImplicitSteps>(system, kernel, config, sweep);
                       }};
    if (kernel.preferred)
      method.preferred = [kernel](const Grid& g, Precision p) {
        return kernel.preferred({.precision = p, .grid = g, .sweep = sweep});
      };
    add_step_settings(method.space, kind, sweep);
    method.described_at = where;
    all.push_back(std::move(method));
  }
  return all;
}

template <BlockSweep sweep>
BlockSolverDescription solver(const char* name) {
  return {name, [](BackendKind kind) { return methods<sweep>(kind); }};
}

}  // namespace

BlockSystem::BlockSystem(Backend& on, Precision p, const Grid& g, BlockSweep wanted, RoutineClock* with)
    : backend(on),
      precision(p),
      grid(g),
      residual(wanted),
      clock(with),
      matrices(on, block_matrices_grid(g, BlockLayout::aos25), p),
      b(vectors(outer())),
      x(vectors(outer())) {}

Field BlockSystem::vectors(Precision p) const {
  return Field(backend, block_vector_grid(grid, block_problem_halo), p);
}

BlockSolverDescription block_jacobi_solver() { return solver<BlockSweep::jacobi>("block_jacobi"); }
BlockSolverDescription block_ssor_solver() { return solver<BlockSweep::ssor>("block_ssor"); }
BlockSolverDescription block_revised_ssor_solver() {
  return solver<BlockSweep::revised_ssor>("block_revised_ssor");
}
BlockSolverDescription block_red_black_solver() { return solver<BlockSweep::red_black>("block_red_black"); }

}  // namespace cfdmark
