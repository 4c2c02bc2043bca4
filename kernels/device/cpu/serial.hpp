// One thread of the host.
#pragma once

#include "kernels/device/cpu/host_backend.hpp"

namespace cfdmark {

Backend& serial_backend();

}  // namespace cfdmark
