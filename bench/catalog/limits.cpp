#include "bench/catalog/limits.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/device_facts/mpi.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/kokkos/kokkos.hpp"
#include "kernels/device/library/nccl.hpp"

namespace cfdmark {
namespace {

bool lives_on_host(BackendKind kind) {
  if (kind != BackendKind::kokkos) return kind != BackendKind::cuda;
  const std::string device = kokkos_device();
  return device == "Serial" || device == "OpenMP" || device == "Threads";
}

std::string unsupported(const Case& c) {
  const std::string of_domain = domain_refusal(*c.row, c.domain);
  const auto row = row_on_ranks(c);
  if (row->runs_on != c.domain.kind() || !row->unsupported) return of_domain;
  const std::string reason = row->unsupported(c.domain, c.workload);
  return reason.empty() ? of_domain : reason;
}

template <class Check>
std::string complaint_of(const Check& check) {
  try {
    check();
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

std::string invalid_workload(const Case& c) {
  const std::string problem = c.workload.has("problem") ? c.workload.choice("problem") : "";
  return complaint_of([&] { workload_space(*c.row, problem).check(c.workload); });
}

std::string invalid_config(const Case& c) {
  return complaint_of([&] { row_on_ranks(c)->space.check(without_ranks(c.config)); });
}

std::string too_large(const Case& c, std::size_t host_memory) {
  const auto row = row_on_ranks(c);
  const bool fields_count = row->field_bytes && lives_on_host(row->backend);
  const double fields = fields_count ? row->field_bytes(c.domain, c.workload) : 0;
  const double rest = row->host_bytes ? row->host_bytes(c.domain, c.workload) : 0;
  if (fields + rest <= double(host_memory)) return "";
  return fmt::format(
      "the grid is too large: the case needs {:.2f} GB of host memory, {:.2f} GB of it to prepare and "
      "to check, and {:.2f} GB are free",
      (fields + rest) / 1e9, rest / 1e9, double(host_memory) / 1e9);
}

// Returns why NCCL cannot pass the values of a case between its devices; empty if it can or need not.
std::string why_no_nccl(const Case& c) {
  if constexpr (built_with_cuda)
    if (c.config.has("exchange") && c.config.is("exchange", "nccl")) return nccl_unavailable();
  return "";
}

}  // namespace

// More threads than processors would only take turns. On CUDA each rank needs a device of its own.
std::string more_than_there_are(const Case& c) {
  if (c.row->backend == BackendKind::cuda) {
    const int ranks = ranks_of(c.config).count, devices = device_count(BackendKind::cuda) - c.device;
    if (ranks > 1 && ranks > devices)
      return fmt::format("{} ranks need {} CUDA devices from {} on, but this machine has {}", ranks, ranks,
                         to_string(device_of(c)), devices);
    return "";
  }
  std::vector<Setting> settings = row_on_ranks(c)->space.settings;
  settings.push_back(rank_settings().front());
  settings.back().most_here = most_ranks(are_processes(c.config));
  for (const Setting& s : settings)
    if (s.most_here && c.config.has(s.name) && c.config.integer(s.name) > *s.most_here)
      return fmt::format("{} {} requested, but this machine has at most {}", c.config.integer(s.name), s.name,
                         *s.most_here);
  return "";
}

std::string why_not_run(const Case& c, std::size_t host_memory) {
  if (!c.row->unavailable.empty()) return c.row->unavailable;
  if (c.device > 0)  // the row already knows about the first device
    if (const std::string reason = unavailable_reason(device_of(c)); !reason.empty()) return reason;
  if (const std::string reason = invalid_workload(c); !reason.empty()) return reason;
  if (const std::string reason = unsupported(c); !reason.empty()) return reason;
  if (are_processes(c.config) && !why_no_mpi().empty()) return "join=mpi: " + why_no_mpi();
  if (const std::string reason = invalid_config(c); !reason.empty()) return reason;
  if (const std::string reason = more_than_there_are(c); !reason.empty()) return reason;
  if (const std::string reason = why_no_nccl(c); !reason.empty()) return reason;
  return too_large(c, host_memory);
}

}  // namespace cfdmark
