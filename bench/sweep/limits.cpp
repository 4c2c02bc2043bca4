#include "bench/sweep/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/backends/kokkos.hpp"

namespace cfdmark {
namespace {

bool lives_on_host(BackendKind kind) {
  if (kind != BackendKind::kokkos) return kind != BackendKind::cuda;
  const std::string device = kokkos_device();
  return device == "Serial" || device == "OpenMP" || device == "Threads";
}

std::string unsupported(const Case& c) {
  if (c.row->unsupported)
    if (const std::string reason = c.row->unsupported(c.grid, c.request); !reason.empty()) return reason;
  if (c.grid.is_3d() ? c.row->in_3d : c.row->in_2d) return "";
  return fmt::format("{} exists only in {}-D, and {} is {}-D", c.row->name, c.grid.is_3d() ? 2 : 3,
                     grid_text(c.grid), c.grid.is_3d() ? 3 : 2);
}

std::string invalid_config(const Case& c) {
  try {
    c.row->space.complete(c.config);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

// A tuning space lists the threads that there are; more would only take turns.
std::string too_many_threads(const Case& c) {
  for (const Parameter& p : c.row->space.parameters)
    if (p.name == "threads")
      if (const int most = *std::max_element(p.values.begin(), p.values.end()); c.config.at("threads") > most)
        return fmt::format("{} threads, but this machine gives at most {}", c.config.at("threads"), most);
  return "";
}

std::string too_large(const Case& c, std::size_t host_memory) {
  const bool fields_count = c.row->field_bytes && lives_on_host(c.row->backend);
  const double fields = fields_count ? c.row->field_bytes(c.grid) : 0;
  const double rest = c.row->host_bytes ? c.row->host_bytes(c.grid) : 0;
  if (fields + rest <= double(host_memory)) return "";
  return fmt::format(
      "the grid is too large: the case takes {:.2f} GB of host memory, {:.2f} GB of it to prepare and "
      "to check, and {:.2f} GB are free",
      (fields + rest) / 1e9, rest / 1e9, double(host_memory) / 1e9);
}

}  // namespace

std::string why_not_run(const Case& c, std::size_t host_memory) {
  if (!c.row->unavailable.empty()) return c.row->unavailable;
  if (c.device > 0)  // of the first one the row knows
    if (const std::string reason = unavailable_reason(device_of(c)); !reason.empty()) return reason;
  if (const std::string reason = unsupported(c); !reason.empty()) return reason;
  if (const std::string reason = invalid_config(c); !reason.empty()) return reason;
  if (const std::string reason = too_many_threads(c); !reason.empty()) return reason;
  return too_large(c, host_memory);
}

}  // namespace cfdmark
