// One thread of the host.
#pragma once

#include "kernels/device/cpu/host_backend.hpp"

namespace cfdmark {

Backend& serial_backend();

// Runs body(row) for each row in order: the execution policy of row-wise kernels.
struct SerialRows {
  template <class Body>
  void operator()(Index rows, const Body& body) const {
    for (Index row = 0; row < rows; ++row) body(row);
  }
};

}  // namespace cfdmark
