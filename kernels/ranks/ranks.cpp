#include "kernels/ranks/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace cfdmark {

std::unique_ptr<BufferExchange> Ranks::buffers(const std::vector<RankMessage>&,
                                               const std::vector<RankMessage>&) {
  throw std::logic_error("these ranks exchange no buffers");
}

void Ranks::agree(const std::string& failure) {
  const std::size_t length = failure.size();
  std::vector<std::size_t> lengths(std::size_t(count()), 0);
  gather("agreement", &length, sizeof length, lengths.data());
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  if (longest == 0) return;
  std::string mine = failure, all(longest * lengths.size(), '\0');
  mine.resize(longest);
  gather("failure", mine.data(), longest, all.data());
  for (std::size_t r = 0; r < lengths.size(); ++r)
    if (lengths[r] > 0)
      throw std::runtime_error(
          fmt::format("rank {} of {}: {}", r, count(), all.substr(r * longest, lengths[r])));
}

}  // namespace cfdmark
