#include "bench/shape/tunnel_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"

namespace cfdmark {
namespace {

std::vector<const Row*> rows_on(const std::string& backend, const std::string& precision) {
  std::vector<const Row*> rows;
  for (const Row& row : catalog())
    if (row.kind == RowKind::solver && row.name == "simple" && to_string(row.backend) == backend &&
        to_string(row.precision) == precision)
      rows.push_back(&row);
  return rows;
}

}  // namespace

Config tunnel_workload(const std::string& problem) {
  const auto row = std::find_if(catalog().begin(), catalog().end(),
                                [](const Row& r) { return r.kind == RowKind::solver && r.name == "simple"; });
  Config workload = workload_space(*row, problem).defaults();
  workload.set("surface", std::string("distances"));
  workload.set("tolerance", 1e-4);
  return workload;
}

const Row& tunnel_row(const std::string& backend, const std::string& precision, const Grid& grid,
                      const Config& workload, const std::string& file) {
  std::vector<const Row*> rows = rows_on(backend.empty() ? "cuda" : backend, precision);
  const bool runs = !rows.empty() && rows.front()->unavailable.empty();
  if (backend.empty() && !runs) rows = rows_on("serial", precision);
  if (rows.empty() || !rows.front()->unavailable.empty())
    throw std::invalid_argument(fmt::format("{}: backend {} cannot run here: {}", file, backend,
                                            rows.empty() ? "it is not built" : rows.front()->unavailable));
  return default_row(rows, Domain(grid), workload);
}

Config usual_tunnel_settings(const TuningSpace& space) {
  Config usual;
  if (find_setting(space.settings, "velocity_relaxation")) usual.set("velocity_relaxation", 0.9);
  if (find_setting(space.settings, "pressure_relaxation")) usual.set("pressure_relaxation", 0.1);
  if (find_setting(space.settings, "pressure_sweeps")) usual.set("pressure_sweeps", 20);
  return usual;
}

}  // namespace cfdmark
