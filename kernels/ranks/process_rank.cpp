#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

Ranks* of_process = nullptr;
int number_on_host = 0;

}  // namespace

Ranks* process_rank() { return of_process; }
void set_process_rank(Ranks* ranks, int on_host) { of_process = ranks, number_on_host = on_host; }

DeviceId device_of_process(DeviceId named) {
  const int devices = device_count(named.kind) - named.index;
  if (named.kind == BackendKind::cuda && devices > 0) named.index += number_on_host % devices;
  return named;
}

}  // namespace cfdmark
