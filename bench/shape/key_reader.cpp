#include "bench/shape/key_reader.hpp"

#include <charconv>
#include <cmath>

namespace cfdmark {

void KeyReader::read_map(const YAML::Node& map, const std::string& expected, const Readers& readers) const {
  std::vector<std::string> names;
  for (const auto& [name, _] : readers) names.push_back(name);
  for (const Entry& entry : file_.entries(map, expected)) {
    const auto reader =
        std::find_if(readers.begin(), readers.end(), [&](const auto& r) { return r.first == entry.key; });
    if (reader == readers.end())
      file_.fail(entry.mark, fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(names),
                                         did_you_mean(entry.key, names)));
    reader->second(entry);
  }
}

std::string KeyReader::choice(const YAML::Node& node, const std::vector<std::string>& words) const {
  const std::string word = file_.word(node, one_of(words));
  if (std::find(words.begin(), words.end(), word) == words.end())
    file_.fail(node.Mark(),
               fmt::format("found '{}'; expected {}{}", word, one_of(words), did_you_mean(word, words)));
  return word;
}

std::pair<double, bool> KeyReader::with_unit(const YAML::Node& node, const std::string& unit,
                                             const std::string& expected) const {
  std::string text = file_.word(node, expected);
  const bool has_unit = text.ends_with(unit);
  if (has_unit) text.erase(text.size() - unit.size());
  text.erase(text.find_last_not_of(' ') + 1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !(value >= 0) || !std::isfinite(value))
    file_.fail(node.Mark(), fmt::format("found '{}'; expected {}", node.Scalar(), expected));
  return {value, has_unit};
}

}  // namespace cfdmark
