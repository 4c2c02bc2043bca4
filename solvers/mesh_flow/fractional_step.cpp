#include "solvers/mesh_flow/fractional_step.hpp"

#include <cmath>

#include "kernels/mesh_curl/mesh_curl.hpp"
#include "kernels/mesh_diffusion/mesh_diffusion.hpp"
#include "kernels/mesh_divergence/mesh_divergence.hpp"
#include "kernels/mesh_interpolation/mesh_interpolation.hpp"
#include "kernels/mesh_step/mesh_step.hpp"

namespace cfdmark {
namespace {

const Setting convection{
    "convection",
    {},
    "central",
    "face velocity: central, the mean of both cells, or upwind, that of the cell upstream",
    "",
    no_numbers(),
    {"central", "upwind"}};
constexpr const char *tolerance = "cg_tolerance", *most_iterations = "cg_iterations";

Config threads_alone(const Config& config) {
  Config threads;
  if (config.has("threads")) threads.set("threads", config.at("threads"));
  return threads;
}

// One linear system of a step.
struct StageSolve {
  const char* name;                         // of the stage in times by routine
  const char* counted;                      // of its iterations in results
  std::shared_ptr<const LinearOperator> a;  // its memory outlives the solve
  std::unique_ptr<InnerSolve> solve;
};

class FractionalStep : public Iteration {
 public:
  FractionalStep(StepState& state, const Config& config)
      : state_(state),
        config_(config),
        op_(state.system({}, state.flux, state.flux), config),
        square_(state.fields->backend) {
    const StepFields& f = *state.fields;
    const AnyView u = state.flux.view(), old = state.old_flux.view(), rhs = state.rhs.view();
    explicit_ = {
        op_.scale({1}, u, old, "keep"),
        on_mesh<MeshInterpolation>(op_, "interpolation", f,
                                   {.u = u,
                                    .x_f = f.face_centre.view(),
                                    .x_c = f.cell_centre.view(),
                                    .volume = f.volume.view(),
                                    .v = f.velocity.view()}),
        on_mesh<MeshConvection>(
            op_, "convection", f,
            {.v = f.velocity.view(), .u = u, .a = f.drag.view(), .w = f.wall.view(), .c = f.force.view()},
            {is_upwind_step(config) ? 1.0 : 0.0}),
        on_mesh<MeshMomentum>(op_, "right-hand side", f,
                              {.k = f.force.view(),
                               .x_c = f.cell_centre.view(),
                               .volume = f.volume.view(),
                               .x_f = f.face_centre.view(),
                               .m = f.inertia.view(),
                               .u = u,
                               .w = rhs})};
    divergence_ = on_mesh<MeshDivergence>(op_, "divergence", f, {.u = u, .d = state.divergence.view()});
    // r is free between steps.
    difference_ = {op_.scale({1}, old, rhs, "check"), op_.update({1}, u, {-1}, rhs, "check")};
    square_change_ = op_.dot(rhs, rhs, square_), square_u_ = op_.dot(u, u, square_);
    square_divergence_ = op_.dot(state.divergence.view(), state.divergence.view(), square_);
  }

  void start() final {
    state_.has_stepped = false;
    for (const StageSolve& stage : stages_) stage.solve->reset();
  }
  int advance(int most, double) final {
    for (int n = 0; n < most; ++n) {
      for (const Operation& operation : explicit_) operation();
      solve();
      state_.has_stepped = true;
    }
    return most;
  }

  std::vector<NamedValue> residuals() final {
    divergence_();
    const double u = norm(square_u_), lost = norm(square_divergence_);
    double change = 1;
    if (state_.has_stepped) {
      for (const Operation& operation : difference_) operation();
      change = u > 0 ? norm(square_change_) / u / state_.flow->time_step : u;  // a NaN stays
    }
    return {{"change", change}, {"continuity", u > 0 ? lost / u : u}};
  }
  bool residuals_are_shares() const final { return true; }
  int final_iteration() const final {
    return state_.flow->steps > 0 ? state_.flow->steps : Iteration::final_iteration();
  }
  std::vector<NamedValue> results() final {
    std::vector<NamedValue> counts;
    for (const StageSolve& stage : stages_) counts.push_back({stage.counted, stage.solve->mean_iterations()});
    return counts;
  }

  Cost cost(int iterations) const final {
    Cost all;
    for (const Operation* operation : of_a_step()) all = all + operation->cost;
    all = double(iterations) * all;
    for (const StageSolve& stage : stages_) all = all + stage.solve->cost(iterations);
    return all;
  }
  Cost check_cost() const final {
    return divergence_.cost + difference_[0].cost + difference_[1].cost + square_change_.cost +
           square_u_.cost + square_divergence_.cost;
  }
  Resources resources() const final {
    Resources all;
    for (const Operation* operation : of_a_step()) add_resources(all, operation->step);
    for (const StageSolve& stage : stages_) add_resources(all, stage.solve->resources());
    return all;
  }

 protected:
  virtual void solve() = 0;  // sets U from r
  virtual std::vector<const Operation*> further_operations() const = 0;

  // The times of a stage are those of its whole solve.
  void add_stage(const char* name, const char* counted, System system) {
    system.clock = nullptr;
    const InnerSettings settings{"cg", config_.integer(most_iterations), config_.real(tolerance)};
    stages_.push_back(
        {name, counted, system.a, std::make_unique<InnerSolve>(system, settings, threads_alone(config_))});
  }
  void run_stage(std::size_t n) const {
    InnerSolve& solve = *stages_[n].solve;
    if (state_.clock && state_.clock->is_on())
      return state_.clock->time(stages_[n].name, state_.fields->backend, [&] { solve(); });
    solve();
  }

  StepState& state_;
  const Config config_;
  const Operations op_;

 private:
  std::vector<const Operation*> of_a_step() const {
    std::vector<const Operation*> all = further_operations();
    for (const Operation& operation : explicit_) all.push_back(&operation);
    return all;
  }
  double norm(const Operation& square) const {
    square();
    return std::sqrt(square_.get());
  }

  DeviceScalar square_;
  std::vector<Operation> explicit_, difference_;
  Operation divergence_, square_u_, square_change_, square_divergence_;
  std::vector<StageSolve> stages_;
};

class ClassicalStep final : public FractionalStep {
 public:
  ClassicalStep(StepState& state, const Config& config) : FractionalStep(state, config) {
    const StepFields& f = *state.fields;
    add_stage("momentum", "momentum_iterations",
              state.system(std::make_shared<const MomentumOperator>(state.fields), state.rhs, state.flux));
    System poisson =
        state.system(std::make_shared<const PressureOperator>(state.fields), state.loss, state.pressure);
    poisson.sides.is_singular = true;
    add_stage("pressure", "pressure_iterations", poisson);
    divergence_ =
        on_mesh<MeshDivergence>(op_, "divergence", f, {.u = state.flux.view(), .d = state.divergence.view()});
    negate_ = op_.scale({-1}, state.divergence.view(), state.loss.view(), "divergence");
    correct_ = on_mesh<MeshCorrection>(
        op_, "correction", f,
        {.p = state.pressure.view(), .a = f.push.view(), .u = state.flux.view(), .w = state.flux.view()});
  }

 private:
  void solve() override {
    run_stage(0);
    divergence_();
    negate_();
    run_stage(1);
    correct_();
  }
  std::vector<const Operation*> further_operations() const override {
    return {&divergence_, &negate_, &correct_};
  }

  Operation divergence_, negate_, correct_;
};

class ExactStep final : public FractionalStep {
 public:
  ExactStep(StepState& state, const Config& config) : FractionalStep(state, config) {
    const StepFields& f = *state.fields;
    add_stage(
        "stream function", "stream_iterations",
        state.system(std::make_shared<const StreamOperator>(state.fields), state.stream_rhs, state.stream));
    rotate_ = on_mesh<MeshInnerRotation>(
        op_, "rotation", f, {.g = state.rhs.view(), .inner = f.inner.view(), .r = state.stream_rhs.view()});
    curl_ = on_mesh<MeshCurl>(op_, "curl", f, {.s = state.stream.view(), .u = state.flux.view()});
  }

 private:
  void solve() override {
    rotate_();
    run_stage(0);
    curl_();
  }
  std::vector<const Operation*> further_operations() const override { return {&rotate_, &curl_}; }

  Operation rotate_, curl_;
};

}  // namespace

StepState::StepState(Backend& on, Precision precision, std::shared_ptr<const MeshFlow> of, StepKind which,
                     RoutineClock* with)
    : flow(std::move(of)),
      kind(which),
      clock(with),
      fields(std::make_shared<StepFields>(on, precision, *flow)),
      flux(fields->field(Entity::face)),
      old_flux(fields->field(Entity::face)),
      rhs(fields->field(Entity::face)),
      divergence(fields->field(Entity::cell)) {
  if (kind == StepKind::classical)
    pressure = fields->field(Entity::cell), loss = fields->field(Entity::cell);
  else
    stream = fields->field(Entity::node), stream_rhs = fields->field(Entity::node);
  reset();
}

void StepState::reset() {
  const Mesh& mesh = *flow->mesh;
  const std::vector<double> start = start_fluxes(*flow);
  fields->set(flux, Entity::face, start);
  fields->set(old_flux, Entity::face, start);
  if (kind == StepKind::classical)
    fields->set(pressure, Entity::cell, std::vector<double>(std::size_t(mesh.cells())));
  else
    fields->set(stream, Entity::node, flow->start_stream);
  has_stepped = false;
}

System StepState::system(std::shared_ptr<const LinearOperator> a, const Field& b, const Field& x) const {
  return {.backend = &fields->backend,
          .precision = fields->precision,
          .a = std::move(a),
          .b = b.view(),
          .u = x.view(),
          .clock = clock};
}

std::vector<Setting> step_settings() {
  return {{"check_interval", {10, 20, 50}, 10, "steps between two residual checks"},
          convection,
          real_setting(
              tolerance, 1e-8, {Range::Kind::real, 0, 1},
              "residual of each linear system of a step, relative to its first; 0: always cg_iterations"),
          {most_iterations, {}, 2000, "largest number of CG iterations for a system of a step"}};
}

bool is_upwind_step(const Config& config) { return config.is(convection.name, "upwind"); }
double cg_tolerance_of(const Config& config) { return config.real(tolerance); }
bool has_mesh_kernels(BackendKind kind) { return !MeshKernel<MeshDiffusion>::methods(kind).empty(); }

std::unique_ptr<Iteration> fractional_step(StepState& state, const Config& config) {
  if (state.kind == StepKind::classical) return std::make_unique<ClassicalStep>(state, config);
  return std::make_unique<ExactStep>(state, config);
}

}  // namespace cfdmark
