#include "kernels/device/library/nccl.hpp"

#include <fmt/format.h>
#include <nccl.h>

#include <stdexcept>

namespace cfdmark {
namespace {

void check_nccl(ncclResult_t status, const char* doing) {
  if (status != ncclSuccess)
    throw std::runtime_error(fmt::format("NCCL: {}: {}", doing, ncclGetErrorString(status)));
}

// Ends a group also when a call within it throws: otherwise the thread would stay in it.
template <class Calls>
void in_group(const Calls& calls) {
  check_nccl(ncclGroupStart(), "start a group");
  try {
    calls();
  } catch (...) {
    ncclGroupEnd();
    throw;
  }
  check_nccl(ncclGroupEnd(), "end a group");
}

}  // namespace

NcclRanks::NcclRanks(const std::vector<int>& devices) {
  if (const std::string reason = nccl_unavailable(); !reason.empty()) throw std::runtime_error(reason);
  std::vector<ncclComm_t> made(devices.size());
  check_nccl(ncclCommInitAll(made.data(), int(devices.size()), devices.data()), "join the devices");
  for (const ncclComm_t one : made) ranks_.emplace_back(one, ncclCommDestroy);
}

NcclCall NcclRanks::messages(int rank, std::vector<NcclMessage> list) const {
  return [comm = ranks_.at(std::size_t(rank)), list = std::move(list)](const CudaQueue& queue) {
    in_group([&] {
      for (const NcclMessage& m : list)
        if (m.send)
          check_nccl(ncclSend(m.send, m.bytes, ncclChar, m.other, comm.get(), queue.stream), "send");
        else
          check_nccl(ncclRecv(m.receive, m.bytes, ncclChar, m.other, comm.get(), queue.stream), "receive");
    });
  };
}

NcclCall NcclRanks::sum(int rank, double* values, int count) const {
  return [comm = ranks_.at(std::size_t(rank)), values, count](const CudaQueue& queue) {
    check_nccl(
        ncclAllReduce(values, values, std::size_t(count), ncclDouble, ncclSum, comm.get(), queue.stream),
        "sum over ranks");
  };
}

void together(const std::function<void()>& calls) { in_group(calls); }

}  // namespace cfdmark
