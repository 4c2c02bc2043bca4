// SIMPLE (Patankar and Spalding 1972; Normore 2010, algorithm 2.1): velocities from the momentum equations
// with the pressure as it is, then a pressure that makes them conserve mass, over and over until both hold.
#include <cmath>

#include "kernels/backends/openmp.hpp"
#include "kernels/face_flux/face_flux.hpp"
#include "kernels/pressure_correction/pressure_correction.hpp"
#include "kernels/pressure_gradient/pressure_gradient.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/flow/method.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {
namespace {

const Setting convection = word_setting(
    "convection", {"central", "upwind", "hybrid"}, "central",
    "velocity on a face: the mean, as a correction of upwind; where the flow comes from; hybrid");
const Setting velocity_relaxation =
    real_setting("velocity_relaxation", 0.7, {Range::Kind::real, 0.01, 1}, "share of the new velocity");
const Setting pressure_relaxation = real_setting("pressure_relaxation", 0.3, {Range::Kind::real, 0.01, 1},
                                                 "share of the pressure correction");
const Setting momentum_sweeps{
    "momentum_sweeps", {1, 2, 3, 5}, 2, "red-black sweeps of the momentum equations an iteration"};
const Setting pressure_sweeps{
    "pressure_sweeps", {5, 10, 20, 50, 100}, 40, "red-black sweeps of the pressure correction an iteration"};
const Setting pressure_omega{
    "pressure_omega", {1.5, 1.7, 1.8, 1.9}, 1.8, "their factor of over-relaxation", "", real_between(0, 2)};
const Setting look_interval{"check_interval", {10, 20, 50}, 20, between_looks};

Convection convection_of(const Config& config) {
  const std::string& word = config.word(convection.name);
  return word == "upwind" ? Convection::upwind : word == "hybrid" ? Convection::hybrid : Convection::central;
}

// sqrt(x . x) on a backend.
class Norm {
 public:
  Norm(const Operations& op, Backend& backend, const AnyView& x)
      : square_(backend), dot_(op.dot(x, x, square_)) {}
  double square() const {
    dot_();
    return square_.get();
  }
  Cost cost() const { return dot_.cost; }

 private:
  DeviceScalar square_;
  Operation dot_;
};

class Simple final : public Iteration {
 public:
  Simple(FlowSystem& flow, double mass_scale, const Config& config, bool rhie_chow)
      : flow_(flow),
        mass_scale_(mass_scale),
        cells_(double(flow.u.grid().cells())),
        momentum_sweeps_(config.whole(momentum_sweeps.name)),
        pressure_sweeps_(config.whole(pressure_sweeps.name)),
        residual_(flow.backend, flow.u.grid(), flow.precision),
        operations_(flow.u_system(), config),
        residual_u_(operations_.residual(flow.u.view(), flow.bu.view(), residual_.view())),
        residual_v_(operations_.residual(flow.v.view(), flow.bv.view(), residual_.view())),
        square_(operations_, flow.backend, residual_.view()),
        surplus_(operations_, flow.backend, flow.surplus.view()),
        weighted_u_(weighted(flow.u, config)),
        weighted_v_(weighted(flow.v, config)) {
    const FluidCell cell = flow.cell;
    const double relaxation = config.real(velocity_relaxation.name);
    const auto sweep = [&]<class K>(const char* routine, const K& kernel, const auto&... fields) {
      return prepared<K>(flow_.u_system(), routine, {flow_.precision, kernel, {fields...}}, config);
    };
    const auto relax = [&](const System& system, const char* routine, double omega) {
      return prepared<RedBlackSor>(
          system, routine, {flow_.precision, {.omega = omega}, {system.a, system.u, system.b}}, config);
    };
    const auto view = [](const Field& field) { return field.view(); };
    const auto &m = flow.momentum_arrays, &c = flow.pressure_arrays;
    const AnyView faces = view(flow.faces), aP = flow.diagonal(), u = view(flow.u), v = view(flow.v),
                  p = view(flow.p), px = view(flow.px), py = view(flow.py), mass_x = view(flow.mass_x),
                  mass_y = view(flow.mass_y), correction = view(flow.correction);

    coefficients_ = {
        sweep("gradient", PressureGradient{cell}, faces, p, px, py),
        sweep("momentum", Momentum{cell, convection_of(config), relaxation}, mass_x, mass_y, faces, u, v, px,
              py, view(m[0]), view(m[1]), view(m[2]), view(m[3]), view(m[4]), view(flow.bu), view(flow.bv))};
    momentum_ = {relax(flow.u_system(), "solve u, v", 1), relax(flow.v_system(), "solve u, v", 1)};
    fluxes_ = {sweep("face fluxes", FaceFluxX{{cell, relaxation, 0, rhie_chow}}, faces, u, view(flow.old_u),
                     p, px, aP, mass_x),
               sweep("face fluxes", FaceFluxY{{cell, relaxation, 0, rhie_chow}}, faces, v, view(flow.old_v),
                     p, py, aP, mass_y),
               sweep("pressure equation", PressureEquation{cell}, faces, aP, mass_x, mass_y, view(c[0]),
                     view(c[1]), view(c[2]), view(c[3]), view(c[4]), view(flow.surplus))};
    pressure_ = relax(flow.pressure_system(), "solve p'", config.real(pressure_omega.name));
    corrections_ = {sweep("correct", FluxCorrectionX{{cell}}, faces, aP, correction, mass_x),
                    sweep("correct", FluxCorrectionY{{cell}}, faces, aP, correction, mass_y),
                    sweep("correct", CellCorrection{cell, config.real(pressure_relaxation.name)}, faces, aP,
                          correction, u, v, p)};
  }

  void start() override {
    flow_.backend.set_zero(flow_.surplus.data(), flow_.surplus.bytes());  // nothing was lost yet
    run(coefficients_);
  }

  int advance(int most, double) override {
    for (int n = 0; n < most; ++n) iterate();
    return most;
  }

  // What is wrong with the equations, as they will be solved next: that of momentum as a share of A_P u, and
  // the mass that the last velocities lost before they were corrected, as a share of what the flow moves. It
  // is no less than the sum over all cells.
  std::vector<NamedValue> residuals() override {
    const double wrong = squared(residual_u_) + squared(residual_v_);
    const double size = squared(weighted_u_) + squared(weighted_v_);
    const double momentum = size > 0 ? std::sqrt(wrong / size) : wrong > 0 ? 1 : 0;
    return {{"momentum", momentum}, {"mass", std::sqrt(cells_ * surplus_.square()) / mass_scale_}};
  }
  bool residuals_are_shares() const override { return true; }

  Cost cost(int iterations) const override {
    Cost one = sum(coefficients_) + double(momentum_sweeps_) * sum(momentum_) + sum(fluxes_) +
               double(pressure_sweeps_) * pressure_.cost + sum(corrections_);
    return double(iterations) * one;
  }
  Cost check_cost() const override {
    return residual_u_.cost + residual_v_.cost + weighted_u_.cost + weighted_v_.cost + 4 * square_.cost() +
           surplus_.cost();
  }
  Resources resources() const override {
    Resources all;
    for (const auto* part : {&coefficients_, &fluxes_, &corrections_})
      for (const Operation& operation : *part) add_resources(all, operation.step);
    return all;
  }

 private:
  template <class K>
  static Operation prepared(const System& system, const char* routine, const CellArgs<K>& args,
                            const Config& config) {
    Config threads;
    if (config.has("threads")) threads.set("threads", config.at("threads"));
    const auto methods = CellKernel<K>::methods(system.backend->kind());
    return prepare(system, routine, default_method(methods, args), args, threads);
  }

  // A_P times a velocity, where the residual is put too.
  Operation weighted(const Field& velocity, const Config& config) const {
    return prepared<Multiply>(flow_.u_system(), "weigh",
                              {flow_.precision, {}, {flow_.diagonal(), velocity.view(), residual_.view()}},
                              config);
  }

  double squared(const Operation& operation) const {
    operation();
    return square_.square();
  }

  static void run(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) operation();
  }
  // Sweeps, in the layout of their method.
  static void repeat(const Operation& sweep, int times) {
    sweep.load();
    for (int n = 0; n < times; ++n) sweep();
    sweep.store();
  }
  static Cost sum(const std::vector<Operation>& operations) {
    Cost all;
    for (const Operation& operation : operations) all = all + operation.cost;
    return all;
  }

  void iterate() {
    flow_.old_u.copy_from(flow_.u);
    flow_.old_v.copy_from(flow_.v);
    for (const Operation& relax : momentum_) repeat(relax, momentum_sweeps_);
    run(fluxes_);
    flow_.backend.set_zero(flow_.correction.data(), flow_.correction.bytes());
    repeat(pressure_, pressure_sweeps_);
    run(corrections_);
    run(coefficients_);
  }

  FlowSystem& flow_;
  double mass_scale_, cells_;
  int momentum_sweeps_, pressure_sweeps_;
  Field residual_;
  Operations operations_;
  Operation residual_u_, residual_v_;
  Norm square_, surplus_;
  Operation weighted_u_, weighted_v_;
  std::vector<Operation> coefficients_, momentum_, fluxes_, corrections_;
  Operation pressure_;
};

// Of a backend whose kernels are there.
std::vector<FlowMethod> simple_methods(BackendKind kind) {
  if (CellKernel<Momentum>::methods(kind).empty()) return {};
  std::vector<FlowMethod> methods;
  for (const bool rhie_chow : {true, false}) {
    FlowMethod method{rhie_chow ? "rhie_chow" : "paper",
                      {{look_interval, convection, velocity_relaxation, pressure_relaxation, momentum_sweeps,
                        pressure_sweeps, pressure_omega}},
                      [=](FlowSystem& flow, double mass_scale, const Config& config) {
                        return std::make_unique<Simple>(flow, mass_scale, config, rhie_chow);
                      }};
    if (kind == BackendKind::openmp) method.space.settings.push_back(openmp_threads_setting());
    if (kind == BackendKind::cuda) {
      method.space.settings.push_back(graph_iterations_setting);
      method.space.require(graph_constraint);
    }
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

FlowSolverDescription simple_solver() { return {"simple", simple_methods}; }

}  // namespace cfdmark
