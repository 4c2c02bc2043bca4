#include "solvers/flow/pressure_solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/cells/operator_problem.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {
namespace {

// Returns the transform library of a backend. Throws std::invalid_argument if there is none.
DirectLibrary direct_library(BackendKind kind) {
  const auto libraries = direct_libraries(kind);
  if (libraries.empty())
    throw std::invalid_argument("pressure_solver=direct: there are no transforms on " +
                                std::string(to_string(kind)) + "; use multigrid");
  if (!libraries.front().missing.empty())
    throw std::invalid_argument("pressure_solver=direct: " + libraries.front().missing);
  return libraries.front();
}

}  // namespace

PressureSolve::PressureSolve(FlowSystem& flow, const InnerSettings& settings, double omega,
                             const Config& given)
    : system_(flow.poisson_system()), arrays_(flow.pressure_arrays), faces_(flow.faces) {
  const Config config = threads_of(given);
  system_.sides.periodic = {flow.domain.periodic_x, flow.domain.periodic_y, flow.domain.periodic_z};
  ghosts_ = {system_, flow.domain, {flow.p.view()}, config};
  if (settings.solver == "jacobi" && settings.tolerance > 0)
    throw std::invalid_argument("pressure_solver=jacobi supports no pressure_tolerance: leave it out");
  if (settings.tolerance == 0 && (settings.solver == "sor" || settings.solver == "jacobi")) {
    passes_.times = settings.most;
    if (settings.solver == "sor")
      prepare_sor(flow, omega, settings.method, config);
    else
      prepare_jacobi(config);
    return;
  }
  if (settings.solver == "direct") {
    if (flow.ranks())
      throw std::invalid_argument(
          "pressure_solver=direct: transforms do not run on ranks; use multigrid, pcg, cg or sor");
    prepare_direct(flow.domain, config);
    return;
  }
  if (flow.domain.is_periodic() && settings.solver == "sor")
    throw std::invalid_argument(
        "pressure_solver=sor supports no pressure_tolerance with periodic sides: leave it out, or use "
        "multigrid, pcg or cg");
  Config of_solver = given;
  if (settings.solver == "sor") of_solver.set("omega", omega);
  solve_ = std::make_unique<InnerSolve>(system_, settings, of_solver);
  if (flow.domain.anchor) hold(*flow.domain.anchor, config);
}

void PressureSolve::prepare_sor(FlowSystem& flow, double omega, const std::string& named,
                                const Config& config) {
  const auto methods = CellKernel<RedBlackSor>::methods(system_.backend->kind());
  const bool is_named = named != InnerSettings{}.method;
  const auto add = [&](ColourOrder order) {
    const CellArgs<RedBlackSor> args{.precision = system_.precision,
                                     .kernel = {.omega = omega, .order = order},
                                     .fields = {.a = system_.stencil(), .u = system_.u, .b = system_.b}};
    // On a CPU both colours share one pass, which reads the coefficients, most of the traffic, only once.
    const auto fused =
        std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.name == "fused"; });
    const auto& usual = order != ColourOrder::red_black ? methods.front()
                        : fused != methods.end()        ? *fused
                                                        : default_method(methods, args);
    passes_.turn.push_back(
        prepare(system_, "solve p", is_named ? find_method(methods, named) : usual, args, config));
  };
  if (!flow.exchanges()) return add(ColourOrder::red_black);
  add(ColourOrder::red), add(ColourOrder::black);
}

// Damping 0.8: an undamped Jacobi pass only flips the sign of a checkerboard.
void PressureSolve::prepare_jacobi(const Config& config) {
  constexpr double damping = 0.8;
  relaxed_ = system_.new_field();
  const auto methods = CellKernel<Jacobi>::methods(system_.backend->kind());
  const CellArgs<Jacobi> args{
      .precision = system_.precision,
      .fields = {.a = system_.stencil(), .u = system_.u, .b = system_.b, .out = relaxed_.view()}};
  const Operations op(system_, config);
  passes_.turn = {prepare(system_, "solve p", methods.front(), args, config)};
  damp_ = {op.update({damping}, relaxed_.view(), {1 - damping}, system_.u, "solve p")};
}

// Without solid cells the equations are the same in every cell, as walls only remove neighbours. Without an
// outlet every non-periodic side has zero pressure gradient.
void PressureSolve::prepare_direct(const FlowDomain& domain, const Config& config) {
  const auto ends = [](bool is_periodic) { return is_periodic ? Ends::periodic : Ends::closed; };
  System constant = system_;
  Operator a = system_.stencil();
  a.constant = true;
  a.centre = 2 * (a.wx + a.wy + (system_.grid().is_3d() ? a.wz : 0));
  constant.a = std::make_shared<StencilOperator>(a);
  const BackendKind kind = system_.backend->kind();
  direct_ = direct_library(kind).solve(
      {.system = constant,
       .ends = {ends(domain.periodic_x), ends(domain.periodic_y), ends(domain.periodic_z)},
       .from = system_.b,
       .to = system_.u,
       .config = config});
}

void PressureSolve::hold(const std::array<int, 3>& cell, const Config& config) {
  const CellBox own = system_.own();
  if (!own.has(cell[0], cell[1], cell[2])) return;  // another rank holds it
  const Operations op(system_, config);
  const auto clear = [&](const AnyView& of) {
    const AnyView one = of.box(cell[0] - own.i, cell[1] - own.j, cell[2] - own.k, 1, 1);
    return op.scale({0}, one, one, "hold p");
  };
  for (std::size_t n = 0; n + 1 < arrays_.size(); ++n) start_.push_back(clear(arrays_[n].view()));
  start_.push_back(clear(system_.u));
  hold_ = {clear(system_.b)};
}

void PressureSolve::start() {
  if (!direct_.empty()) {
    const HostField faces = faces_.download();
    for_each_cell(faces.grid(), false, [&](int i, int j, int k) {
      if (CellFaces{int(faces.get(i, j, k))}.is_solid())
        throw std::invalid_argument(
            "pressure_solver=direct: this flow contains a body, so its equations vary; use multigrid");
    });
  }
  for (const Operation& operation : start_) operation();
  ghosts_();
  if (solve_) solve_->reset();
}

void PressureSolve::operator()() {
  if (solve_) {
    for (const Operation& operation : hold_) operation();
    (*solve_)();
    return ghosts_();
  }
  if (!direct_.empty()) {
    for (const Operation& operation : direct_) operation();
    return ghosts_();
  }
  const auto pass = [this](const Operation& relax) {
    relax();
    for (const Operation& operation : damp_) operation();
  };
  passes_(pass, ghosts_);
}

Cost PressureSolve::cost(int solves) const {
  const auto sum = [](const std::vector<Operation>& operations) {
    Cost all;
    for (const Operation& operation : operations) all = all + operation.cost;
    return all;
  };
  if (!direct_.empty()) return double(solves) * (sum(direct_) + ghosts_.cost());
  if (solve_) return double(solves) * (sum(hold_) + ghosts_.cost()) + solve_->cost(solves);
  return double(solves) * (passes_.cost(ghosts_) + double(passes_.times) * sum(damp_));
}

Resources PressureSolve::resources() const {
  Resources all;
  const auto add = [&](const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) add_resources(all, operation.step);
  };
  if (!direct_.empty() || solve_) {
    add(direct_), add(hold_);
    if (solve_) add_resources(all, solve_->resources());
    all.launches += ghosts_.launches();
    return all;
  }
  add(passes_.turn), add(damp_);
  all.launches += int(passes_.turn.size()) * ghosts_.launches();
  all.launches *= passes_.times;
  return all;
}

}  // namespace cfdmark
