// How the supervisor and its worker talk: JSON, one message a line, over a socket of their own, so that
// nothing that a library prints can get in between.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

class Channel {
 public:
  // Takes the descriptor over and closes it at the end.
  explicit Channel(int fd) : fd_(fd) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // False if nobody listens any more.
  bool send(const Json& message);
  // The messages that have come, as they came; waits for the first one for so many milliseconds (-1: for
  // ever). A signal ends the wait early.
  std::vector<std::string> receive(int milliseconds);
  // Whether the other side is gone and all that it said has been received.
  bool closed() const { return closed_; }

 private:
  int fd_;
  bool closed_ = false;
  std::string unfinished_;  // the beginning of a message whose end has not come yet
};

}  // namespace cfdmark
