// The exchange of the values of a mesh's entities between the CUDA devices of ranks that have its parts.
#pragma once

#include <vector>

#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/entity_exchange.hpp"

namespace cfdmark {

// A field in the memory of a rank's device, and the messages that fill its ghosts.
struct EntityField {
  EntityMessages messages;
  EntityValues values;
};

// Collective. Prepares an exchange that fills the ghosts of fields: a launch packs the values that other
// ranks read, one message goes to each of these ranks in the way of the links, and a launch unpacks what the
// others send. All ranks name the same fields in one order. Throws std::invalid_argument unless all values
// have 4 bytes or all 8, and std::length_error for messages of 2^31 values or more.
DeviceLinks::Exchange exchange_entities(Backend& of_rank, const DeviceLinks&,
                                        const std::vector<EntityField>&);

}  // namespace cfdmark
