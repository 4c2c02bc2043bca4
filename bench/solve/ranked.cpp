#include "bench/solve/ranked.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/case/ranked_case.hpp"
#include "kernels/core/partition.hpp"

namespace cfdmark {
namespace {

void check_row(const Row& row, const Config& ranks, const std::string& join) {
  if (row.family->name != "linear" && row.family->name != "flow")
    throw std::invalid_argument(
        fmt::format("{} does not run on ranks; remove --ranks, or use a linear solver such as cg, or "
                    "projection, simple or piso",
                    row.name));
  if (runs_on_ranks(row, ranks)) return;
  const char* const kinds = are_processes(ranks) ? "serial, openmp, kokkos {} cuda" : "serial {} cuda";
  const auto listed = [&](const char* word) { return fmt::format(fmt::runtime(kinds), word); };
  throw std::invalid_argument(
      fmt::format("ranks of {} joined by {} run on {}, not on {}; use --backend {} or remove --ranks",
                  row.name, join, listed("and"), to_string(row.backend), listed("or")));
}

}  // namespace

std::vector<Row> put_on_ranks(const SolveRequest& request, std::vector<const Row*>& rows) {
  if (request.ranks == 1) return {};
  const Config ranks = {{"ranks", request.ranks}, {"partition", request.partition}, {"join", request.join}};
  check_row(*rows.front(), ranks, request.join);
  if (request.routines) throw std::invalid_argument("--routines does not support ranks; remove --ranks");
  if (!request.history.empty() || request.vtk_every > 0 || request.mean_from || !request.save.empty() ||
      !request.restart.empty())
    throw std::invalid_argument(
        "--history, --vtk-every, --mean-from, --save and --restart do not support ranks; remove --ranks");
  if (request.tuned) throw std::invalid_argument("there are no tuned tables for ranks; remove --tuned");
  PartShape::from(request.partition);
  std::vector<Row> ranked;
  for (const Row* row : rows)
    ranked.push_back(request.process ? row->on_ranks(ranks_of(ranks)) : row_on_ranks(*row, ranks));
  for (std::size_t n = 0; n < rows.size(); ++n) rows[n] = &ranked[n];
  return ranked;
}

void check_parts(const SolveCase& asked) {
  const std::string reason = asked.row->unsupported(asked.domain, asked.workload);
  if (!reason.empty()) throw std::invalid_argument(fmt::format("{}: {}", asked.row->name, reason));
}

}  // namespace cfdmark
