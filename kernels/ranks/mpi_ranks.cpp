#include "kernels/ranks/mpi_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <vector>

#include "kernels/ranks/mpi_exchange.hpp"

namespace cfdmark {
namespace {

// Tags of messages; exchanges have higher ones (mpi_exchange.cpp).
constexpr int pass_tag = 0, gather_tag = 1;

// The head of each message of a gather: ranks at different calls find each other.
struct GatherHead {
  std::uint64_t bytes = 0;
  std::array<char, 48> what = {};

  bool operator==(const GatherHead&) const = default;
  std::string text() const { return fmt::format("'{}' of {} bytes", what.data(), bytes); }
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks(const CfdmarkMpi& mpi, RankPatience patience) : messages_(mpi, std::move(patience)) {
    int of_host = 1;
    if (mpi.start(&rank_, &count_, &of_host))
      throw std::runtime_error(fmt::format("MPI cannot start: {}", mpi.error()));
    messages_.set_ranks_of_host(of_host);
  }
  // After a failure the others may never arrive at the end.
  ~MpiRanks() override {
    if (std::uncaught_exceptions() == 0) messages_.mpi().finish();
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  double waited() const override { return messages_.waited(); }

  void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) override {
    GatherHead head{bytes, {}};
    std::strncpy(head.what.data(), what, head.what.size() - 1);
    const std::size_t size = sizeof head + bytes;
    gathered_.resize(size * std::size_t(count_));
    const auto of_rank = [&](int r) { return gathered_.data() + std::size_t(r) * size; };
    std::memcpy(of_rank(rank_), &head, sizeof head);
    if (bytes > 0) std::memcpy(of_rank(rank_) + sizeof head, mine, bytes);
    for (int n = 1; n < count_; ++n)
      messages_.receive(of_rank((rank_ + n) % count_), size, (rank_ + n) % count_, gather_tag);
    for (int n = 1; n < count_; ++n)
      messages_.send(of_rank(rank_), size, (rank_ + count_ - n) % count_, gather_tag);
    try {
      messages_.wait([&] { return what; });
    } catch (const std::exception& error) {
      throw std::logic_error(fmt::format("at {}: {}", head.text(), error.what()));
    }
    for (int r = 0; r < count_; ++r) {
      GatherHead other;
      std::memcpy(&other, of_rank(r), sizeof other);
      if (other != head)
        throw std::logic_error(fmt::format("at {}, but rank {} is at {}", head.text(), r, other.text()));
      if (bytes > 0)
        std::memcpy(static_cast<char*>(of_all) + std::size_t(r) * bytes, of_rank(r) + sizeof head, bytes);
    }
  }

  void send(const void* data, std::size_t bytes, int to) override {
    messages_.send(data, bytes, to, pass_tag);
    messages_.wait([] { return "to receive a message"; });
  }
  void receive(void* data, std::size_t bytes, int from) override {
    messages_.receive(data, bytes, from, pass_tag);
    messages_.wait([] { return "to send a message"; });
  }

  std::unique_ptr<GhostExchange> exchange(const Partition& partition, const AnyView& field) override {
    std::vector<AnyView> fields(static_cast<std::size_t>(count_));
    gather("preparing an exchange", &field, sizeof field, fields.data());
    std::vector<GhostRounds> rounds;
    for (int r = 0; r < count_; ++r) rounds.push_back(ghost_rounds(partition, r, fields));
    return mpi_exchange(messages_, rank_, exchanges_++, rounds);
  }

  std::unique_ptr<BufferExchange> buffers(const std::vector<RankMessage>& sent,
                                          const std::vector<RankMessage>& received) override {
    check_messages(*this, sent, received);
    return mpi_buffers(messages_, exchanges_++, sent, received);
  }

 private:
  MpiMessages messages_;
  int rank_ = 0, count_ = 1;
  std::size_t exchanges_ = 0;
  std::vector<char> gathered_;
};

}  // namespace

const CfdmarkMpi& open_mpi(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = library ? dlsym(library, "cfdmark_mpi") : nullptr;
  if (!found) throw std::runtime_error(fmt::format("cannot open the module for MPI: {}", dlerror()));
  const CfdmarkMpi& mpi = *reinterpret_cast<decltype(&cfdmark_mpi)>(found)();
  if (mpi.version != cfdmark_mpi_version)
    throw std::runtime_error(fmt::format("{} has interface {}, but this program needs {}: rebuild it", file,
                                         mpi.version, cfdmark_mpi_version));
  return mpi;
}

std::unique_ptr<Ranks> join_by_mpi(const CfdmarkMpi& mpi, RankPatience patience) {
  return std::make_unique<MpiRanks>(mpi, std::move(patience));
}

}  // namespace cfdmark
