#include "kernels/ranks/device_entities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/ranks/scattered_values.hpp"

namespace cfdmark {
namespace {

// Contiguous memory of a device for the messages with all other ranks, in the order of ranks.
class PackedMessages {
 public:
  // `messages`: those of a field that this memory is for.
  PackedMessages(const std::vector<EntityField>& fields, std::vector<EntityMessage> EntityMessages::*messages,
                 std::size_t bytes)
      : bytes_(bytes) {
    std::vector<int> others;
    for (const EntityField& field : fields)
      for (const EntityMessage& m : field.messages.*messages) others.push_back(m.rank);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const int other : others) {
      const std::size_t first = places_.size();
      for (const EntityField& field : fields)
        for (const EntityMessage& m : field.messages.*messages)
          if (m.rank == other) add(field.values, m.entities);
      spans_.push_back({other, first * bytes, (places_.size() - first) * bytes});
    }
    if (places_.size() > std::size_t(std::numeric_limits<int>::max()))
      throw std::length_error(
          fmt::format("messages of {} values; use more ranks, so that each sends fewer "
                      "than 2^31",
                      places_.size()));
  }

  // Allocates on a device. The message is NaN until values arrive.
  void allocate(Backend& on) {
    if (places_.empty()) return;
    at_ = Buffer(on, places_.size() * sizeof places_[0]);
    on.upload(at_.data(), places_.data(), places_.size() * sizeof places_[0]);
    const std::vector<char> unset(places_.size() * bytes_, char(0xff));
    message_ = Buffer(on, unset.size());
    on.upload(message_.data(), unset.data(), unset.size());
  }

  int count() const { return int(places_.size()); }
  const Buffer& places() const { return at_; }
  const Buffer& message() const { return message_; }
  const std::vector<DeviceLinks::Span>& spans() const { return spans_; }

 private:
  // In the order of EntityExchange: by component.
  void add(const EntityValues& values, const std::vector<int>& entities) {
    for (int d = 0; d < values.components; ++d)
      for (const int e : entities)
        places_.push_back(values.origin + e * values.entity_stride + d * values.component_stride);
  }

  std::size_t bytes_;  // of a value
  std::vector<char*> places_;
  std::vector<DeviceLinks::Span> spans_;
  Buffer at_, message_;
};

// Returns the bytes of a value.
std::size_t value_bytes(const std::vector<EntityField>& fields) {
  const std::size_t bytes = fields.empty() ? 4 : fields.front().values.bytes;
  for (const EntityField& field : fields)
    if (field.values.bytes != bytes || (bytes != 4 && bytes != 8))
      throw std::invalid_argument(fmt::format(
          "fields with values of {} and {} bytes; expected all 4 or all 8", bytes, field.values.bytes));
  return bytes;
}

// Returns a step of one launch that keeps the memory of the messages.
Step launched(Backend& on, const Launch& launch, const PackedMessages& of) {
  return static_cast<CudaBackend&>(on).prepare({.run = {launch}, .memory = {of.places(), of.message()}});
}

}  // namespace

DeviceLinks::Exchange exchange_entities(Backend& of_rank, const DeviceLinks& links,
                                        const std::vector<EntityField>& fields) {
  const std::size_t bytes = value_bytes(fields);
  PackedMessages sent(fields, &EntityMessages::sent, bytes),
      received(fields, &EntityMessages::received, bytes);
  sent.allocate(of_rank), received.allocate(of_rank);
  DeviceLinks::Exchange made =
      links.send_spans(static_cast<const char*>(sent.message().data()), sent.spans(),
                       static_cast<char*>(received.message().data()), received.spans());
  if (sent.count() > 0)
    made.step =
        in_turn(launched(of_rank, pack_launch(sent.places(), sent.message(), sent.count(), bytes), sent),
                std::move(made.step));
  if (received.count() > 0)
    made.step = in_turn(
        std::move(made.step),
        launched(of_rank, unpack_launch(received.message(), received.places(), received.count(), bytes),
                 received));
  return made;
}

}  // namespace cfdmark
