#include "bench/worker/interruption.hpp"

namespace cfdmark {
namespace {

volatile std::sig_atomic_t requested_ = 0;
constexpr int signals[3] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

Interruption::Interruption() {
  requested_ = 0;
  struct sigaction note {};
  note.sa_handler = [](int) { requested_ = 1; };  // no SA_RESTART, so that waits end early
  for (int n = 0; n < 3; ++n) sigaction(signals[n], &note, &before_[n]);
}

Interruption::~Interruption() {
  for (int n = 0; n < 3; ++n) sigaction(signals[n], &before_[n], nullptr);
}

bool Interruption::requested() const { return requested_ != 0; }

}  // namespace cfdmark
