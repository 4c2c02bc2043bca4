// Devices in the place of this machine's: tests have two where there is none.
#pragma once

#include <vector>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

// While it lives backend() gives these devices of the kind, and no other. They must outlive it.
class StandInDevices {
 public:
  StandInDevices(BackendKind, std::vector<Backend*>);
  ~StandInDevices();
  StandInDevices(const StandInDevices&) = delete;

 private:
  BackendKind kind_;
};

}  // namespace cfdmark
