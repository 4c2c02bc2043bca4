#include "bench/sweep/series.hpp"

#include <fmt/format.h>

#include <bit>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

// Of one series; more indicates a mistake, and would exceed the size of a sweep.
constexpr int most_values = 100'000;

struct Reader {
  const SweepFile& file;
  std::optional<int> max;

  int count(const YAML::Node& node) const {
    if (max && node.IsScalar() && node.Scalar() == "max") return *max;
    return file.integer(node, 1, max ? "an integer from 1, or max" : "an integer from 1");
  }

  // Returns LOW, HIGH and further numbers of a series' list.
  std::vector<int> bounds(const Entry& rule, std::size_t most, const std::string& expected) const {
    if (!rule.value.IsSequence() || rule.value.size() < 2 || rule.value.size() > most)
      file.fail(rule.value.Mark(), fmt::format("invalid bounds of '{}'; expected {}", rule.key, expected));
    std::vector<int> numbers;
    for (const auto& node : rule.value) numbers.push_back(count(node));
    if (numbers[0] > numbers[1])
      file.fail(rule.value.Mark(),
                fmt::format("'{}' runs from {} down to {}; expected {} with LOW at most HIGH", rule.key,
                            numbers[0], numbers[1], expected));
    return numbers;
  }

  std::vector<int> powers_of_two(const Entry& rule) const {
    const std::vector<int> ends = bounds(rule, 2, "[LOW, HIGH]");
    for (std::size_t n = 0; n < 2; ++n) {
      const unsigned below = std::bit_floor(unsigned(ends[n]));
      const bool is_max = rule.value[n].Scalar() == "max";  // then the largest power up to it is used
      if (!is_max && below != unsigned(ends[n]))
        file.fail(rule.value[n].Mark(), fmt::format("{} is not a power of two; expected one such as {} or {}",
                                                    ends[n], below, 2ll * below));
    }
    std::vector<int> values;
    for (long long value = std::bit_floor(unsigned(ends[0])); value <= ends[1]; value *= 2)
      values.push_back(int(value));
    return values;
  }

  std::vector<int> range(const Entry& rule) const {
    std::vector<int> numbers = bounds(rule, 3, "[LOW, HIGH] or [LOW, HIGH, STEP]");
    const long long step = numbers.size() == 3 ? numbers[2] : 1;
    if ((numbers[1] - numbers[0]) / step >= most_values)
      file.fail(rule.value.Mark(), fmt::format("'{}' has {} values; expected at most {}", rule.key,
                                               (numbers[1] - numbers[0]) / step + 1, most_values));
    std::vector<int> values;
    for (long long value = numbers[0]; value <= numbers[1]; value += step) values.push_back(int(value));
    return values;
  }
};

}  // namespace

Series read_series(const SweepFile& file, const YAML::Node& map, SeriesUse use, std::optional<int> max) {
  const Reader reader{file, max};
  const std::vector<std::string> rules = {"powers_of_two", "range"};
  std::vector<std::string> keys = {"powers_of_two", "range", "plus"};
  if (use == SeriesUse::grids) keys.push_back("dims");

  Series series;
  int plus = 0, rules_found = 0;
  for (const Entry& entry : file.entries(map, "a series")) {
    if (entry.key == "powers_of_two" || entry.key == "range") {
      if (++rules_found > 1)
        file.fail(entry.mark, fmt::format("a series has two rules; expected {}", one_of(rules)));
      series.values = entry.key == "range" ? reader.range(entry) : reader.powers_of_two(entry);
    } else if (entry.key == "plus") {
      plus = file.integer(entry.value, 0, "an integer from 0");
    } else if (entry.key == "dims" && use == SeriesUse::grids) {
      series.dims = file.integer(entry.value, 2, "2 or 3");
      if (series.dims > 3)
        file.fail(entry.value.Mark(), fmt::format("found '{}'; expected 2 or 3", series.dims));
    } else {
      file.fail(entry.mark, fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(keys),
                                        did_you_mean(entry.key, keys)));
    }
  }
  if (rules_found == 0)
    file.fail(map.Mark(), fmt::format("a series has no rule; expected {}", one_of(rules)));
  for (int& value : series.values) {
    if (value > 1'000'000'000 - plus) file.fail(map.Mark(), fmt::format("{} + {} is too large", value, plus));
    value += plus;
  }
  return series;
}

}  // namespace cfdmark
