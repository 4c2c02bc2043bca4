// One step of PISO computed independently in plain loops, and the variants that the thesis prints.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

constexpr int n = 8;
constexpr double h = 1.0 / n, volume = h * h;

// Values of the cells of a periodic square, or of their west or south faces.
struct Values {
  std::vector<double> all = std::vector<double>(n * n, 0.0);
  double& operator()(int i, int j) { return all[(j + n) % n * n + (i + n) % n]; }
  double operator()(int i, int j) const { return all[(j + n) % n * n + (i + n) % n]; }
};
template <class F>
void for_all(const F& f) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) f(i, j);
}

struct State {
  Values u, v, p, mass_x, mass_y;
};
State state_of(const FlowFields& flow) {
  State s;
  for_all([&](int i, int j) {
    s.u(i, j) = flow.u.get(i, j), s.v(i, j) = flow.v.get(i, j), s.p(i, j) = flow.p.get(i, j);
    s.mass_x(i, j) = flow.mass_x.get(i, j), s.mass_y(i, j) = flow.mass_y.get(i, j);
  });
  return s;
}

// Errors of Normore 2010 that a step can reproduce.
enum class Printed {
  nothing,
  half_missing_at_cells,
  half_on_faces,
  neighbours_of_u2,
  neighbours_of_u3,
  no_neighbours,
  first_correction_again,
  lines_without_plus,
  no_inertia
};

struct Coefficients {
  Values west, east, south, north, centre;
  double neighbours(const Values& f, int i, int j) const {
    return west(i, j) * f(i - 1, j) + east(i, j) * f(i + 1, j) + south(i, j) * f(i, j - 1) +
           north(i, j) * f(i, j + 1);
  }
  // Returns the solution after enough passes to reach rounding.
  Values solved(const Values& b, Values x, double omega) const {
    for (int sweep = 0; sweep < 2000; ++sweep)
      for_all([&](int i, int j) {
        x(i, j) += omega * ((neighbours(x, i, j) + b(i, j)) / centre(i, j) - x(i, j));
      });
    return x;
  }
};

double across_x(const Values& f, int i, int j) { return (f(i + 1, j) - f(i - 1, j)) / (2 * h); }
double across_y(const Values& f, int i, int j) { return (f(i, j + 1) - f(i, j - 1)) / (2 * h); }
double mean_x(const Values& f, int i, int j) { return (f(i - 1, j) + f(i, j)) / 2; }  // on the west face
double mean_y(const Values& f, int i, int j) { return (f(i, j - 1) + f(i, j)) / 2; }

// Returns the state after a step `dt`, for a fluid of density 1 and viscosity mu.
State step(const State& old, double mu, double dt, Printed printed = Printed::nothing) {
  Coefficients a;
  Values bu, bv;
  const double inertia = printed == Printed::no_inertia ? 0 : volume / dt;
  for_all([&](int i, int j) {
    const double out[] = {-old.mass_x(i, j), old.mass_x(i + 1, j), -old.mass_y(i, j), old.mass_y(i, j + 1)};
    Values* const neighbour[] = {&a.west, &a.east, &a.south, &a.north};
    const int to_i[] = {-1, 1, 0, 0}, to_j[] = {0, 0, -1, 1};
    a.centre(i, j) = inertia;
    bu(i, j) = inertia * old.u(i, j) - volume * across_x(old.p, i, j);
    bv(i, j) = inertia * old.v(i, j) - volume * across_y(old.p, i, j);
    for (int side = 0; side < 4; ++side) {
      (*neighbour[side])(i, j) = mu + std::max(-out[side], 0.0);
      a.centre(i, j) += (*neighbour[side])(i, j);
      // Deferred correction from upwind to the mean.
      const double more = std::abs(out[side]) / 2;
      bu(i, j) += more * (old.u(i, j) - old.u(i + to_i[side], j + to_j[side]));
      bv(i, j) += more * (old.v(i, j) - old.v(i + to_i[side], j + to_j[side]));
    }
  });
  const State predicted = [&] {
    State s = old;
    s.u = a.solved(bu, old.u, 1), s.v = a.solved(bv, old.v, 1);
    for_all([&](int i, int j) {
      const double west = 2 / (a.centre(i - 1, j) + a.centre(i, j)),
                   south = 2 / (a.centre(i, j - 1) + a.centre(i, j));
      const double jump_x =
          (old.p(i, j) - old.p(i - 1, j)) / h - (across_x(old.p, i - 1, j) + across_x(old.p, i, j)) / 2;
      const double jump_y =
          (old.p(i, j) - old.p(i, j - 1)) / h - (across_y(old.p, i, j - 1) + across_y(old.p, i, j)) / 2;
      s.mass_x(i, j) = h * (mean_x(s.u, i, j) - volume * west * jump_x +
                            inertia * west * (old.mass_x(i, j) / h - mean_x(old.u, i, j)));
      s.mass_y(i, j) = h * (mean_y(s.v, i, j) - volume * south * jump_y +
                            inertia * south * (old.mass_y(i, j) / h - mean_y(old.v, i, j)));
    });
    return s;
  }();

  Coefficients c;
  const double on_faces = printed == Printed::half_on_faces ? 0.5 : 1;
  for_all([&](int i, int j) {
    const double d = on_faces * 2 * volume;
    c.west(i, j) = d / (a.centre(i - 1, j) + a.centre(i, j));
    c.east(i, j) = d / (a.centre(i + 1, j) + a.centre(i, j));
    c.south(i, j) = d / (a.centre(i, j - 1) + a.centre(i, j));
    c.north(i, j) = d / (a.centre(i, j + 1) + a.centre(i, j));
    c.centre(i, j) = c.west(i, j) + c.east(i, j) + c.south(i, j) + c.north(i, j);
  });
  const double at_cells = printed == Printed::half_missing_at_cells ? 2 : 1;
  const auto correct = [&](State& s, const Values& more, const Values& of_p) {
    for_all([&](int i, int j) {
      s.mass_x(i, j) += c.west(i, j) * (more(i - 1, j) - more(i, j));
      s.mass_y(i, j) += c.south(i, j) * (more(i, j - 1) - more(i, j));
      s.u(i, j) -= at_cells * volume / a.centre(i, j) * across_x(more, i, j);
      s.v(i, j) -= at_cells * volume / a.centre(i, j) * across_y(more, i, j);
      s.p(i, j) += of_p(i, j);
    });
  };
  const auto correction = [&](const State& s, double sign_of_y) {
    Values lost;
    for_all([&](int i, int j) {
      lost(i, j) = s.mass_x(i, j) - s.mass_x(i + 1, j) + sign_of_y * (s.mass_y(i, j) - s.mass_y(i, j + 1));
    });
    return c.solved(lost, Values{}, 1.5);
  };
  State first = predicted;
  const Values p1 = correction(first, 1);
  correct(first, p1, p1);

  // Adds the neighbours' part of the velocity change since the prediction.
  const auto second = [&](const State& changed) {
    State s = first;
    Values hu, hv;
    const bool whole = printed == Printed::neighbours_of_u2;
    Values du = changed.u, dv = changed.v;
    if (!whole) for_all([&](int i, int j) { du(i, j) -= predicted.u(i, j), dv(i, j) -= predicted.v(i, j); });
    if (printed != Printed::no_neighbours)
      for_all([&](int i, int j) {
        hu(i, j) = a.neighbours(du, i, j) / a.centre(i, j);
        hv(i, j) = a.neighbours(dv, i, j) / a.centre(i, j);
      });
    for_all([&](int i, int j) {
      s.u(i, j) += hu(i, j), s.v(i, j) += hv(i, j);
      s.mass_x(i, j) += h * mean_x(hu, i, j), s.mass_y(i, j) += h * mean_y(hv, i, j);
    });
    const Values p2 = correction(s, printed == Printed::lines_without_plus ? -1 : 1);
    correct(s, p2, printed == Printed::first_correction_again ? p1 : p2);
    return s;
  };
  const State all = second(first);
  return printed == Printed::neighbours_of_u3 ? second(all) : all;
}

// Returns the largest difference of all values; the pressure is compared up to a constant.
double largest_difference(const State& a, const State& b) {
  double largest = 0;
  const auto look = [&](const Values& f, const Values& g, bool by_differences = false) {
    for_all([&](int i, int j) {
      const double shift = by_differences ? f(0, 0) - g(0, 0) : 0;
      largest = std::max(largest, std::abs(f(i, j) - g(i, j) - shift));
    });
  };
  look(a.u, b.u), look(a.v, b.v), look(a.p, b.p, true);
  look(a.mass_x, b.mass_x), look(a.mass_y, b.mass_y);
  return largest;
}

struct Stepped {
  State start, end;
  double mu, dt;
};
// Vortices that differ from the exact ones, so that every term matters.
Stepped stepped() {
  FlowProblem problem = make_flow_problem(*find_flow_problem("taylor_green"), {n, n});
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    problem.start.u.set(i, j, 0, problem.start.u.get(i, j) + 0.3 * std::sin(1.0 + 2 * i + j * j));
    problem.start.v.set(i, j, 0, problem.start.v.get(i, j) + 0.2 * std::cos(2.0 + i * j));
    problem.start.p.set(i, j, 0, problem.start.p.get(i, j) + 0.1 * std::sin(3.0 * i + 5 * j));
  });
  const auto posed = std::make_shared<const FlowProblem>(problem);
  const SolvedFlow s = solve_flow_on(backend(BackendKind::serial),
                                     flow_method("piso", BackendKind::serial, "rhie_chow"), posed,
                                     {.solver = "piso",
                                      .tolerance = 1e-30,
                                      .max_iterations = 1,
                                      .config = {{"courant", 0.8},
                                                 {"momentum_sweeps", 500},
                                                 {"momentum_tolerance", 0.0},
                                                 {"pressure_sweeps", 100}}});
  return {state_of(problem.start), state_of(s.flow), problem.cell.viscosity, 0.8 * h};
}

}  // namespace

TEST_CASE("a step of PISO satisfies its equations and not the misprints of the thesis", "[flow][piso]") {
  const Stepped s = stepped();
  CHECK(largest_difference(step(s.start, s.mu, s.dt), s.end) < 1e-12);
  CHECK(largest_difference(s.start, s.end) > 0.1);
  for (const auto& [printed, what] :
       {std::pair{Printed::half_missing_at_cells, "(16, 17): no half at the cells, as in (23)"},
        {Printed::half_on_faces, "(19-22): a half on the faces"},
        {Printed::neighbours_of_u2, "(24-27): the neighbours' whole velocity, not what it has changed"},
        {Printed::neighbours_of_u3, "(26, 27): the neighbours' change from u***, not u**"},
        {Printed::no_neighbours, "(28, 29), algorithm 2.2: SIMPLE's corrector again, without neighbours"},
        {Printed::first_correction_again, "(30): p*** = p** + p'"},
        {Printed::lines_without_plus, "b'' in two lines, the second not added"},
        {Printed::no_inertia, "appendix: no a_P0 in time"}}) {
    INFO(what);
    CHECK(largest_difference(step(s.start, s.mu, s.dt, printed), s.end) > 1e-3);
  }
}
