#include "bench/worker/worker_status.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cfdmark {
namespace {

std::system_error cannot_share() {
  return {errno, std::generic_category(), "cannot share memory with a worker"};
}

}  // namespace

SharedWorkerStatus::SharedWorkerStatus() : fd_(memfd_create("cfdmark-worker-status", MFD_CLOEXEC)) {
  if (fd_ < 0 || ftruncate(fd_, sizeof(Shared)) != 0) throw cannot_share();
  map();
  write(-1, Stage::prepare);
}

SharedWorkerStatus::SharedWorkerStatus(int fd) : fd_(fd) { map(); }

SharedWorkerStatus::~SharedWorkerStatus() {
  munmap(shared_, sizeof(Shared));
  close(fd_);
}

void SharedWorkerStatus::map() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (memory == MAP_FAILED) throw cannot_share();
  shared_ = static_cast<Shared*>(memory);
}

void SharedWorkerStatus::write(std::int32_t index, Stage stage) {
  shared_->index = index;
  shared_->stage = std::int32_t(stage);
  ++shared_->count;
}

WorkerStatus SharedWorkerStatus::read() const {
  return {shared_->index, Stage(shared_->stage.load()), shared_->count};
}

}  // namespace cfdmark
