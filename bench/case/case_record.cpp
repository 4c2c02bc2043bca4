#include "bench/case/case_record.hpp"

namespace cfdmark {

CaseId id_of(const Case& c) {
  const Row& row = *c.row;
  CaseId id;
  id.name = case_name(c);
  id.label = short_name(c);
  id.kind = to_string(row.kind);
  id.row = row.name;
  id.backend = to_string(row.backend);
  id.precision = to_string(row.precision);
  id.method = row.method;
  id.device = c.device;
  if (c.domain.is_mesh()) {
    id.mesh = c.domain.text();
  } else if (c.domain.is_matrix()) {
    id.matrix = c.domain.text();
  } else {
    const Grid& g = c.domain.box();
    id.grid = {g.nx, g.ny};
    if (g.is_3d()) id.grid.push_back(g.nz);
  }
  id.nodes = std::size_t(c.domain.cells());
  id.config = c.config;
  id.workload = c.workload;
  id.tuned_match = c.tuned.match;
  if (!id.tuned_match.empty()) id.tuned_device = c.tuned.device, id.tuned_grid = c.tuned.grid;
  return id;
}

Record record_without_time(const Case& c, const std::string& status, const std::string& reason,
                           const std::string& environment) {
  Record record;
  record.id = id_of(c);
  record.result.status = status;
  record.result.reason = reason;
  record.environment = environment;
  return record;
}

Json verification_json(const Verification& v) {
  return {{"passed", v.passed}, {"check", v.check}, {"max_error", v.max_error}};
}

}  // namespace cfdmark
