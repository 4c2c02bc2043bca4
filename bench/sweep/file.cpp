#include "bench/sweep/file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

// Returns a suggestion for a missing file: the closest name in its folder.
std::string did_you_mean_file(const std::filesystem::path& path) {
  std::vector<std::string> files;
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
    files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  const std::string nearest = nearest_word(path.filename().string(), files);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", (folder / nearest).string());
}

std::string contents(const std::string& path, const std::string& kind) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char block[4096];
  while (file.read(block, sizeof block), file.gcount() > 0) text.append(block, std::size_t(file.gcount()));
  if (!file.is_open() || file.bad()) {
    const int error = errno;
    throw SweepError(fmt::format("{}: cannot read the {}: {}{}", path, kind,
                                 error ? std::strerror(error) : "input error",
                                 error == ENOENT ? did_you_mean_file(path) : ""));
  }
  return text;
}

// Describes a node for an error message.
std::string description(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  if (node.IsNull()) return "nothing";
  return fmt::format("'{}'", node.Scalar());
}

// Finds where a document begins. (YAML::LoadAll would too, but does not terminate on a text such as ", 1".).
class DocumentStart final : public YAML::EventHandler {
 public:
  YAML::Mark mark;

  void OnDocumentStart(const YAML::Mark& at) override { mark = at; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}
};

}  // namespace

SweepFile::SweepFile(std::string path, const std::string& kind, const std::string& keys)
    : path_(std::move(path)) {
  const std::string text = contents(path_, kind);
  try {
    root_ = YAML::Load(text);
    if (!root_ || !root_.IsMap()) fail(root_ ? root_.Mark() : YAML::Mark(), "expected a map with " + keys);
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentStart start;
    if (parser.HandleNextDocument(start) && parser.HandleNextDocument(start))
      fail(start.mark, "a second document begins here; expected one per file");
  } catch (const YAML::Exception& e) {
    fail(e.mark, fmt::format("invalid YAML: {}", e.msg));
  }
}

void SweepFile::fail(const YAML::Mark& at, const std::string& complaint) const {
  throw SweepError(
      fmt::format("{}:{}:{}: {}", path_, std::max(at.line, 0) + 1, std::max(at.column, 0) + 1, complaint));
}

std::vector<Entry> SweepFile::entries(const YAML::Node& map, const std::string& expected) const {
  if (!map.IsMap()) fail(map.Mark(), fmt::format("found {}; expected {}", description(map), expected));
  std::vector<Entry> found;
  for (const auto& pair : map) {
    const YAML::Mark mark = pair.first.Mark();
    if (!pair.first.IsScalar())
      fail(mark, fmt::format("found {} as a key; expected a word", description(pair.first)));
    const std::string key = pair.first.Scalar();
    for (const Entry& earlier : found)
      if (earlier.key == key)
        fail(mark, fmt::format("'{}' is set twice; expected once (it is first set in line {})", key,
                               earlier.mark.line + 1));
    if (pair.second.IsNull()) fail(mark, fmt::format("'{}' has no value; expected one", key));
    found.push_back({key, mark, pair.second});
  }
  return found;
}

std::vector<YAML::Node> SweepFile::items(const Entry& entry, const std::string& expected) const {
  if (!entry.value.IsSequence()) return {entry.value};
  const std::vector<YAML::Node> found(entry.value.begin(), entry.value.end());
  if (found.empty()) fail(entry.value.Mark(), fmt::format("'{}' is empty; expected {}", entry.key, expected));
  return found;
}

std::string SweepFile::word(const YAML::Node& node, const std::string& expected) const {
  if (!node.IsScalar() || node.Scalar().empty())
    fail(node.Mark(), fmt::format("found {}; expected {}", description(node), expected));
  return node.Scalar();
}

int SweepFile::integer(const YAML::Node& node, int low, const std::string& expected) const {
  int value = 0;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value < low)
    fail(node.Mark(), fmt::format("found {}; expected {}", description(node), expected));
  return value;
}

double SweepFile::number(const YAML::Node& node, const std::string& expected) const {
  double value = 0;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value))
    fail(node.Mark(), fmt::format("found {}; expected {}", description(node), expected));
  return value;
}

double SweepFile::positive(const YAML::Node& node, const std::string& expected) const {
  const double value = number(node, expected);
  if (!(value > 0)) fail(node.Mark(), fmt::format("found {}; expected {}", description(node), expected));
  return value;
}

}  // namespace cfdmark
