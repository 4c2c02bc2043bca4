#include "solvers/linear/system/device_communicator.hpp"

#include <stdexcept>

#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

// Returns the operation of messages.
Operation operation_of(const char* routine, const Operations& op, DeviceLinks::Exchange made) {
  Cost cost;
  cost.bytes = 2 * made.traffic.bytes;  // read and written
  return {routine, &op.backend(), nullptr, std::move(made.step), cost};
}

}  // namespace

std::vector<Operation> DeviceCommunicator::exchange(const Operations& op, const AnyView& field) const {
  return {operation_of("ghosts", op, links_->exchange(partition_, field))};
}

std::optional<Step> DeviceCommunicator::reduce_rows(
    const Operations&, const std::function<std::vector<RowReduction>()>& of_part) const {
  return links_->reduce(partition_, of_part());
}

std::vector<Operation> DeviceCommunicator::sum(const Operations&, double*) const {
  throw std::logic_error("devices reduce in bricks only");
}

std::unique_ptr<const Communicator> DeviceCommunicator::on(const Partition& other) const {
  return std::unique_ptr<const Communicator>(new DeviceCommunicator(*ranks_, other, links_));
}

Operation DeviceCommunicator::messages(const char* routine, const Operations& op, const AnyView& whole,
                                       const std::vector<DeviceLinks::BoxMessage>& messages) const {
  return operation_of(routine, op, links_->send_boxes(whole, messages));
}

Operation DeviceCommunicator::gather(const Operations& op, const AnyView& whole) const {
  std::vector<DeviceLinks::BoxMessage> all;
  for (int from = 0; from < partition_.ranks(); ++from)
    for (int to = 0; to < partition_.ranks(); ++to)
      if (from != to) all.push_back({from, to, partition_.part(from).own});
  return messages("gather", op, whole, all);
}

Operation DeviceCommunicator::gather_on(int to, const Operations& op, const AnyView& whole) const {
  std::vector<DeviceLinks::BoxMessage> all;
  for (int from = 0; from < partition_.ranks(); ++from)
    if (from != to) all.push_back({from, to, partition_.part(from).own});
  return messages("gather", op, whole, all);
}

Operation DeviceCommunicator::part_from(int from, const Operations& op, const AnyView& whole) const {
  std::vector<DeviceLinks::BoxMessage> all;
  for (int to = 0; to < partition_.ranks(); ++to)
    if (from != to)
      all.push_back({from, to, with_a_layer(partition_.part(to).own, partition_.whole().is_3d())});
  return messages("scatter", op, whole, all);
}

Operation DeviceCommunicator::mark_repeated(const Operations& op, bool) const {
  Operation nothing{"repeat", &op.backend(), nullptr, {}, {}};
  nothing.step.run = [] {};
  return nothing;
}

}  // namespace cfdmark
