// The exchange of the values of a mesh's entities between ranks that are threads.
#include <atomic>

#include "kernels/ranks/entity_exchange.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/parted_meshes.hpp"
#include "tests/ranks/wrong_mesh_ghosts.hpp"

using namespace cfdmark;

TEST_CASE("every ghost of a mesh holds its owner's value after an exchange", "[mesh][ranks]") {
  for (const auto& mesh : meshes_to_part())
    for_each_mesh_partition(*mesh, [&](const MeshPartition& partition) {
      std::atomic<int> wrong = 0;
      on_thread_ranks(partition.parts(), [&](Ranks& ranks) {
        for (const Entity entity : all_entities) {
          if (entity == Entity::edge && mesh->dims == 2) continue;
          wrong += wrong_mesh_ghosts<double>(ranks, *mesh, partition, entity);
          wrong += wrong_mesh_ghosts<float>(ranks, *mesh, partition, entity);
        }
      });
      CHECK(wrong == 0);
    });
}

TEST_CASE("messages name the same entities on both sides, in ascending order of the whole mesh",
          "[mesh][ranks]") {
  for (const auto& mesh : meshes_to_part()) {
    const MeshPartition partition = scattered_parts(*mesh, 3);
    for (const Entity entity : {Entity::cell, Entity::face, Entity::node}) {
      std::vector<std::vector<int>> sent(9), received(9);
      on_thread_ranks(3, [&](Ranks& ranks) {
        const MeshPart part(*mesh, partition, ranks.rank());
        const auto messages = entity_messages(ranks, part, entity, ghosts_of(part, entity));
        const auto in_whole = [&](const EntityMessage& message) {
          std::vector<int> numbers;
          for (const int e : message.entities) numbers.push_back(part.numbers(entity)[std::size_t(e)]);
          return numbers;
        };
        for (const auto& m : messages.sent) sent[std::size_t(3 * ranks.rank() + m.rank)] = in_whole(m);
        for (const auto& m : messages.received)
          received[std::size_t(3 * m.rank + ranks.rank())] = in_whole(m);
      });
      CHECK(sent == received);
      for (const auto& list : sent) CHECK(std::is_sorted(list.begin(), list.end()));
    }
  }
}

// By hand: part 0 of the 2x2 lattice has 4 ghost cells of part 1, and the 6 nodes that part 1 owns.
TEST_CASE("an exchange on a mesh declares and counts the bytes that it sends", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(2, 2, 0, 1), Numbering::stored, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 2, MeshCut::bisection);
  std::vector<double> sent(2), counted(2);
  on_thread_ranks(2, [&](Ranks& all) {
    TimedRanks ranks(all);
    const MeshPart part(mesh, partition, ranks.rank());
    const std::size_t rank = std::size_t(ranks.rank());
    for (const auto& [entity, components] : {std::pair{Entity::cell, 1}, {Entity::node, 2}}) {
      PartValues<double> field(int(part.numbers(entity).size()), components);
      EntityExchange exchange(ranks, entity_messages(ranks, part, entity, ghosts_of(part, entity)),
                              field.values());
      sent[rank] += exchange.traffic().bytes;
      exchange.run();
    }
    counted[rank] = ranks.communicated().exchange_bytes;
  });
  // 4 cells of rank 0; 4 cells and 6 nodes of rank 1. Rank 0 owns 3 nodes, which rank 1 has as well.
  CHECK(sent == std::vector<double>{8. * (4 + 2 * 3), 8. * (4 + 2 * 6)});
  CHECK(counted == sent);
}

TEST_CASE("a message of more than 524,280 entities arrives whole", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(600, 600, 0, 1), Numbering::stored, 1);
  // Rank 1 has every second quad: nearly all cells of each are ghosts of the other.
  std::vector<int> part_of_cell;
  for (int c = 0; c < mesh.cells(); ++c) part_of_cell.push_back(c / 2 % 2);
  const MeshPartition partition(mesh, part_of_cell, 2);
  std::atomic<int> wrong = 0, longest = 0;
  on_thread_ranks(2, [&](Ranks& ranks) {
    const MeshPart part(mesh, partition, ranks.rank());
    PartValues<double> field(part.mesh().faces(), 2);
    EntityExchange exchange(ranks, entity_messages(ranks, part, Entity::face, ghosts_of(part, Entity::face)),
                            field.values());
    if (ranks.rank() == 1) longest = int(exchange.traffic().largest / sizeof(double));
    wrong += wrong_mesh_ghosts<double>(ranks, mesh, partition, Entity::face);
  });
  CHECK(longest > 2 * 524280);
  CHECK(wrong == 0);
}

TEST_CASE("a fault of an exchange on a mesh is found", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(8, 8, 0, 1), Numbering::stored, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 3, MeshCut::bisection);
  constexpr double limit = 1;  // longer than a busy machine keeps a thread from running
  const auto on_ranks = [&](const auto& f) {
    on_thread_ranks(
        3,
        [&](Ranks& ranks) {
          const MeshPart part(mesh, partition, ranks.rank());
          f(ranks, part, entity_messages(ranks, part, Entity::cell, ghosts_of(part, Entity::cell)));
        },
        limit);
  };
  const auto values = [](const MeshPart& part) { return PartValues<double>(part.mesh().cells(), 1); };
  SECTION("a message is dropped: the rank that misses it names its sender") {
    CHECK_THROWS_WITH(on_ranks([&](Ranks& ranks, const MeshPart& part, EntityMessages messages) {
                        auto field = values(part);
                        EntityExchange exchange(ranks, std::move(messages), field.values());
                        if (ranks.rank() != 1) exchange.run();
                      }),
                      ContainsSubstring("waited 1 s for the buffer of rank 1 (run 1)"));
  }
  SECTION("a message is not read: the next message names its reader") {
    CHECK_THROWS_WITH(on_ranks([&](Ranks& ranks, const MeshPart& part, EntityMessages messages) {
                        auto field = values(part);
                        EntityExchange exchange(ranks, std::move(messages), field.values());
                        exchange.start();
                        if (ranks.rank() != 2) exchange.finish(), exchange.start();
                      }),
                      ContainsSubstring("waited 1 s for rank 2 to read its buffer"));
  }
  SECTION("a message is short: both lengths are named before the first run") {
    CHECK_THROWS_WITH(on_ranks([&](Ranks& ranks, const MeshPart& part, EntityMessages messages) {
                        if (ranks.rank() == 0) messages.sent.front().entities.pop_back();
                        auto field = values(part);
                        EntityExchange(ranks, std::move(messages), field.values());
                      }),
                      ContainsSubstring("bytes from rank 0, which sends"));
  }
  SECTION("a message goes to the wrong rank") {
    CHECK_THROWS_WITH(on_ranks([&](Ranks& ranks, const MeshPart& part, EntityMessages messages) {
                        if (ranks.rank() == 0) messages.sent.front().rank = 0;
                        auto field = values(part);
                        EntityExchange(ranks, std::move(messages), field.values());
                      }),
                      ContainsSubstring("rank 0 has a message of"));
  }
  SECTION("a rank requests what the other does not own") {
    const MeshPartition other = scattered_parts(mesh, 3);
    CHECK_THROWS_WITH(on_thread_ranks(
                          3,
                          [&](Ranks& ranks) {
                            const MeshPart part(mesh, ranks.rank() == 0 ? other : partition, ranks.rank());
                            entity_messages(ranks, part, Entity::cell, ghosts_of(part, Entity::cell));
                          },
                          limit),
                      ContainsSubstring("does not own"));
  }
}
