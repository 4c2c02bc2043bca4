// Passes over tiles that a team stages in scratch memory, which is shared memory on a device.
#pragma once

#include <stdexcept>

#include "kernels/cells/kokkos/kokkos_cells.hpp"
#include "kernels/cells/kokkos/kokkos_teams.hpp"

namespace cfdmark {

// A team's tile of a field with one ghost layer; (0, 0, 0) is the tile's first cell.
template <class S>
class KokkosStagedField {
 public:
  using Values = Kokkos::View<S***, Kokkos::LayoutRight, KokkosExec::scratch_memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // Scratch level 0 of a host is limited to 32 KiB.
  KOKKOS_INLINE_FUNCTION static constexpr int level() { return kokkos_on_host ? 1 : 0; }

  KOKKOS_INLINE_FUNCTION KokkosStagedField(const KokkosTeam& team, int x, int y, int z, int ghost_z)
      : ghost_z_(ghost_z), values_(team.team_scratch(level()), z + 2 * ghost_z, y + 2, x + 2) {}
  static std::size_t bytes(int x, int y, int z, int ghost_z) {
    return Values::shmem_size(z + 2 * ghost_z, y + 2, x + 2);
  }

  KOKKOS_FORCEINLINE_FUNCTION S& operator()(Index i, Index j, Index k) const {
    return values_(k + ghost_z_, j + 1, i + 1);
  }

 private:
  int ghost_z_;
  Values values_;
};

// Work of one team: stages a tile, then calls body(i, j, k, around) for its cells, where `around` reads
// staged values. body.u returns the value to stage. body.stages(i, j, k, own) returns true if this team may
// read it; `own` is true for cells of the tile and false for its ghost layer.
template <class Body>
struct KokkosStagedTile {
  using S = typename Body::Stored;
  using StencilIn = KokkosNeighbourhood<typename Body::Computed, KokkosStagedField<S>>;

  Body body;
  int nx, ny, nz, ghost_z;
  int x, y, z;  // cells per tile

  KOKKOS_INLINE_FUNCTION int tiles_x() const { return (nx + x - 1) / x; }
  KOKKOS_INLINE_FUNCTION int tiles_y() const { return (ny + y - 1) / y; }
  int tiles() const { return tiles_x() * tiles_y() * ((nz + z - 1) / z); }

  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    const int tile = team.league_rank();
    const int i0 = tile % tiles_x() * x, j0 = tile / tiles_x() % tiles_y() * y,
              k0 = tile / tiles_x() / tiles_y() * z;
    const int wide = at_most(x, nx - i0), high = at_most(y, ny - j0), deep = at_most(z, nz - k0);
    const KokkosStagedField<S> staged(team, x, y, z, ghost_z);
    const Body relax = body;

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (high + 2) * (deep + 2 * ghost_z)), [&](int row) {
      const int j = row % (high + 2) - 1, k = row / (high + 2) - ghost_z;
      const bool own_row = j >= 0 && j < high && k >= 0 && k < deep;
      kokkos_lanes(team, wide + 2, [&](int lane) {
        const int i = lane - 1;
        if (relax.stages(i0 + i, j0 + j, k0 + k, own_row && i >= 0 && i < wide))
          staged(i, j, k) = relax.u(i0 + i, j0 + j, k0 + k);
      });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, high * deep), [&](int row) {
      const int j = row % high, k = row / high;
      kokkos_lanes(team, wide, [&](int i) { relax(i0 + i, j0 + j, k0 + k, StencilIn{staged, i, j, k}); });
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION static int at_most(int limit, int n) { return n < limit ? n : limit; }
};

// One team per tile.
struct KokkosStagedTiles {
  int x, y, z;
  std::optional<int> team_size;
  int vector_length;

  explicit KokkosStagedTiles(const Config& c)
      : x(c.integer("tile_x")),
        y(c.integer("tile_y")),
        z(c.integer("tile_z")),
        team_size(c.is("team_size", "auto") ? std::nullopt : std::optional(c.integer("team_size"))),
        vector_length(c.has("vector_length") ? c.integer("vector_length") : 1) {
    if (kokkos_on_host && team_size > kokkos_concurrency())
      throw std::invalid_argument("team_size=" + std::to_string(*team_size) + ": Kokkos has " +
                                  std::to_string(kokkos_concurrency()) + " threads");
  }

  std::string text(const Grid&) const { return kokkos_tile_text(x, y, z) + " staged"; }

  template <class Body>
  void operator()(const char* label, const Grid& grid, const Body& body) const {
    const int ghost_z = grid.is_3d() ? 1 : 0, deep = std::min(z, grid.nz);
    const KokkosStagedTile<Body> work{body, grid.nx, grid.ny, grid.nz, ghost_z, x, y, deep};
    using Staged = KokkosStagedField<typename Body::Stored>;
    run_teams(label,
              kokkos_teams(work.tiles(), team_size, vector_length)
                  .set_scratch_size(Staged::level(), Kokkos::PerTeam(Staged::bytes(x, y, deep, ghost_z))),
              work);
  }
};

// Returns the settings of KokkosStagedTiles: extents of a tile, and the team that shares it.
TuningSpace kokkos_staged_space();

}  // namespace cfdmark
