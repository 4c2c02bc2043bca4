// Ranks: the parts of a domain work side by side and exchange values. They are threads of one process
// (thread_ranks.hpp) or processes (mpi_ranks.hpp); nothing above Ranks and its exchanges knows which.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/core/operator.hpp"
#include "kernels/core/partition.hpp"
#include "kernels/ranks/buffer_exchange.hpp"

namespace cfdmark {

// Declared communication of one run, sent by this rank to others.
struct ExchangeTraffic {
  double bytes = 0;
  int messages = 0;
  double largest = 0;  // bytes of the largest message
};

// An exchange of ghosts, prepared on a field like a step.
class GhostExchange {
 public:
  virtual ~GhostExchange() = default;
  // Fills the ghosts of this rank's field, and waits until the ranks around have read from it. All ranks run
  // the exchange the same number of times. Throws if another rank has failed or never arrives.
  virtual void run() = 0;
  virtual const ExchangeTraffic& traffic() const = 0;
};

// One rank's view of all ranks. Functions marked "collective" are called by all ranks in the same order; they
// throw std::logic_error if the ranks are at different calls.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;

  // Collective. Copies `bytes` bytes from each rank to `of_all`, in the order of ranks, on every rank.
  // `what` names the call in errors.
  virtual void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) = 0;
  // Sends bytes to a rank and returns when they are received there; receive() takes them. Both name the same
  // number of bytes.
  virtual void send(const void* data, std::size_t bytes, int to) = 0;
  virtual void receive(void* data, std::size_t bytes, int from) = 0;

  // Collective. Prepares an exchange that fills all ghosts of a field across cuts and periodic sides; ghosts
  // beyond the domain's own sides keep their values, and edges and corners are filled too. `field` is this
  // rank's part in memory of the host, with its ghosts, at cells, faces or nodes: what lies on a cut belongs
  // to the rank with the higher index along that axis, and is a ghost of the other.
  // Throws std::invalid_argument if a part is thinner than the layers that it lends.
  virtual std::unique_ptr<GhostExchange> exchange(const Partition&, const AnyView& field) = 0;

  // Collective. Prepares messages that this rank sends and receives. Throws as check_messages;
  // std::logic_error for ranks that have none.
  virtual std::unique_ptr<BufferExchange> buffers(const std::vector<RankMessage>& sent,
                                                  const std::vector<RankMessage>& received);

  // Notes communication that the ranks' devices do among themselves: an exchange, or a sum with the bytes
  // that this rank sends for it.
  virtual void note_exchange(const ExchangeTraffic&) {}
  virtual void note_sum(double bytes) { static_cast<void>(bytes); }
  // Returns the seconds that this rank has spent waiting for others, in all calls so far.
  virtual double waited() const = 0;
  // Marks where work begins, or ends, that every rank repeats. It is timed apart.
  virtual void mark_repeated(bool begins) { static_cast<void>(begins); }

  // Collective. Throws std::runtime_error on all ranks if `failure` is not empty on one, with the first such
  // rank and its text.
  void agree(const std::string& failure);
};

}  // namespace cfdmark
