// Explicit Euler steps of du/dt = -u. A step multiplies u by 1 - dt, so the steps to a tolerance are known.
#include <cmath>

#include "family.hpp"
#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

struct DecayProblem : Problem {
  Grid grid;
  double start = 1;
};

struct DecaySystem {
  DecaySystem(Backend& on, Precision p, const Grid& grid, RoutineClock* with)
      : backend(on), precision(p), clock(with), u{Field(on, grid, p), Field(on, grid, p)} {}
  System as_linear() const { return {&backend, precision, {}, u[0].view(), u[1].view(), clock}; }

  Backend& backend;
  Precision precision;
  RoutineClock* clock;
  Field u[2];  // before and after a step, in turns
};

class Euler final : public AlternatingIteration {
 public:
  Euler(const DecaySystem& system, const Config& config) : square_(system.backend) {
    const Operations op(system.as_linear(), config);
    const double factor = 1 - config.real("dt");
    for (int now : {0, 1}) {
      step_[now] = op.scale({factor}, system.u[now].view(), system.u[1 - now].view(), "step");
      norm_[now] = op.dot(system.u[now].view(), system.u[now].view(), square_);
    }
    store_ = op.scale({1}, system.u[1].view(), system.u[0].view(), "store");
  }

  void start() override { now_ = 0; }
  void iterate(int now) override { step_[now](); }
  std::vector<NamedValue> residuals() override {
    norm_[now_]();
    return {{"u", std::sqrt(square_.get())}};
  }
  void store() override {
    if (now_ == 1) store_();
  }
  Cost cost(int iterations) const override { return double(iterations) * step_[0].cost; }
  Resources resources() const override {
    Resources sum;
    add_resources(sum, step_[0].step);
    return sum;
  }

 private:
  DeviceScalar square_;
  Operation step_[2], norm_[2], store_;
};

class PreparedDecay final : public PreparedSolve {
 public:
  PreparedDecay(Backend& on, Precision p, const Config& config, std::shared_ptr<const DecayProblem> problem)
      : problem_(std::move(problem)),
        system_(on, p, problem_->grid, &clock_),
        solver_(on, std::make_unique<Euler>(system_, config), config, &clock_) {}

  void load(std::shared_ptr<const Problem> next) override { problem_ = as<DecayProblem>(next); }
  void reset() override {
    HostField start(problem_->grid, system_.precision);
    for_each_cell(start.grid(), false, [&](int i, int j, int k) { start.set(i, j, k, problem_->start); });
    system_.u[0].upload(start);
  }
  Judgement verify(Outcome& outcome, double tolerance) override {
    const double left = largest();
    outcome.results = {{"largest", left}};
    Judgement judgement = judge(outcome, left / problem_->start, tolerance, 1e-5 * outcome.relative_residual);
    judgement.check = "the norm of u against its largest value";
    return judgement;
  }
  std::function<double()> error() const override {
    return [this] { return largest(); };
  }
  Solver& solver() const override { return solver_; }
  std::size_t field_bytes() const override { return system_.u[0].bytes() + system_.u[1].bytes(); }

 private:
  double largest() const {
    double most = 0;
    const HostField u = system_.u[0].download();
    for_each_cell(u.grid(), false, [&](int i, int j, int k) { most = std::max(most, u.get(i, j, k)); });
    return most;
  }

  std::shared_ptr<const DecayProblem> problem_;
  DecaySystem system_;
  mutable Solver solver_;
};

double field_bytes(const CaseShape& shape) {
  return 2 * double(Layout(shape.grid()).elements) * double(stored_bytes(shape.precision));
}

FamilyMethod plain() {
  FamilyMethod method{"plain",
                      {{{"check_interval", {1, 2, 5}, 1, "steps between two checks"},
                        real_setting("dt", 0.5, real_between(0, 1), "time step")}},
                      SourcePlace::here()};
  method.unsupported_dimension = [](int, Precision p) {
    return p == Precision::mixed ? "decay has no mixed precision" : "";
  };
  method.field_bytes = method.host_bytes = field_bytes;
  method.prepare = [](Backend& on, Precision p, const Config& config,
                      const std::shared_ptr<const Problem>& problem, const LevelConfigs&) {
    return std::make_unique<PreparedDecay>(on, p, config, as<DecayProblem>(problem));
  };
  return method;
}

}  // namespace

Family decay_family() {
  FamilySolver euler{"euler", [](BackendKind) { return std::vector{plain()}; }, plain()};
  FamilyProblem decay{"decay",
                      "du/dt = -u from a constant",
                      {real_setting("start", 1, real_above(0), "value at the start")},
                      [](const Domain& domain, const Config& settings) {
                        auto problem = std::make_shared<DecayProblem>();
                        problem->grid = domain.box(), problem->start = settings.real("start");
                        return problem;
                      },
                      "euler",
                      "euler",
                      "64x64"};
  return {"decay", {euler}, {decay}};
}

}  // namespace cfdmark
