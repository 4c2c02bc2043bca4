#include "kernels/ranks/entity_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

// Sends `mine` to `other` and receives as many numbers as `theirs` has. Of two ranks the lower sends first:
// if each goes through the others in ascending order, all pairs meet in one order, and no rank waits in a
// circle.
void swap_lists(Ranks& ranks, int other, const std::vector<int>& mine, std::vector<int>& theirs) {
  const auto send = [&] {
    if (!mine.empty()) ranks.send(mine.data(), mine.size() * sizeof mine[0], other);
  };
  const auto receive = [&] {
    if (!theirs.empty()) ranks.receive(theirs.data(), theirs.size() * sizeof theirs[0], other);
  };
  if (ranks.rank() < other) send();
  receive();
  if (ranks.rank() > other) send();
}

// Finds the entities of a part by their numbers in the whole mesh.
class PlaceOfNumber {
 public:
  explicit PlaceOfNumber(const std::vector<int>& numbers) : numbers_(numbers), order_(numbers.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (!std::is_sorted(numbers.begin(), numbers.end()))
      std::sort(order_.begin(), order_.end(), [&](int a, int b) { return number(a) < number(b); });
  }
  // Returns the place of a number; -1 if the part does not have it.
  int operator()(int wanted) const {
    const auto found = std::lower_bound(order_.begin(), order_.end(), wanted,
                                        [&](int place, int n) { return number(place) < n; });
    return found != order_.end() && number(*found) == wanted ? *found : -1;
  }

 private:
  int number(int place) const { return numbers_[std::size_t(place)]; }

  const std::vector<int>& numbers_;
  std::vector<int> order_;
};

// Calls f(byte of the value in the field, byte in the message) for the values of a message.
template <class F>
void for_each_value(const EntityValues& values, const std::vector<int>& entities, const F& f) {
  std::size_t at = 0;
  for (int d = 0; d < values.components; ++d)
    for (const int e : entities) {
      f(values.origin + e * values.entity_stride + d * values.component_stride, at);
      at += values.bytes;
    }
}
// The same with the number of bytes known to the compiler.
template <std::size_t bytes>
void pack(const EntityValues& values, const std::vector<int>& entities, char* to) {
  for_each_value(values, entities,
                 [to](const char* value, std::size_t at) { std::memcpy(to + at, value, bytes); });
}
template <std::size_t bytes>
void unpack(const EntityValues& values, const std::vector<int>& entities, const char* from) {
  for_each_value(values, entities,
                 [from](char* value, std::size_t at) { std::memcpy(value, from + at, bytes); });
}

std::vector<RankMessage> sizes_of(const std::vector<EntityMessage>& messages, const EntityValues& values) {
  std::vector<RankMessage> sizes;
  const std::size_t of_entity = values.bytes * std::size_t(values.components);
  for (const EntityMessage& m : messages) {
    if (m.entities.size() > std::numeric_limits<std::size_t>::max() / of_entity)
      throw std::length_error(
          fmt::format("a message of {} entities of {} bytes is too long", m.entities.size(), of_entity));
    sizes.push_back({m.rank, m.entities.size() * of_entity});
  }
  return sizes;
}

}  // namespace

std::vector<char> ghosts_of(const MeshPart& part, Entity entity) {
  std::vector<char> ghosts(part.owners(entity).size());
  for (std::size_t e = 0; e < ghosts.size(); ++e) ghosts[e] = !part.owns(entity, int(e));
  return ghosts;
}

EntityMessages entity_messages(Ranks& ranks, const MeshPart& part, Entity entity,
                               const std::vector<char>& wanted) {
  const std::size_t count = std::size_t(ranks.count()), rank = std::size_t(ranks.rank());
  const std::vector<int>&numbers = part.numbers(entity), &owners = part.owners(entity);
  const PlaceOfNumber place(numbers);
  std::vector<std::vector<int>> asked(count);  // of each owner, numbers in the whole mesh
  for (std::size_t e = 0; e < wanted.size(); ++e)
    if (wanted[e] && owners[e] != int(rank)) asked[std::size_t(owners[e])].push_back(numbers[e]);
  std::vector<int> lengths, lengths_of_all(count * count);
  for (std::vector<int>& list : asked) {
    std::sort(list.begin(), list.end());
    lengths.push_back(int(list.size()));
  }
  ranks.gather("preparing an exchange of entities", lengths.data(), count * sizeof lengths[0],
               lengths_of_all.data());
  EntityMessages messages;
  const auto add = [&](std::vector<EntityMessage>& to, int other, const std::vector<int>& of_whole) {
    if (of_whole.empty()) return;
    to.push_back({other, {}});
    for (const int n : of_whole) to.back().entities.push_back(place(n));
  };
  for (std::size_t other = 0; other < count; ++other) {
    if (other == rank) continue;
    std::vector<int> theirs(static_cast<std::size_t>(lengths_of_all[other * count + rank]));
    swap_lists(ranks, int(other), asked[other], theirs);
    add(messages.sent, int(other), theirs);
    add(messages.received, int(other), asked[other]);
    if (theirs.empty()) continue;
    for (std::size_t n = 0; n < theirs.size(); ++n)
      if (const int e = messages.sent.back().entities[n]; e < 0 || !part.owns(entity, e))
        throw std::logic_error(
            fmt::format("rank {} requests entity {}, which rank {} does not own", other, theirs[n], rank));
  }
  return messages;
}

EntityExchange::EntityExchange(Ranks& ranks, EntityMessages messages, const EntityValues& values)
    : messages_(std::move(messages)), values_(values) {
  if (values.bytes != 4 && values.bytes != 8)
    throw std::invalid_argument(fmt::format("values of {} bytes; expected 4 or 8", values.bytes));
  const std::vector<RankMessage> sent = sizes_of(messages_.sent, values);
  for (const RankMessage& m : sent) {
    traffic_.bytes += double(m.bytes);
    traffic_.messages += 1;
    traffic_.largest = std::max(traffic_.largest, double(m.bytes));
  }
  buffers_ = ranks.buffers(sent, sizes_of(messages_.received, values));
}

void EntityExchange::start() {
  for (std::size_t n = 0; n < messages_.sent.size(); ++n)
    (values_.bytes == 4 ? pack<4> : pack<8>)(values_, messages_.sent[n].entities, buffers_->outgoing(int(n)));
  buffers_->start();
}

void EntityExchange::finish() {
  for (std::size_t n = 0; n < messages_.received.size(); ++n)
    (values_.bytes == 4 ? unpack<4> : unpack<8>)(values_, messages_.received[n].entities,
                                                 buffers_->incoming(int(n)));
  buffers_->finish();
}

}  // namespace cfdmark
