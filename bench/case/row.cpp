// Functions of a row that need no kernel or solver.
#include "bench/case/row.hpp"

#include <fmt/format.h>

#include "kernels/core/method.hpp"

namespace cfdmark {

std::string_view to_string(RowKind kind) { return kind == RowKind::kernel ? "kernel" : "solver"; }

std::string row_name(const Row& row, int device) {
  return row.name + "/" + to_string(DeviceId(row.backend, device)) + "/" +
         std::string(to_string(row.precision)) + "/" + row.method;
}

std::string domain_refusal(const Row& row, const Domain& domain) {
  if (row.runs_on != domain.kind())
    return fmt::format("{} runs on {}, and {} is a {}", row.name, examples_of(row.runs_on), domain.text(),
                       to_string(domain.kind()));
  const int dims = domain.dims();
  if (dims == 3 ? row.in_3d : row.in_2d) return "";
  return fmt::format("{} exists in {}-D only, and {} is {}-D", row.name, dims == 3 ? 2 : 3, domain.text(),
                     dims);
}

const Row& default_row(const std::vector<const Row*>& rows, const Domain& domain, const Config& workload) {
  const auto chosen = default_choice(
      rows,
      [&](const Row* row) {
        return domain_refusal(*row, domain).empty() &&
               (!row->unsupported || row->unsupported(domain, workload).empty());
      },
      [&](const Row* row) { return row->preferred && row->preferred(domain, workload); });
  return chosen != rows.end() ? **chosen : *rows.front();
}

}  // namespace cfdmark
