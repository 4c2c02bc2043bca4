#include "bench/run/blackboard.hpp"

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

Blackboard::Blackboard() : fd_(memfd_create("cfdmark-blackboard", MFD_CLOEXEC)) {
  if (fd_ < 0 || ftruncate(fd_, sizeof(Shared)) != 0) throw cannot_share();
  map();
  write(-1, Stage::prepare);
}

Blackboard::Blackboard(int fd) : fd_(fd) { map(); }

Blackboard::~Blackboard() {
  munmap(shared_, sizeof(Shared));
  close(fd_);
}

void Blackboard::map() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (memory == MAP_FAILED) throw cannot_share();
  shared_ = static_cast<Shared*>(memory);
}

void Blackboard::write(std::int32_t index, Stage stage) {
  shared_->index = index;
  shared_->stage = std::int32_t(stage);
  ++shared_->count;
}

Note Blackboard::read() const { return {shared_->index, Stage(shared_->stage.load()), shared_->count}; }

}  // namespace cfdmark
