// Kernels of the catalog on ranks of CUDA devices, for tests.
#pragma once

#include <fmt/format.h>

#include <string>

#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/measure/rank_devices.hpp"
#include "tests/catch.hpp"

namespace cfdmark {

// Returns what differs between a kernel on devices and the kernel's expected result.
inline std::string row_failure(const Row& row, const Grid& grid, int ranks, PeerWay way,
                               const Config& changes) {
  Case c;
  c.row = &row, c.domain = grid, c.workload = workload_of(row);
  const Row on_ranks = row.on_ranks({ranks, "slabs"});
  Config config = on_ranks.space.complete(changes);
  config.set("exchange", std::string(to_string(way)));
  c.config = with_ranks(config, {{"ranks", ranks}, {"partition", "slabs"}});
  const auto workload = prepare_workload(c, backend(BackendKind::cuda));
  const Verification v = workload->verify();
  const Json facts = with_devices(workload->rank_facts(), c, backend(BackendKind::cuda));
  CHECK(facts["devices"].size() == std::size_t(ranks));
  CHECK(facts["exchange"]["way"] == to_string(way));
  return v.passed ? "" : v.reason;
}

inline std::string kernel_failure(const char* kernel, const char* method, const Grid& grid, int ranks,
                                  PeerWay way, const Config& changes = {}) {
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.name == kernel && row.backend == BackendKind::cuda &&
        row.method == method && row.precision == Precision::fp64)
      return row_failure(row, grid, ranks, way, changes);
  return fmt::format("no {} by {}", kernel, method);
}

}  // namespace cfdmark
