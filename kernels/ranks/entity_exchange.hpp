// The exchange of the values of a mesh's entities between the ranks that have its parts.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mesh/mesh_part.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Entities whose values go from the rank that owns them to one that reads them, by their numbers in the part
// of this rank. They are in ascending order of their numbers in the whole mesh, on both sides.
struct EntityMessage {
  int rank = 0;  // the other rank
  std::vector<int> entities;
};
// The messages of a rank, in ascending order of the other rank.
struct EntityMessages {
  std::vector<EntityMessage> sent, received;
};

// Returns for each entity of a part whether it is a ghost: another part owns it.
std::vector<char> ghosts_of(const MeshPart&, Entity);

// Collective. Returns the messages that bring a rank the values of its ghosts `wanted`, one flag an entity of
// its part; it owns others already. Part r of the partition is that of rank r. Throws std::logic_error if a
// rank requests an entity of another that it does not own.
EntityMessages entity_messages(Ranks&, const MeshPart&, Entity, const std::vector<char>& wanted);

// Where a field has its values, in memory of the host or of a device: component d of entity e begins at
// origin + e * entity_stride + d * component_stride. Strides in bytes.
struct EntityValues {
  char* origin = nullptr;
  std::size_t bytes = 0;  // of a value
  int components = 1;
  Index entity_stride = 0, component_stride = 0;
};

// Fills the ghosts of a field. Values are packed into buffers, and unpacked from them: start() sends what
// other ranks read, finish() fills the ghosts; what lies between may read all values but the ghosts, and may
// write any.
class EntityExchange final : public GhostExchange {
 public:
  // Collective. The memory of the field must outlive this. Throws std::length_error, with the number, for a
  // message too long for its buffer.
  EntityExchange(Ranks&, EntityMessages, const EntityValues&);

  void start();
  void finish();
  void run() override {
    start();
    finish();
  }
  const ExchangeTraffic& traffic() const override { return traffic_; }

 private:
  EntityMessages messages_;
  EntityValues values_;
  std::unique_ptr<BufferExchange> buffers_;
  ExchangeTraffic traffic_;
};

}  // namespace cfdmark
