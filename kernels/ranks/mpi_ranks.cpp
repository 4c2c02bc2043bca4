#include "kernels/ranks/mpi_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <vector>

#include "kernels/ranks/ghost_rounds.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t largest_piece = std::size_t(1) << 30;  // bytes of one message of MPI
// Tags of messages. Exchanges have those from first_exchange_tag on; every MPI has tags up to 32767.
constexpr int pass_tag = 0, gather_tag = 1, first_exchange_tag = 2, exchange_tags = 30000;

// The head of each message of a gather: ranks at different calls find each other.
struct GatherHead {
  std::uint64_t bytes = 0;
  std::array<char, 48> what = {};

  bool operator==(const GatherHead&) const = default;
  std::string text() const { return fmt::format("'{}' of {} bytes", what.data(), bytes); }
};

// Messages on their way between this rank and others.
class Messages {
 public:
  Messages(const CfdmarkMpi& mpi, RankPatience patience) : mpi_(mpi), patience_(std::move(patience)) {}

  void send(const void* data, std::size_t bytes, int to, int tag) {
    in_pieces(bytes, [&](std::size_t at, std::size_t size) {
      CfdmarkMpiRequest request{};
      check(mpi_.send(static_cast<const char*>(data) + at, size, to, tag, &request), to);
      pending_.push_back({request, to, size, false});
    });
  }
  void receive(void* data, std::size_t bytes, int from, int tag) {
    in_pieces(bytes, [&](std::size_t at, std::size_t size) {
      CfdmarkMpiRequest request{};
      check(mpi_.receive(static_cast<char*>(data) + at, size, from, tag, &request), from);
      pending_.push_back({request, from, size, true});
    });
  }

  // Waits until all started messages are done. `what` names the wait in reports.
  template <class What>
  void wait(const What& what) {
    using Clock = std::chrono::steady_clock;
    progress();
    if (pending_.empty()) return;
    const Clock::time_point start = Clock::now();
    bool is_reported = false;
    for (int yields = 0;;) {
      progress();
      if (pending_.empty()) break;
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds < spin_) continue;
      if (++yields <= few_yields) {
        sched_yield();
        continue;
      }
      sleep(seconds < long_wait ? short_sleep : long_sleep);
      if (seconds < patience_.quiet) continue;
      const std::string missing = fmt::format("{} ({})", pending_ranks(), what());
      if (seconds > patience_.limit)
        throw std::runtime_error(fmt::format("waited {:g} s for {}", patience_.limit, missing));
      if (!is_reported && patience_.report) patience_.report(missing);
      is_reported = true;
    }
    waited_ += std::chrono::duration<double>(Clock::now() - start).count();
    if (is_reported && patience_.report) patience_.report("");
  }
  double waited() const { return waited_; }

  // Waits spin only where each rank has a processor of its own.
  void set_ranks_of_host(int ranks) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    sched_getaffinity(0, sizeof processors, &processors);
    spin_ = ranks <= CPU_COUNT(&processors) ? 50e-6 : 1e-6;
    prctl(PR_SET_TIMERSLACK, 1000);  // nanoseconds by which a sleep may last longer
  }

  const CfdmarkMpi& mpi() const { return mpi_; }

 private:
  struct Pending {
    CfdmarkMpiRequest request;
    int other;
    std::size_t bytes;
    bool receives;
  };

  template <class F>
  static void in_pieces(std::size_t bytes, const F& f) {
    for (std::size_t at = 0; at < bytes; at += largest_piece) f(at, std::min(bytes - at, largest_piece));
  }

  void check(int failed, int other) const {
    if (failed) throw std::runtime_error(fmt::format("a message with rank {}: {}", other, mpi_.error()));
  }

  void progress() {
    std::size_t kept = 0;
    for (Pending& one : pending_) {
      int done = 0;
      std::size_t bytes = 0;
      check(mpi_.test(&one.request, &done, &bytes), one.other);
      if (!done) pending_[kept++] = one;
      if (done && one.receives && bytes != one.bytes)
        throw std::logic_error(
            fmt::format("{} bytes are expected from rank {}, which sends {}", one.bytes, one.other, bytes));
    }
    pending_.resize(kept);
  }

  std::string pending_ranks() const {
    std::vector<int> ranks;
    for (const Pending& one : pending_) ranks.push_back(one.other);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::string text = ranks.size() > 1 ? "ranks" : "rank";
    for (const int rank : ranks) text += fmt::format("{} {}", rank == ranks.front() ? "" : ",", rank);
    return text;
  }

  // A yield gives the processor to another rank at once. But a process that yields again and again falls
  // behind all others that run: Linux 6.6 postpones it by a time slice for each yield. One that sleeps does
  // not.
  static constexpr int few_yields = 10;
  static constexpr long short_sleep = 5000, long_sleep = 100000;  // nanoseconds
  static constexpr double long_wait = 1e-3;                       // seconds
  static void sleep(long nanoseconds) {
    const timespec time{0, nanoseconds};
    nanosleep(&time, nullptr);
  }

  const CfdmarkMpi& mpi_;
  RankPatience patience_;
  double spin_ = 0;    // seconds before the first sleep of a wait
  double waited_ = 0;  // seconds in waits so far
  std::vector<Pending> pending_;
};

// A copy of ghosts whose other side is another process. Rows that are not contiguous pass through a buffer.
class RemoteCopy {
 public:
  RemoteCopy(const GhostCopy& copy, int other)
      : copy_(copy), other_(other), bytes_(std::size_t(copy.bytes())) {
    if (copy.ny > 1 || copy.nz > 1) buffer_.resize(bytes_);
  }

  int other() const { return other_; }
  std::size_t bytes() const { return bytes_; }
  // Returns the values to send.
  const char* packed() {
    if (buffer_.empty()) return copy_.from;
    in_rows([&](char* packed, int j, int k) {
      std::memcpy(packed, copy_.from + j * copy_.from_pitch + k * copy_.from_plane, copy_.row_bytes);
    });
    return buffer_.data();
  }
  // Returns the memory that receives values; unpack() then copies them to the ghosts.
  char* incoming() { return buffer_.empty() ? copy_.to : buffer_.data(); }
  void unpack() {
    if (buffer_.empty()) return;
    in_rows([&](const char* packed, int j, int k) {
      std::memcpy(copy_.to + j * copy_.to_pitch + k * copy_.to_plane, packed, copy_.row_bytes);
    });
  }

 private:
  template <class F>
  void in_rows(const F& f) {
    char* packed = buffer_.data();
    for (int k = 0; k < copy_.nz; ++k)
      for (int j = 0; j < copy_.ny; ++j, packed += copy_.row_bytes) f(packed, j, k);
  }

  GhostCopy copy_;
  int other_;
  std::size_t bytes_;
  std::vector<char> buffer_;
};

// The messages of a round. Two ranks list those between them in the same order, which MPI keeps.
struct MessageRound {
  std::vector<GhostCopy> own;
  std::vector<RemoteCopy> sent, received;
};

class MessageExchange final : public GhostExchange {
 public:
  // `rounds`: those of each rank. Addresses of other processes in them are not read.
  MessageExchange(Messages& messages, int rank, std::size_t number, const std::vector<GhostRounds>& rounds)
      : messages_(messages),
        number_(number),
        tag_(first_exchange_tag + int(number % std::size_t(exchange_tags))) {
    const GhostRounds& mine = rounds[std::size_t(rank)];
    for (std::size_t round = 0; round < mine.size(); ++round) {
      MessageRound made;
      made.own = mine[round].own;
      for (const GhostCopy& copy : mine[round].from_others) made.received.emplace_back(copy, copy.from_rank);
      for (std::size_t r = 0; r < rounds.size(); ++r)
        for (const GhostCopy& copy : rounds[r][round].from_others)
          if (copy.from_rank == rank) made.sent.emplace_back(copy, int(r));
      for (const RemoteCopy& copy : made.sent) {
        traffic_.bytes += double(copy.bytes());
        traffic_.messages += 1;
        traffic_.largest = std::max(traffic_.largest, double(copy.bytes()));
      }
      rounds_.push_back(std::move(made));
    }
  }

  void run() override {
    ++runs_;
    for (MessageRound& round : rounds_) {
      for (RemoteCopy& copy : round.received)
        messages_.receive(copy.incoming(), copy.bytes(), copy.other(), tag_);
      for (RemoteCopy& copy : round.sent) messages_.send(copy.packed(), copy.bytes(), copy.other(), tag_);
      for (const GhostCopy& copy : round.own) copy.run();
      messages_.wait([&] { return fmt::format("ghosts of exchange {}, run {}", number_, runs_); });
      for (RemoteCopy& copy : round.received) copy.unpack();
    }
  }
  const ExchangeTraffic& traffic() const override { return traffic_; }

 private:
  Messages& messages_;
  std::size_t number_;
  int tag_;
  std::uint64_t runs_ = 0;
  std::vector<MessageRound> rounds_;
  ExchangeTraffic traffic_;
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
    return std::make_unique<MessageExchange>(messages_, rank_, exchanges_++, rounds);
  }

 private:
  Messages messages_;
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
