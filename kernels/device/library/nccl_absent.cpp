// Replaces nccl.cpp in builds without NCCL's header.
#include <stdexcept>

#include "kernels/device/library/nccl.hpp"

namespace cfdmark {

std::string nccl_unavailable() {
  return "built without NCCL: CMake found no nccl.h next to the CUDA toolkit or in NCCL_ROOT";
}
std::string nccl_header_version() { return ""; }
std::string nccl_version() { throw std::runtime_error(nccl_unavailable()); }

NcclRanks::NcclRanks(const std::vector<int>&) { throw std::runtime_error(nccl_unavailable()); }
NcclCall NcclRanks::messages(int, std::vector<GroupMessage>) const {
  throw std::runtime_error(nccl_unavailable());
}
NcclCall NcclRanks::sum(int, double*, int) const { throw std::runtime_error(nccl_unavailable()); }

GroupId NcclRank::new_id() { throw std::runtime_error(nccl_unavailable()); }
NcclRank::NcclRank(const GroupId&, int, int) { throw std::runtime_error(nccl_unavailable()); }
NcclCall NcclRank::messages(std::vector<GroupMessage>) const { throw std::runtime_error(nccl_unavailable()); }

void together(const std::function<void()>&) { throw std::runtime_error(nccl_unavailable()); }

}  // namespace cfdmark
