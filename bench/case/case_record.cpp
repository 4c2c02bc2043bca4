#include "bench/case/case_record.hpp"

#include "bench/record/config_json.hpp"

namespace cfdmark {

Json record_of(const Case& c, const std::string& status, const std::string& reason) {
  const Row& row = *c.row;
  Json grid = {c.grid.nx, c.grid.ny};
  if (c.grid.is_3d()) grid.push_back(c.grid.nz);
  Json record = {{"type", "record"},
                 {"schema", 2},
                 {"case", case_name(c)},
                 {"label", short_name(c)},
                 {"kind", to_string(row.kind)},
                 {"name", row.name},
                 {"backend", to_string(row.backend)},
                 {"device", {{"kind", to_string(row.backend)}, {"index", c.device}}},
                 {"precision", to_string(row.precision)},
                 {"method", row.method},
                 {"grid", grid},
                 {"nodes", c.grid.cells()},
                 {"config", config_json(c.config)}};
  if (!c.workload.empty()) record["workload"] = config_json(c.workload);
  if (!c.tuned.match.empty()) {
    record["tuned"] = {{"match", c.tuned.match}};
    if (!c.tuned.device.empty()) record["tuned"].update({{"device", c.tuned.device}, {"grid", c.tuned.grid}});
  }
  record["status"] = status;
  if (!reason.empty()) record["reason"] = reason;
  return record;
}

Json verification_json(const Verification& v) {
  return {{"passed", v.passed}, {"check", v.check}, {"max_error", v.max_error}};
}

}  // namespace cfdmark
