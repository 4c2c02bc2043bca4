// The ghosts of a rank against the values of the whole domain, for tests of exchanges.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "kernels/device/field.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// One axis of a field's domain.
struct DomainAxis {
  int cells;
  bool is_periodic;
  int extra;  // 1 for faces and nodes: the last one of a periodic axis is the first

  // Returns the index of the value that stands for one at index n.
  int wrapped(int n) const { return is_periodic ? (n % cells + cells) % cells : n; }
  bool is_beyond(int n) const { return n < 0 || n >= cells + (is_periodic ? 0 : extra); }
};

// A number that differs for every place of the whole domain and every run.
inline double value_at(const std::array<DomainAxis, 3>& axes, int i, int j, int k, int run) {
  return axes[0].wrapped(i) + 20 + 1e2 * (axes[1].wrapped(j) + 20) + 1e4 * (axes[2].wrapped(k) + 20) +
         1e6 * run;
}

// Exchanges several times and returns the number of this rank's ghosts with a wrong value. Ghosts that an
// exchange must fill are NaN before it; ranks are late by different times.
inline int wrong_ghosts(Ranks& ranks, const Partition& partition, FieldPlace place, int layers,
                        Precision storage) {
  constexpr int runs = 3;
  const Grid& whole = partition.whole();
  const Grid values = whole.at(place);
  const std::array<DomainAxis, 3> axes{{{whole.nx, partition.periodic()[0], values.nx - whole.nx},
                                        {whole.ny, partition.periodic()[1], values.ny - whole.ny},
                                        {whole.nz, partition.periodic()[2], values.nz - whole.nz}}};
  int wrong = 0;
  const CellBox own = partition.part(ranks.rank()).own;
  HostField field(partition.local(ranks.rank(), layers).at(place), storage);
  // False for this rank's own values and for those beyond the domain's sides, which an exchange may leave.
  const auto is_filled = [&](int i, int j, int k) {
    const int at[] = {i, j, k}, first[] = {own.i, own.j, own.k}, n[] = {own.nx, own.ny, own.nz};
    bool is_cut = false, wraps = false, is_outside = false;
    for (int d = 0; d < (whole.is_3d() ? 3 : 2); ++d) {
      const int in_whole = first[d] + at[d];
      const bool is_last = first[d] + n[d] == axes[d].cells;
      const int last = n[d] + (is_last && !axes[d].is_periodic ? axes[d].extra : 0);
      if (at[d] >= 0 && at[d] < last) continue;
      if (!axes[d].is_beyond(in_whole))
        is_cut = true;
      else
        (axes[d].is_periodic ? wraps : is_outside) = true;
    }
    return wraps ? !is_outside : is_cut;
  };
  const auto set_all = [&](int run) {
    for_each_cell(field.grid(), true, [&](int i, int j, int k) {
      field.set(i, j, k,
                is_filled(i, j, k) ? std::numeric_limits<double>::quiet_NaN()
                                   : value_at(axes, own.i + i, own.j + j, own.k + k, run));
    });
  };
  const auto exchange = ranks.exchange(partition, field.view());
  for (int run = 0; run < runs; ++run) {
    set_all(run);
    if ((ranks.rank() + run) % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    exchange->run();
    for_each_cell(field.grid(), true, [&](int i, int j, int k) {
      wrong += field.get(i, j, k) != value_at(axes, own.i + i, own.j + j, own.k + k, run);
    });
  }
  return wrong;
}

}  // namespace cfdmark
