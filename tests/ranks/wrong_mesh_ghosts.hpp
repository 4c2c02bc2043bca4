// The ghosts of a rank's part of a mesh against the values of the whole mesh, for tests of exchanges.
#pragma once

#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "kernels/ranks/entity_exchange.hpp"

namespace cfdmark {

// Values of all entities of a kind of a part; a vector is a plane per component.
template <class T>
struct PartValues {
  std::vector<T> memory;
  int entities, components;

  PartValues(int n, int c) : memory(std::size_t(n) * std::size_t(c)), entities(n), components(c) {}
  T& at(int e, int d) { return memory[std::size_t(d * entities + e)]; }
  EntityValues values() {
    return {reinterpret_cast<char*>(memory.data()), sizeof(T), components, Index(sizeof(T)),
            Index(sizeof(T)) * entities};
  }
};

// A number that differs for every entity of the whole mesh, component and run.
inline double value_of_entity(int number, int d, int run) { return number + 100000. * d + 1e6 * run; }

// Exchanges several times and returns the number of ghosts with a wrong value. Ghosts are NaN before each;
// ranks are late by different times, and own values change as soon as they were sent.
template <class T>
int wrong_mesh_ghosts(Ranks& ranks, const Mesh& mesh, const MeshPartition& partition, Entity entity) {
  const MeshPart part(mesh, partition, ranks.rank());
  const std::vector<int>& numbers = part.numbers(entity);
  const int n = int(numbers.size()), components = entity == Entity::face ? 1 : mesh.dims;
  PartValues<T> field(n, components);
  const std::vector<char> ghosts = ghosts_of(part, entity);
  EntityExchange exchange(ranks, entity_messages(ranks, part, entity, ghosts), field.values());
  int wrong = 0;
  const auto for_all = [&](const auto& f) {
    for (int e = 0; e < n; ++e)
      for (int d = 0; d < components; ++d) f(e, d, field.at(e, d));
  };
  for (int run = 0; run < 3; ++run) {
    for_all([&](int e, int d, T& value) {
      value = ghosts[std::size_t(e)] ? std::numeric_limits<T>::quiet_NaN()
                                     : T(value_of_entity(numbers[std::size_t(e)], d, run));
    });
    if ((ranks.rank() + run) % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    exchange.start();
    for_all([&](int e, int, T& value) {
      if (!ghosts[std::size_t(e)]) value = T(-1);
    });
    exchange.finish();
    for_all([&](int e, int d, T& value) {
      wrong +=
          value != (ghosts[std::size_t(e)] ? T(value_of_entity(numbers[std::size_t(e)], d, run)) : T(-1));
    });
  }
  return wrong;
}

}  // namespace cfdmark
