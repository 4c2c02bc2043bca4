// Computes resident blocks per multiprocessor without a device.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace cfdmark {

// Limits of a multiprocessor, from "Technical Specifications per Compute Capability" of the CUDA C++
// Programming Guide 13.0. All have 65536 registers, allocated to warps in units of 256, and four schedulers
// with a quarter of the warps each.
struct MultiprocessorLimits {
  const char* architecture;
  int warps, blocks, shared_kib;
};
inline constexpr MultiprocessorLimits multiprocessor_limits[] = {
    {"sm_75", 32, 16, 64},  {"sm_80", 64, 32, 164}, {"sm_86", 48, 16, 100},  {"sm_87", 48, 16, 164},
    {"sm_89", 48, 24, 100}, {"sm_90", 64, 32, 228}, {"sm_100", 64, 32, 228}, {"sm_120", 48, 24, 100}};

struct ResidentBlocks {
  int blocks = 0;
  double occupancy = 0;  // resident warps over the maximum
};

// Returns nothing for an unknown architecture. `shared_bytes` excludes the 1 KiB that the system reserves per
// block since sm_80.
inline std::optional<ResidentBlocks> resident_blocks(const std::string& architecture, int threads,
                                                     int registers, int shared_bytes) {
  for (const MultiprocessorLimits& m : multiprocessor_limits) {
    if (architecture != m.architecture) continue;
    const auto up_to = [](int n, int unit) { return (n + unit - 1) / unit * unit; };
    const int warps = (threads + 31) / 32;
    const int reserved = architecture == "sm_75" ? 0 : 1024;
    const int shared = up_to(shared_bytes + reserved, architecture == "sm_75" ? 256 : 128);
    const int warps_by_registers = 65536 / 4 / up_to(std::max(registers, 1) * 32, 256) * 4;
    int blocks = std::min({m.blocks, m.warps / warps, warps_by_registers / warps});
    if (shared > 0) blocks = std::min(blocks, m.shared_kib * 1024 / shared);
    return ResidentBlocks{blocks, double(blocks * warps) / m.warps};
  }
  return std::nullopt;
}

}  // namespace cfdmark
