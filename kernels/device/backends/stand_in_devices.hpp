// Replaces the devices of one kind, so that tests can use several on a machine that has none.
#pragma once

#include <vector>

#include "kernels/device/backend.hpp"

namespace cfdmark {

// While an instance exists, backend() returns exactly these devices of the kind. They must outlive it.
class StandInDevices {
 public:
  StandInDevices(BackendKind, std::vector<Backend*>);
  ~StandInDevices();
  StandInDevices(const StandInDevices&) = delete;

 private:
  BackendKind kind_;
};

}  // namespace cfdmark
