#include "solvers/linear/system/device_communicator.hpp"

#include <stdexcept>

#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

std::vector<Operation> DeviceCommunicator::exchange(const Operations& op, const AnyView& field) const {
  DeviceLinks::Exchange made = links_.exchange(partition_, field);
  Cost cost;
  cost.bytes = 2 * made.traffic.bytes;  // read and written
  return {{"ghosts", &op.backend(), nullptr, std::move(made.step), cost}};
}

std::optional<Step> DeviceCommunicator::reduce_rows(const Operations&, const std::function<RowParts()>& rows,
                                                    double* result) const {
  return links_.reduce(partition_, bricks_of(rows()), result);
}

std::vector<Operation> DeviceCommunicator::sum(const Operations&, double*) const {
  throw std::logic_error("devices reduce in bricks only");
}

}  // namespace cfdmark
