#include "tests/cuda_emulation/stream_order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "kernels/device/cuda/plan/stream_call.hpp"

namespace cfdmark::emulation {
namespace {

int stream_of(const Work& work) {
  if (const auto* launch = std::get_if<Launch>(&work)) return launch->stream;
  if (const auto* upload = std::get_if<Upload>(&work)) return upload->stream;
  if (const auto* call = std::get_if<HostCall>(&work)) return stream_of(*call);
  if (const auto* join = std::get_if<Join>(&work)) return join->to;
  return 0;
}

class Order {
 public:
  explicit Order(const std::vector<Work>& work) : waits_for_(work.size()), placed_(work.size(), false) {
    std::map<int, std::size_t> last;  // per stream
    for (std::size_t n = 0; n < work.size(); ++n) {
      const auto wait_for = [&](int stream) {
        if (const auto found = last.find(stream); found != last.end()) waits_for_[n].push_back(found->second);
      };
      wait_for(stream_of(work[n]));
      if (const auto* join = std::get_if<Join>(&work[n])) wait_for(join->from);
      last[stream_of(work[n])] = n;
    }
  }
  void place(std::size_t n) {
    if (placed_[n]) return;
    placed_[n] = true;
    for (std::size_t before : waits_for_[n]) place(before);
    order_.push_back(n);
  }
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::vector<std::vector<std::size_t>> waits_for_;
  std::vector<bool> placed_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<std::size_t> order_of(const std::vector<Work>& work, int first) {
  Order order(work);
  for (std::size_t n = 0; n < work.size(); ++n)
    if (stream_of(work[n]) == first) order.place(n);
  for (std::size_t n = 0; n < work.size(); ++n) order.place(n);
  return order.order();
}

std::vector<Upload> on_their_way(const std::vector<Work>& work) {
  std::vector<Upload> uploads;
  std::set<int> joined{0};
  for (const Work& w : work) {
    if (const auto* join = std::get_if<Join>(&w)) joined.insert(join->to);
    if (const auto* upload = std::get_if<Upload>(&w); upload && !joined.contains(upload->stream))
      uploads.push_back(*upload);
  }
  return uploads;
}

int count_streams(const std::vector<Work>& work) {
  int streams = 1;
  for (const Work& w : work) streams = std::max(streams, stream_of(w) + 1);
  return streams;
}

}  // namespace cfdmark::emulation
