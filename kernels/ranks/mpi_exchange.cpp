#include "kernels/ranks/mpi_exchange.hpp"

#include <cstdint>
#include <cstring>

namespace cfdmark {
namespace {

// Tags of messages of exchanges; lower ones are those of MpiRanks. Every MPI has tags up to 32767.
constexpr int first_exchange_tag = 2, exchange_tags = 30000;
int tag_of(std::size_t number) { return first_exchange_tag + int(number % std::size_t(exchange_tags)); }

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
  MessageExchange(MpiMessages& messages, int rank, std::size_t number, const std::vector<GhostRounds>& rounds)
      : messages_(messages), number_(number), tag_(tag_of(number)) {
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
  MpiMessages& messages_;
  std::size_t number_;
  int tag_;
  std::uint64_t runs_ = 0;
  std::vector<MessageRound> rounds_;
  ExchangeTraffic traffic_;
};

class MpiBuffers final : public BufferExchange {
 public:
  MpiBuffers(MpiMessages& messages, std::size_t number, const std::vector<RankMessage>& sent,
             const std::vector<RankMessage>& received)
      : messages_(messages), number_(number), sent_(with_memory(sent)), received_(with_memory(received)) {}

  char* outgoing(int n) override { return sent_[std::size_t(n)].data.data(); }
  void start() override {
    ++runs_;
    for (Buffer& b : received_) messages_.receive(b.data.data(), b.data.size(), b.rank, tag_of(number_));
    for (const Buffer& b : sent_) messages_.send(b.data.data(), b.data.size(), b.rank, tag_of(number_));
  }
  const char* incoming(int n) override {
    arrive();
    return received_[std::size_t(n)].data.data();
  }
  void finish() override { arrive(); }

 private:
  struct Buffer {
    int rank;
    std::vector<char> data;
  };
  static std::vector<Buffer> with_memory(const std::vector<RankMessage>& messages) {
    std::vector<Buffer> buffers;
    for (const RankMessage& m : messages) buffers.push_back({m.rank, std::vector<char>(m.bytes)});
    return buffers;
  }
  void arrive() {
    messages_.wait([&] { return fmt::format("buffers of exchange {}, run {}", number_, runs_); });
  }

  MpiMessages& messages_;
  std::size_t number_;
  std::uint64_t runs_ = 0;
  std::vector<Buffer> sent_, received_;
};

}  // namespace

std::unique_ptr<GhostExchange> mpi_exchange(MpiMessages& messages, int rank, std::size_t number,
                                            const std::vector<GhostRounds>& rounds) {
  return std::make_unique<MessageExchange>(messages, rank, number, rounds);
}

std::unique_ptr<BufferExchange> mpi_buffers(MpiMessages& messages, std::size_t number,
                                            const std::vector<RankMessage>& sent,
                                            const std::vector<RankMessage>& received) {
  return std::make_unique<MpiBuffers>(messages, number, sent, received);
}

}  // namespace cfdmark
