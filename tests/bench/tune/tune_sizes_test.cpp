// The sizes of a tune.
#include "bench/tune/tune_sizes.hpp"

#include "bench/case/case.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// "64x64 128x128:3"
std::string sizes(const AskedSizes& asked, int dims = 2) {
  std::string text;
  for (const WeightedGrid& size : sizes_from(asked, dims)) {
    text += (text.empty() ? "" : " ") + grid_text(size.grid);
    if (size.weight != 1) text += ":" + std::to_string(int(size.weight));
  }
  return text;
}

AskedSizes ladder(const std::string& text, int steps = 1) { return {{}, {text}, steps, false}; }

}  // namespace

TEST_CASE("a ladder has equal ratios of at most two from its first size to its last", "[tune][sizes]") {
  CHECK(sizes(ladder("256..2048")) == "256x256 512x512 1024x1024 2048x2048");
  CHECK(sizes(ladder("256..1024", 2)) == "256x256 362x362 512x512 724x724 1024x1024");
  CHECK(sizes(ladder("200..900")) == "200x200 330x330 545x545 900x900");  // by 4.5^(1/3)
  CHECK(sizes(ladder("16x16x16..64x64x64")) == "16x16x16 32x32x32 64x64x64");
  CHECK(sizes(ladder("16..64"), 3) == "16x16x16 32x32x32 64x64x64");
  CHECK(sizes(ladder("64x32..256x64")) == "64x32 128x45 256x64");
  CHECK(sizes(ladder("100..100")) == "100x100");
}

TEST_CASE("grids are added to a ladder, and one already in it only sets its weight", "[tune][sizes]") {
  AskedSizes asked = ladder("64..128");
  asked.grids = {"100x100"};
  CHECK(sizes(asked) == "64x64 128x128 100x100");
  asked.grids = {"128x128:3", "100x100"};
  asked.one_answer = true;
  CHECK(sizes(asked) == "64x64 128x128:3 100x100");
}

TEST_CASE("invalid sizes are errors that name the option and the value", "[tune][sizes]") {
  const auto complaint = [](const AskedSizes& asked) -> std::string {
    try {
      sizes(asked);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "none";
  };
  for (const char* text : {"512..64", "64", "..64", "64..many", "0..64", "64..99999999", "64x64..64x64x64"})
    CHECK_THAT(complaint(ladder(text)),
               ContainsSubstring("--ladder " + std::string(text)) && ContainsSubstring("FIRST..LAST"));
  CHECK_THAT(complaint(ladder("64..many")), ContainsSubstring("'many'"));
  CHECK_THAT(complaint(ladder("0..64")), ContainsSubstring("'0x0'"));
  CHECK_THAT(complaint(ladder("64..99999999")), ContainsSubstring(std::to_string(longest_side)));
  CHECK_THAT(complaint(ladder("1..1000000", 16)),
             ContainsSubstring("--ladder 1..1000000") && ContainsSubstring(" 64 "));  // most steps
  CHECK_THAT(complaint({{"64x64", "64x64"}, {}, 1, false}), ContainsSubstring("--grid 64x64"));
  CHECK_THAT(complaint({{"64x64:1", "64x64:2"}, {}, 1, true}), ContainsSubstring("--grid 64x64"));
  for (const char* weight : {"", "0", "-1", "x", "3x", "inf", "nan"})
    CHECK_THAT(complaint({{"64x64:" + std::string(weight)}, {}, 1, true}),
               ContainsSubstring("--grid 64x64:" + std::string(weight)) && ContainsSubstring("64x64:3"));
  CHECK_THAT(complaint({{"64x64:2"}, {}, 1, false}),
             ContainsSubstring("--grid 64x64:2") && ContainsSubstring("--one-answer"));
}
