// Tests tagged [fake_nccl] and [old_nccl] run in processes of their own, which find
// tests/kernels/fake_nccl.cpp in place of NCCL.
#include "kernels/device/library/nccl.hpp"

#include <cstdlib>
#include <string>

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("without a device NCCL gives a reason and joins nothing", "[cuda][nccl]") {
  if (cuda_device_count() > 0) {
    WARN("skipped: there is a device");
    return;
  }
  if (const std::string reason = nccl_unavailable(); !reason.empty())
    CHECK_THROWS_WITH(NcclRanks({0}), ContainsSubstring(reason));
  else
    CHECK_THROWS_WITH(NcclRanks({0}), ContainsSubstring("NCCL: join the devices: "));
}

TEST_CASE("ranks joined by NCCL exchange messages and sums, with NVLink multicast off", "[.][fake_nccl]") {
  setenv("NCCL_NVLS_ENABLE", "1", 1);  // what the environment says does not count
  REQUIRE(nccl_unavailable() == "");
  CHECK(nccl_version() == "2.28.3");
  const NcclRanks ranks({0, 1, 2});
  REQUIRE(ranks.count() == 3);
  CHECK(std::string(std::getenv("NCCL_NVLS_ENABLE")) == "0");
  double sent[] = {10, 11, 12}, received[] = {0, 0, 0}, sums[] = {1, 2, 4};
  together([&] {
    for (int r = 0; r < 3; ++r)  // around a ring
      ranks.messages(r, {{.other = (r + 1) % 3, .send = &sent[r], .bytes = sizeof(double)},
                         {.other = (r + 2) % 3, .receive = &received[r], .bytes = sizeof(double)}})({});
  });
  CHECK(received[0] == 12);
  CHECK(received[1] == 10);
  CHECK(received[2] == 11);
  together([&] {
    for (int r = 0; r < 3; ++r) ranks.sum(r, &sums[r], 1)({});
  });
  for (const double sum : sums) CHECK(sum == 7);
  CHECK_THROWS_WITH(ranks.messages(0, {{.other = 1, .send = &sent[0], .bytes = sizeof(double)}})({}),
                    ContainsSubstring("NCCL: end a group: "));
}

TEST_CASE("ranks that join NCCL one by one exchange messages", "[.][fake_nccl]") {
  const GroupId id = NcclRank::new_id();
  const NcclRank first(id, 2, 0), second(id, 2, 1);
  double sent[] = {10, 11}, received[] = {0, 0};
  together([&] {
    first.messages({{.other = 1, .send = &sent[0], .bytes = sizeof(double)},
                    {.other = 1, .receive = &received[0], .bytes = sizeof(double)}})({});
    second.messages({{.other = 0, .receive = &received[1], .bytes = sizeof(double)},
                     {.other = 0, .send = &sent[1], .bytes = sizeof(double)}})({});
  });
  CHECK(received[0] == 11);
  CHECK(received[1] == 10);
  CHECK_THROWS_WITH(NcclRank(id, 2, 2), ContainsSubstring("NCCL: join the ranks: "));
}

TEST_CASE("an NCCL before 2.15.1 is refused", "[.][old_nccl]") {
  CHECK(nccl_unavailable() == "NCCL 2.14.3 is too old: install 2.15.1 or newer");
  CHECK_THROWS_WITH(NcclRanks({0, 1}), ContainsSubstring("2.15.1"));
}
