#include "kernels/device/library/nccl.hpp"

#include <fmt/format.h>
#include <nccl.h>

#include <cstring>
#include <stdexcept>
#include <utility>

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

void require_nccl() {
  if (const std::string reason = nccl_unavailable(); !reason.empty()) throw std::runtime_error(reason);
}

NcclCall messages_of(std::shared_ptr<ncclComm> comm, std::vector<GroupMessage> list) {
  return [comm = std::move(comm), list = std::move(list)](const CudaQueue& queue) {
    in_group([&] {
      for (const GroupMessage& m : list)
        if (m.send)
          check_nccl(ncclSend(m.send, m.bytes, ncclChar, m.other, comm.get(), queue.stream), "send");
        else
          check_nccl(ncclRecv(m.receive, m.bytes, ncclChar, m.other, comm.get(), queue.stream), "receive");
    });
  };
}

}  // namespace

NcclRanks::NcclRanks(const std::vector<int>& devices) {
  require_nccl();
  std::vector<ncclComm_t> made(devices.size());
  check_nccl(ncclCommInitAll(made.data(), int(devices.size()), devices.data()), "join the devices");
  for (const ncclComm_t one : made) ranks_.emplace_back(one, ncclCommDestroy);
}

NcclCall NcclRanks::messages(int rank, std::vector<GroupMessage> list) const {
  return messages_of(ranks_.at(std::size_t(rank)), std::move(list));
}

NcclCall NcclRanks::sum(int rank, double* values, int count) const {
  return [comm = ranks_.at(std::size_t(rank)), values, count](const CudaQueue& queue) {
    check_nccl(
        ncclAllReduce(values, values, std::size_t(count), ncclDouble, ncclSum, comm.get(), queue.stream),
        "sum over ranks");
  };
}

GroupId NcclRank::new_id() {
  require_nccl();
  ncclUniqueId made;
  check_nccl(ncclGetUniqueId(&made), "make an id");
  GroupId id;
  static_assert(sizeof made == sizeof id);
  std::memcpy(id.data(), &made, sizeof made);
  return id;
}

NcclRank::NcclRank(const GroupId& id, int count, int rank) {
  require_nccl();
  ncclUniqueId given;
  std::memcpy(&given, id.data(), sizeof given);
  ncclComm_t made = nullptr;
  check_nccl(ncclCommInitRank(&made, count, given, rank), "join the ranks");
  comm_ = {made, ncclCommDestroy};
}

NcclCall NcclRank::messages(std::vector<GroupMessage> list) const {
  return messages_of(comm_, std::move(list));
}

void together(const std::function<void()>& calls) { in_group(calls); }

}  // namespace cfdmark
