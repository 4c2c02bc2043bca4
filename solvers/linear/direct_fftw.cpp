// Sine transforms of all directions by FFTW, in place, on fields as they lie.
#include <fftw3.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/backends/counting.hpp"
#include "kernels/backends/cpu_rows.hpp"
#include "solvers/linear/direct.hpp"

namespace cfdmark {
namespace {

// A measured plan is up to a third faster, and takes seconds where an estimated one takes none.
const Setting planning = word_setting("planning", {"estimate", "measure"}, "estimate",
                                      "of FFTW's transforms: FFTW_ESTIMATE or FFTW_MEASURE");
constexpr double most_planning_seconds = 20;  // after which FFTW takes the best plan that it has

template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan_s;
  static constexpr auto make = fftw_plan_many_r2r;
  static constexpr auto execute = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto limit = fftw_set_timelimit;
#ifdef _OPENMP
  static constexpr auto start_threads = fftw_init_threads;
  static constexpr auto use_threads = fftw_plan_with_nthreads;
#endif
};
template <>
struct Fftw<float> {
  using Plan = fftwf_plan_s;
  static constexpr auto make = fftwf_plan_many_r2r;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto limit = fftwf_set_timelimit;
#ifdef _OPENMP
  static constexpr auto start_threads = fftwf_init_threads;
  static constexpr auto use_threads = fftwf_plan_with_nthreads;
#endif
};

template <class T>
void use_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
  [[maybe_unused]] static const int started = Fftw<T>::start_threads();
  Fftw<T>::use_threads(threads);
#endif
}

// The transform of r's cells in place, which is its own inverse but for a factor. FFTW's RODFT00 of n values
// is 2 sum_i r_i sin(pi (i + 1) (l + 1) / (n + 1)).
template <class T>
std::shared_ptr<typename Fftw<T>::Plan> sine_plan(const AnyView& r, int threads, bool measured) {
  const Grid& g = r.grid;
  const int rank = g.is_3d() ? 3 : 2, first = 3 - rank;
  const int cells[] = {g.nz, g.ny, g.nx};
  const int memory[] = {g.nz, g.is_3d() ? int(r.plane / r.pitch) : g.ny, int(r.pitch)};
  const fftw_r2r_kind kinds[] = {FFTW_RODFT00, FFTW_RODFT00, FFTW_RODFT00};
  T* const values = static_cast<T*>(r.origin);
  use_threads<T>(threads);
  Fftw<T>::limit(most_planning_seconds);
  const auto plan = Fftw<T>::make(rank, cells + first, 1, values, memory + first, 1, 0, values,
                                  memory + first, 1, 0, kinds, measured ? FFTW_MEASURE : FFTW_ESTIMATE);
  if (!plan) throw std::runtime_error("FFTW has no plan for this grid");
  return {plan, Fftw<T>::destroy};
}

template <class T>
std::vector<Operation> sine_solve(const System& s, const AnyView& r, const Config& config) {
  const Grid g = s.grid();
  const OpenMPRows rows{config.has("threads") ? config.whole("threads") : 1};
  std::shared_ptr<typename Fftw<T>::Plan> plan;
  if (!only_counts(*s.backend)) plan = sine_plan<T>(r, rows.threads, config.is(planning.name, "measure"));
  const Operation transform{"transform", s.backend, s.clock,
                            row_step(rows, [plan] { Fftw<T>::execute(plan.get()); }),
                            sine_transform_cost(g, s.precision)};

  const SineEigenvalues of = sine_eigenvalues(s.a, g);
  const double factor = sine_transform_factor(g);
  const std::vector<T> x(of.x.begin(), of.x.end());
  const auto divide = [=, view = r.as<T>()] {
    rows(rows_of(g), [&](Index row) {
      const RowIndex at(g);
      const int j = at.j(row), k = at.k(row);
      T* const values = view.row(j, k);
      const T *const of_x = x.data(), of_row = T(of.y[j] + of.z[k]), scale = T(1 / factor);
#pragma GCC ivdep
      for (int i = 0; i < g.nx; ++i) values[i] *= scale / (of_x[i] + of_row);
    });
  };
  const double cells = double(g.cells());
  const Cost of_division{2 * cells * sizeof(T), 3 * cells, cells};
  return {transform, {"divide", s.backend, s.clock, row_step(rows, divide), of_division}, transform};
}

}  // namespace

std::string fftw_library_version() {
  const std::string told = fftw_version, name = "fftw-";
  return told.starts_with(name) ? told.substr(name.size()) : told;
}

std::vector<SolverMethod> fftw_direct(BackendKind kind) {
  if (kind != BackendKind::serial && kind != BackendKind::openmp) return {};
  TuningSpace space{{planning}};
  if (kind == BackendKind::openmp) space.settings.push_back(openmp_threads_setting());
  return {direct_method("fftw", space, [](const System& system, const AnyView& r, const Config& config) {
    return system.precision == Precision::fp32 ? sine_solve<float>(system, r, config)
                                               : sine_solve<double>(system, r, config);
  })};
}

}  // namespace cfdmark
