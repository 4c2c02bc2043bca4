// Linear systems solved on ranks of CUDA devices, for tests.
#pragma once

#include <string>

#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/ranked_method.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_machine.hpp"
#include "tests/ranks/same_bits.hpp"
#include "tests/solvers/linear/solve.hpp"
#include "tests/without_device.hpp"

namespace cfdmark {

struct RankedDevices {
  const char* solver;
  const char* method;
  const char* problem;
  Grid grid;
  Precision precision = Precision::fp64;
  Config config = {{"check_interval", 4}};
  int iterations = 12;
  Config on_ranks = {};  // settings that only ranks have
};

// Solves on several devices, from that of `on` on.
inline Solved solved_on(const RankedDevices& c, int ranks, PeerWay way, Backend& on) {
  const SolverMethod of_one =
      on_ranks_of(BackendKind::cuda, method_named(solver_named(c.solver), BackendKind::cuda, c.method), {});
  const SolverMethod method = on_ranks(of_one, ranks, PartShape::from("slabs"));
  Config config = c.config;
  for (const auto& [name, value] : c.on_ranks.values()) config.set(name, value);
  config.set("exchange", std::string(to_string(way)));
  return solve(c.solver, method, on, c.precision, posed(c.problem, c.grid), {1e-30, c.iterations, config});
}

inline Solved solved_without_ranks(const RankedDevices& c, Backend& on) {
  const SolverMethod method = method_named(solver_named(c.solver), BackendKind::cuda, c.method);
  return solve(c.solver, method, on, c.precision, posed(c.problem, c.grid), {1e-30, c.iterations, c.config});
}

inline std::string name_of(const RankedDevices& c) {
  return fmt::format("{} {} {} {} {}", c.solver, c.method, c.problem, name(c.grid), to_string(c.precision));
}

// Returns what differs between a solve on several devices and one; empty if nothing.
inline std::string difference_from(const Solved& one, const RankedDevices& c, int ranks, PeerWay way,
                                   Backend& on) {
  const Solved found = solved_on(c, ranks, way, on);
  return difference_of(found.outcome, one.outcome) + difference_of(found.u, one.u);
}

// Returns the ways that a device has: all, or all but NCCL.
inline std::vector<PeerWay> ways_of(Backend& device) {
  std::vector<PeerWay> ways(std::begin(all_peer_ways), std::end(all_peer_ways));
  const std::string refusal = peers_of(device).group_refusal();
  if (!refusal.empty()) {
    WARN("not by NCCL: " << refusal);
    std::erase(ways, PeerWay::nccl);
  }
  return ways;
}

// True where there are fewer than two devices; says why.
inline bool skipped_without_two_devices() {
  if (skipped_without_device()) return true;
  const bool skips = device_count(BackendKind::cuda) < 2;
  if (skips) WARN("skipped: there is one device");
  return skips;
}

}  // namespace cfdmark
