// One thread of the host.
#pragma once

#include "kernels/device/cpu/host_backend.hpp"

namespace cfdmark {

Backend& serial_backend();
std::unique_ptr<Backend> new_serial_backend();  // a further one (new_queue)

}  // namespace cfdmark
