// Stubs for the NCCL functions that are called; see shared_library.hpp.
#include <fmt/format.h>
#include <nccl.h>

#include <cstdlib>

#include "kernels/device/library/nccl.hpp"
#include "kernels/device/shared_library.hpp"

namespace {

constexpr int least_version = 21501;

std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

// NCCL reads its environment when it is opened or first called.
const cfdmark::SharedLibrary& nccl() {
  static const auto library = [] {
    setenv("NCCL_NVLS_ENABLE", "0", 1);
    return cfdmark::open_cuda_library("libnccl.so.2");
  }();
  return library;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) { return CFDMARK_FUNCTION_OF(nccl(), ncclGetVersion)(version); }

const char* ncclGetErrorString(ncclResult_t status) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclGetErrorString)(status);
}

ncclResult_t ncclCommInitAll(ncclComm_t* made, int count, const int* devices) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclCommInitAll)(made, count, devices);
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* made) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclGetUniqueId)(made);
}

ncclResult_t ncclCommInitRank(ncclComm_t* made, int count, ncclUniqueId id, int rank) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclCommInitRank)(made, count, id, rank);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) { return CFDMARK_FUNCTION_OF(nccl(), ncclCommDestroy)(comm); }

ncclResult_t ncclGroupStart() { return CFDMARK_FUNCTION_OF(nccl(), ncclGroupStart)(); }

ncclResult_t ncclGroupEnd() { return CFDMARK_FUNCTION_OF(nccl(), ncclGroupEnd)(); }

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int to, ncclComm_t comm,
                      cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclSend)(from, count, type, to, comm, stream);
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int from, ncclComm_t comm,
                      cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclRecv)(to, count, type, from, comm, stream);
}

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(nccl(), ncclAllReduce)(from, to, count, type, op, comm, stream);
}

}  // extern "C"

namespace cfdmark {

std::string nccl_unavailable() {
  int version = 0;
  try {
    if (ncclGetVersion(&version) != ncclSuccess) return "NCCL does not report its version";
  } catch (const LibraryMissing& e) {
    return fmt::format("NCCL: {}", e.what());
  }
  if (version < least_version)
    return fmt::format("NCCL {} is too old: install {} or newer", version_text(version),
                       version_text(least_version));
  return "";
}

std::string nccl_header_version() { return version_text(NCCL_VERSION_CODE); }

std::string nccl_version() {
  if (const std::string reason = nccl_unavailable(); !reason.empty()) throw std::runtime_error(reason);
  int version = 0;
  ncclGetVersion(&version);
  return version_text(version);
}

}  // namespace cfdmark
