// A replacement for NCCL whose ranks are emulated devices: memory of the host. Calls of a group run when the
// outermost group ends. A send without its receive, which would wait for ever, is an error.
// CFDMARK_FAKE_NCCL_VERSION sets its version. It joins no devices unless NVLink multicast is switched off.
#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

struct ncclComm {
  int rank, count;
};

namespace {

struct Message {
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t bytes = 0;
};
struct Messages {
  std::vector<Message> sends, receives;
};

int depth = 0;
std::map<std::pair<int, int>, Messages> given;  // by sender and receiver
std::map<int, std::pair<double*, std::size_t>> sums;
int ranks_of_sums = 0;

ncclResult_t deliver(const Messages& m) {
  if (m.sends.size() != m.receives.size()) return ncclInvalidUsage;
  for (std::size_t n = 0; n < m.sends.size(); ++n) {
    if (m.sends[n].bytes != m.receives[n].bytes) return ncclInvalidArgument;
    std::memcpy(m.receives[n].to, m.sends[n].from, m.sends[n].bytes);
  }
  return ncclSuccess;
}

ncclResult_t add_up() {
  if (sums.empty()) return ncclSuccess;
  if (int(sums.size()) != ranks_of_sums) return ncclInvalidUsage;
  for (std::size_t n = 0; n < sums.begin()->second.second; ++n) {
    double sum = 0;
    for (const auto& [rank, values] : sums) sum += values.first[n];
    for (const auto& [rank, values] : sums) values.first[n] = sum;
  }
  return ncclSuccess;
}

ncclResult_t run_all() {
  ncclResult_t status = add_up();
  for (const auto& [ends, messages] : given)
    if (const ncclResult_t of = deliver(messages); of != ncclSuccess) status = of;
  given.clear(), sums.clear();
  return status;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  const char* const given_version = std::getenv("CFDMARK_FAKE_NCCL_VERSION");
  *version = given_version ? std::atoi(given_version) : 22803;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t status) {
  return status == ncclInvalidUsage ? "a message has no other side" : "invalid argument";
}
ncclResult_t ncclCommInitAll(ncclComm_t* made, int count, const int*) {
  const char* const multicast = std::getenv("NCCL_NVLS_ENABLE");
  if (!multicast || std::strcmp(multicast, "0") != 0) return ncclInvalidArgument;
  for (int n = 0; n < count; ++n) made[n] = new ncclComm{n, count};
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  static int made = 0;
  *id = {};
  id->internal[0] = static_cast<char>(++made);
  return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t* made, int count, ncclUniqueId id, int rank) {
  if (id.internal[0] == 0 || rank >= count) return ncclInvalidArgument;
  *made = new ncclComm{rank, count};
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() { return --depth == 0 ? run_all() : ncclSuccess; }
ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t, int to, ncclComm_t comm, cudaStream_t) {
  given[{comm->rank, to}].sends.push_back({from, nullptr, count});
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t, int from, ncclComm_t comm, cudaStream_t) {
  given[{from, comm->rank}].receives.push_back({nullptr, to, count});
  return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void*, void* values, size_t count, ncclDataType_t, ncclRedOp_t,
                           ncclComm_t comm, cudaStream_t) {
  sums[comm->rank] = {static_cast<double*>(values), count};
  ranks_of_sums = comm->count;
  return ncclSuccess;
}
}
