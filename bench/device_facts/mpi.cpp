#include "bench/device_facts/mpi.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "bench/device_facts/installed.hpp"
#include "kernels/ranks/mpi_ranks.hpp"

namespace cfdmark {
namespace {

std::string find_out() {
  const std::filesystem::path module = module_file("cfdmark_mpi.so");
  if (!std::filesystem::exists(module))
    return "this program was built without MPI; install openmpi-bin and libopenmpi-dev and build it again, "
           "or "
           "join ranks by threads";
  try {
    open_mpi(module);
    return "";
  } catch (const std::runtime_error& error) {
    return fmt::format("{}; install openmpi-bin, or build again with the MPI of this machine", error.what());
  }
}

}  // namespace

const std::string& why_no_mpi() {
  static const std::string reason = find_out();
  return reason;
}

}  // namespace cfdmark
