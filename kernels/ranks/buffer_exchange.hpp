// Messages of fixed size that ranks send to each other again and again.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark {

class Ranks;

// A message between this rank and another. Between two ranks there is at most one in each direction.
struct RankMessage {
  int rank = 0;
  std::size_t bytes = 0;
};

// The buffers of this rank's messages. All ranks go through a run the same number of times:
//
//   fill outgoing(n) of all sent messages; start(); read incoming(n) of all received ones; finish()
//
// Functions that wait throw if another rank has failed or never arrives.
class BufferExchange {
 public:
  virtual ~BufferExchange() = default;
  // Returns the buffer of the n-th sent message, once its last contents have been received.
  virtual char* outgoing(int n) = 0;
  // Sends all messages. Does not wait.
  virtual void start() = 0;
  // Returns the n-th received message, once it is there.
  virtual const char* incoming(int n) = 0;
  // Declares that the received messages have been read.
  virtual void finish() = 0;
};

// Collective. Throws std::invalid_argument if a rank names itself, none, or another twice; std::logic_error
// if two ranks expect different bytes of a message between them.
void check_messages(Ranks&, const std::vector<RankMessage>& sent, const std::vector<RankMessage>& received);

}  // namespace cfdmark
