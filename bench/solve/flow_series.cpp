#include "bench/solve/flow_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "bench/record/output_file.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/printable.hpp"

namespace cfdmark {
namespace {

std::string place_text(const std::array<double, 3>& place, int dims) {
  return dims == 3 ? fmt::format("{:g},{:g},{:g}", place[0], place[1], place[2])
                   : fmt::format("{:g},{:g}", place[0], place[1]);
}

// A cell with the distance of a place from its centre, in cells.
struct InCell {
  std::array<int, 3> cell = {};
  std::array<double, 3> off = {};
};

InCell cell_of(const FlowProblem& problem, const std::array<double, 3>& place) {
  const int cells[] = {problem.grid.nx, problem.grid.ny, problem.grid.nz};
  InCell found;
  for (int axis = 0; axis < problem.grid.dims; ++axis) {
    const double at = place[axis] / problem.cell.side(axis);
    found.cell[axis] = std::clamp(int(at), 0, cells[axis] - 1);
    found.off[axis] = at - found.cell[axis] - 0.5;
  }
  return found;
}

bool is_solid(const FlowProblem& problem, const std::array<int, 3>& c) {
  return CellFaces{int(problem.faces.get(c[0], c[1], c[2]))}.is_solid();
}

void check_probe(const FlowProblem& problem, const std::array<double, 3>& place) {
  const Grid& g = problem.grid;
  const int cells[] = {g.nx, g.ny, g.nz};
  if (std::isnan(place[2]) != (g.dims == 2))
    throw std::invalid_argument(fmt::format("--probe {} has {} numbers, but the flow is {}-D: write {}",
                                            place_text(place, 5 - g.dims), 5 - g.dims, g.dims,
                                            g.dims == 2 ? "X,Y" : "X,Y,Z"));
  std::array<double, 3> ends = {};
  bool is_inside = true;
  for (int axis = 0; axis < g.dims; ++axis) {
    ends[axis] = cells[axis] * problem.cell.side(axis);
    is_inside = is_inside && place[axis] >= 0 && place[axis] <= ends[axis];
  }
  if (!is_inside)
    throw std::invalid_argument(
        fmt::format("--probe {} lies outside the flow: choose a place between {} and {}",
                    place_text(place, g.dims), place_text({}, g.dims), place_text(ends, g.dims)));
  if (is_solid(problem, cell_of(problem, place).cell))
    throw std::invalid_argument(
        fmt::format("--probe {} lies in the body: choose a place in the fluid", place_text(place, g.dims)));
}

}  // namespace

std::array<double, 3> probe_from(const std::string& text) {
  std::array<double, 3> place = {0, 0, std::nan("")};
  const char *at = text.data(), *const end = at + text.size();
  for (int n = 0; n < 3; ++n) {
    const auto [after, error] = std::from_chars(at, end, place[n]);
    if (error != std::errc() || !std::isfinite(place[n])) break;
    if (after == end && n > 0) return place;
    if (after == end || *after != ',') break;
    at = after + 1;
  }
  throw std::invalid_argument(
      fmt::format("--probe {}: expected the place as X,Y or in 3-D X,Y,Z, such as 3.5,2", printable(text)));
}

std::vector<NamedValue> values_at(const FlowProblem& problem, const FlowFields& flow,
                                  const std::array<double, 3>& place) {
  const Grid& g = problem.grid;
  const int cells[] = {g.nx, g.ny, g.nz};
  const InCell at = cell_of(problem, place);
  // Each corner: a cell and its weight.
  std::vector<std::pair<std::array<int, 3>, double>> corners = {{at.cell, 1}};
  for (int axis = 0; axis < g.dims; ++axis) {
    const int step = at.off[axis] < 0 ? -1 : 1;
    const double share = std::abs(at.off[axis]);
    const bool has_next = at.cell[axis] + step >= 0 && at.cell[axis] + step < cells[axis];
    const auto before = corners;
    corners.clear();
    for (const auto& [cell, weight] : before) {
      auto other = cell;
      // Beyond the last centre, the line through the last two.
      other[axis] += has_next ? step : cells[axis] > 1 ? -step : 0;
      const double signed_share = has_next ? share : -share;
      corners.push_back({cell, weight * (1 - signed_share)});
      corners.push_back({other, weight * signed_share});
    }
  }
  const auto value = [&](const char* name, const HostField& f) {
    double sum = 0;
    for (const auto& [cell, weight] : corners) {
      const auto& c = is_solid(problem, cell) ? at.cell : cell;
      sum += weight * f.get(c[0], c[1], c[2]);
    }
    return NamedValue{name, sum};
  };
  std::vector<NamedValue> all = {value("u", flow.u), value("v", flow.v)};
  if (g.is_3d()) all.push_back(value("w", flow.w));
  all.push_back(value("p", flow.p));
  if (problem.heat) all.push_back(value("T", flow.temperature));
  return all;
}

FlowSeries::FlowSeries(const SolveCase& asked, const FlowProblem& problem)
    : asked_(asked), problem_(problem) {
  const SeriesOutput& series = asked.series;
  for (const auto& place : series.probes) check_probe(problem, place);
  const int interval = asked.config.integer("check_interval");
  if (series.vtk_every % interval != 0)
    throw std::invalid_argument(
        fmt::format("--vtk-every {} is not a multiple of check_interval={}: change one of them",
                    series.vtk_every, interval));
  if (series.mean_from && !asked.config.has("end_time"))
    throw std::invalid_argument("--mean-from needs a flow in time: choose --solver piso or projection");
  const double end = series.mean_from ? asked.config.real("end_time") : 0;
  if (end > 0 && *series.mean_from >= end)
    throw std::invalid_argument(
        fmt::format("--mean-from {:g} is not before the end of the flow: choose a time "
                    "below --end-time {:g}",
                    *series.mean_from, end));
  if (series.vtk_every > 0) files_.emplace(asked.vtk);
  if (series.mean_from) means_.emplace(*series.mean_from);
}

void FlowSeries::add(const PreparedFlow& prepared, const Outcome& so_far) {
  const SeriesOutput& series = asked_.series;
  const int iteration = prepared.earlier_iterations() + so_far.iterations;
  const bool is_file_due = files_ && iteration % series.vtk_every == 0;
  const double time = prepared.time_at(so_far.iterations);
  const bool is_mean = means_ && time >= 0.999 * *series.mean_from;
  in_time_ = prepared.time_step() > 0;
  FlowFields flow;
  if (is_file_due || is_mean || !series.probes.empty()) flow = prepared.solution_at(so_far.iterations);
  if (!series.history.empty()) write_row(iteration, so_far, flow, time);
  if (is_file_due) files_->add(iteration, problem_, flow);
  if (is_mean) means_->add(problem_, std::move(flow), so_far.results);
}

// Numbers have all digits of fp64, so that equal flows have equal files.
void FlowSeries::write_row(int iteration, const Outcome& so_far, const FlowFields& flow, double time) {
  const std::string& file = asked_.series.history;
  std::vector<NamedValue> row = {{"iteration", double(iteration)}};
  if (in_time_) row.push_back({"time", time});
  for (const auto* values : {&so_far.residuals, &so_far.results})
    row.insert(row.end(), values->begin(), values->end());
  for (const auto& place : asked_.series.probes)
    for (const NamedValue& value : values_at(problem_, flow, place)) {
      std::string where = place_text(place, problem_.grid.dims);
      std::replace(where.begin(), where.end(), ',', ' ');
      row.push_back({value.name + " at " + where, value.value});
    }
  if (!history_.is_open()) {
    history_.open(file, std::ios::trunc);
    std::string names;
    for (const NamedValue& value : row) names += (names.empty() ? "" : ",") + value.name;
    history_ << names << "\n";
  }
  std::string text;
  for (const NamedValue& value : row) text += fmt::format("{}{}", text.empty() ? "" : ",", value.value);
  history_ << text << "\n" << std::flush;  // a run that is ended keeps its rows
  if (!history_) throw WriteError(fmt::format("cannot write {}: earlier rows are kept", printable(file)));
}

std::optional<FlowFields> FlowSeries::means() const {
  if (!means_ || means_->empty()) return {};
  return means_->fields(problem_);
}

void FlowSeries::print() const {
  if (means_ && means_->empty())
    fmt::print("  no time means: the flow ended before two steps after --mean-from {:g}\n",
               *asked_.series.mean_from);
  if (means_ && !means_->empty()) {
    fmt::print("  means from time {:g} to {:g}\n", means_->first(), means_->until());
    for (const NamedValue& mean : means_->results())
      if (mean.name.ends_with("_coefficient") || mean.name == "kinetic_energy")
        print_value({"mean " + mean.name, mean.value});
  }
  if (history_.is_open()) fmt::print("{}\n", printable(asked_.series.history));
  if (files_) fmt::print("{}\n", printable(files_->list()));
}

}  // namespace cfdmark
