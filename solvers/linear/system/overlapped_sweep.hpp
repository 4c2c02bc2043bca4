// Sweeps over a rank's part of a system, and products with its operator, next to the rounds of the ranks.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/ranks/overlapped_pass.hpp"
#include "solvers/linear/system/device_communicator.hpp"
#include "solvers/linear/system/method.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// Adds the setting `overlap` of ranks on devices, with the orders that the method has besides `none`.
void add_overlap(SolverMethod&, std::vector<std::string> orders);

// Returns the order of a config; `none` for one without the setting, and for a system without ranks.
Overlap overlap_of(const System&, const Config&);

// Collective. Prepares a sweep in an order that is not `none`. `exchanged`: the field whose ghosts the round
// completes, before the cells at cuts or behind them.
template <class K>
Operation overlapped_sweep(const System& system, const char* routine, Overlap order, const AnyView& exchanged,
                           const Method<CellArgs<K>>& method, const CellArgs<K>& args, const Config& config) {
  const auto* ranks = dynamic_cast<const DeviceCommunicator*>(system.ranks);
  if (!ranks) throw std::logic_error("sweeps next to rounds are for ranks on devices");
  const Config complete = config_for(method.space_in(system.precision), config);
  DeviceLinks::Exchange made =
      overlapped_pass(ranks->links(), *ranks->partition(), order, {exchanged}, method, args, complete);
  Cost cost = declared_cost(method, cell_cost<K>, args, complete);
  cost.bytes += 2 * made.traffic.bytes;  // read and written
  return {routine, system.backend, system.clock, std::move(made.step), cost};
}

// Returns q = A u with its exchange (Operations::apply), or next to it if the config says so.
Operation apply_by_config(const System&, const Config&, const AnyView& u, const AnyView& q);

}  // namespace cfdmark
