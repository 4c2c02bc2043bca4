#include "kernels/cells/kokkos/kokkos_staged.hpp"

namespace cfdmark {
namespace {

// Enforces the device limit of 1024 threads per block.
std::string kokkos_tile_constraint(const Config& c) {
  const long long threads = 1LL * c.integer("tile_x") * c.integer("tile_y") * c.integer("tile_z");
  if (kokkos_on_host || threads <= 1024) return "";
  return "a tile of " + std::to_string(threads) + " threads: a device supports at most 1024";
}

Setting kokkos_tile_setting(const std::string& side, std::vector<Value> values, int default_value,
                            const std::string& of = "cells") {
  return {"tile_" + side, std::move(values), default_value, of + " of a tile along " + side};
}

// Limits a tile of a 3-D grid in fp64 to the shared memory that every device offers a block. On a host the
// cores of a team share a tile and the compiler vectorises.
std::string kokkos_staged_constraint(const Config& c) {
  if (!kokkos_on_host && !c.is("team_size", "auto") &&
      c.integer("team_size") * c.integer("vector_length") > 1024)
    return "a team of " + std::to_string(c.integer("team_size") * c.integer("vector_length")) +
           " threads: a device has at most 1024";
  const std::size_t bytes =
      8 * (c.integer("tile_x") + std::size_t(2)) * (c.integer("tile_y") + 2) * (c.integer("tile_z") + 2);
  const std::size_t most = kokkos_on_host ? 16 << 20 : 48 << 10;
  if (bytes <= most) return "";
  return "a staged tile needs " + std::to_string(bytes) + " bytes of scratch memory: at most " +
         std::to_string(most) + " are available";
}

}  // namespace

TuningSpace kokkos_tile_space() {
  if constexpr (kokkos_on_host)
    return {{kokkos_tile_setting("x", {64, 256, 1024, 4096}, 1024),
             kokkos_tile_setting("y", {1, 4, 16, 64}, 16), kokkos_tile_setting("z", {1, 4}, 1)}};
  else
    return {{kokkos_tile_setting("x", {16, 32, 64, 128, 256}, 64, "threads"),
             kokkos_tile_setting("y", {1, 2, 4, 8, 16}, 4, "threads"),
             kokkos_tile_setting("z", {1, 4}, 1, "threads"),
             {"thread_rows", {1, 2, 4, 8}, 4, "rows of cells per thread"}},
            kokkos_tile_constraint};
}

TuningSpace kokkos_staged_space() {
  if constexpr (kokkos_on_host)
    return {{kokkos_tile_setting("x", {64, 256, 1024}, 256),
             kokkos_tile_setting("y", {4, 16, 64}, 16),
             kokkos_tile_setting("z", {1, 4}, 1),
             {"team_size", {1, 2}, 1, "threads that share a tile"}},
            kokkos_staged_constraint};
  else
    return {{kokkos_tile_setting("x", {32, 64, 128}, 64),
             kokkos_tile_setting("y", {2, 4, 8, 16}, 8),
             kokkos_tile_setting("z", {1, 4}, 1),
             {"team_size",
              {"auto", 4, 8, 16},
              "auto",
              "threads per team; auto: chosen by Kokkos",
              "",
              integer_from(1),
              {"auto"}},
             {"vector_length", {8, 16, 32}, 32, "vector lanes per thread of a team"}},
            kokkos_staged_constraint};
}

}  // namespace cfdmark
