// Transforms of all axes by FFTW, directly on the fields' layout.
#include <fftw3.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {
namespace {

// A measured plan is up to a third faster, but takes seconds to make; an estimated one takes no time.
const Setting planning = choice_setting("planning", {"estimate", "measure"}, "estimate",
                                        "planning of FFTW: FFTW_ESTIMATE or FFTW_MEASURE");
constexpr double most_planning_seconds = 20;  // limit for one plan; FFTW then uses the best plan so far

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

// Returns FFTW's kind of an axis, forward or inverse. RODFT00 of n values is 2 sum_i r_i sin(pi (i + 1) (l +
// 1) / (n + 1)), REDFT10 is 2 sum_i r_i cos(pi (i + 1/2) l / n). R2HC holds the real parts of the periodic
// waves, then the imaginary parts in reverse order.
fftw_r2r_kind kind_of(Ends ends, bool forwards) {
  if (ends == Ends::zero) return FFTW_RODFT00;
  if (ends == Ends::closed) return forwards ? FFTW_REDFT10 : FFTW_REDFT01;
  return forwards ? FFTW_R2HC : FFTW_HC2R;
}

// FFTW's planner is one for the process; only executing plans is safe in several threads (FFTW 3 manual,
// "Thread safety").
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

template <class T>
std::shared_ptr<typename Fftw<T>::Plan> transform_plan(const AnyView& from, const AnyView& to,
                                                       const AxisEnds& ends, bool forwards, int threads,
                                                       bool measured) {
  const Grid& g = to.grid;
  const int rank = g.is_3d() ? 3 : 2, first = 3 - rank;
  const int cells[] = {g.nz, g.ny, g.nx};
  const int memory[] = {g.nz, g.is_3d() ? int(to.plane / to.pitch) : g.ny, int(to.pitch)};
  const fftw_r2r_kind kinds[] = {kind_of(ends[2], forwards), kind_of(ends[1], forwards),
                                 kind_of(ends[0], forwards)};
  const std::lock_guard turn(planner());
  use_threads<T>(threads);
  Fftw<T>::limit(most_planning_seconds);
  const auto plan = Fftw<T>::make(rank, cells + first, 1, static_cast<T*>(from.origin), memory + first, 1, 0,
                                  static_cast<T*>(to.origin), memory + first, 1, 0, kinds + first,
                                  measured ? FFTW_MEASURE : FFTW_ESTIMATE);
  if (!plan) throw std::runtime_error("FFTW cannot plan a transform of this grid");
  return {plan, [](typename Fftw<T>::Plan* p) {
            const std::lock_guard turn_of_destroying(planner());
            Fftw<T>::destroy(p);
          }};
}

template <class T>
std::vector<Operation> solve(const DirectTask& task) {
  const System& s = task.system;
  const Grid g = task.to.grid;
  const HostRows rows = HostRows::shared_by(task.config.has("threads") ? task.config.integer("threads") : 1);
  const bool measured = task.config.has(planning.name) && task.config.is(planning.name, "measure");
  const auto transform = [&](const AnyView& from, bool forwards) {
    std::shared_ptr<typename Fftw<T>::Plan> plan;
    if (!only_counts(*s.backend))
      plan = transform_plan<T>(from, task.to, task.ends, forwards, rows.threads(), measured);
    return Operation{"transform", s.backend, s.clock,
                     row_step(rows, [plan] { Fftw<T>::execute(plan.get()); }),
                     transform_cost(g, task.ends, task.to.storage)};
  };

  const Eigenvalues of = eigenvalues(s.stencil(), g, task.ends);
  const double factor = transform_factor(g, task.ends);
  const std::vector<T> x(of.x.begin(), of.x.end());
  const auto divide = [=, view = task.to.as<T>()] {
    rows(rows_of(g), [&](Index row) {
      const RowIndex at(g);
      const int j = at.j(row), k = at.k(row);
      T* const values = view.row(j, k);
      const T *const of_x = x.data(), of_row = T(of.y[j] + of.z[k]), scale = T(1 / factor);
#pragma GCC ivdep
      for (int i = 0; i < g.nx; ++i) {
        const T eigenvalue = of_x[i] + of_row;
        values[i] *= eigenvalue == T(0)
                         ? T(0)
                         : scale / eigenvalue;  // eigenvalue 0: the constant of a singular system
      }
    });
  };
  const double cells = double(g.cells());
  const Cost of_division{2 * cells * sizeof(T), 3 * cells, cells};
  return {transform(task.from, true),
          {"divide", s.backend, s.clock, row_step(rows, divide), of_division},
          transform(task.to, false)};
}

}  // namespace

std::string fftw_library_version() {
  const std::string version = fftw_version, name = "fftw-";
  return version.starts_with(name) ? version.substr(name.size()) : version;
}

std::vector<DirectLibrary> fftw_library(BackendKind kind) {
  if (kind != BackendKind::serial && kind != BackendKind::openmp) return {};
  TuningSpace space{{planning}};
  if (kind == BackendKind::openmp) space.settings.push_back(openmp_threads_setting());
  return {{"fftw", space, [](const DirectTask& task) {
             return task.to.storage == Precision::fp32 ? solve<float>(task) : solve<double>(task);
           }}};
}

}  // namespace cfdmark
