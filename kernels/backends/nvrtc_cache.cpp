#include "kernels/backends/nvrtc_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "cfdmark device code 1\n";

// FNV-1a: names a file and notices damage. Keys are compared in full, so a collision costs a compilation
// only.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

// A string with its length in front.
std::string block(std::string_view text) { return fmt::format("{}\n{}\n", text.size(), text); }

// Takes a block off the front of `rest`.
std::optional<std::string> take_block(std::string_view& rest) {
  const auto end = rest.find('\n');
  if (end == std::string_view::npos || end == 0 || end > 12) return std::nullopt;
  std::size_t size = 0;
  for (char digit : rest.substr(0, end)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    size = size * 10 + std::size_t(digit - '0');
  }
  rest.remove_prefix(end + 1);
  if (rest.size() < size + 1) return std::nullopt;
  std::string text(rest.substr(0, size));
  rest.remove_prefix(size + 1);
  return text;
}

std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& w : words) text += w + '\n';
  return text;
}

std::vector<std::string> words_of(std::string_view lines) {
  std::vector<std::string> words;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    words.emplace_back(lines.substr(0, end));
    lines.remove_prefix(end + 1);
  }
  return words;
}

std::string file_text(const std::string& key, const DeviceCode& code) {
  const std::string body = block(key) + block(lines_of(code.symbols)) + block(code.log) + block(code.cubin);
  return fmt::format("{}{:016x}\n{}", magic, hash(body), body);
}

std::optional<DeviceCode> parse(std::string_view text, const std::string& key) {
  if (!text.starts_with(magic)) return std::nullopt;
  text.remove_prefix(magic.size());
  const auto end = text.find('\n');
  if (end == std::string_view::npos ||
      text.substr(0, end) != fmt::format("{:016x}", hash(text.substr(end + 1))))
    return std::nullopt;
  text.remove_prefix(end + 1);
  if (take_block(text) != key) return std::nullopt;
  const auto symbols = take_block(text), log = take_block(text), cubin = take_block(text);
  if (!symbols || !log || !cubin) return std::nullopt;
  return DeviceCode{*cubin, words_of(*symbols), *log};
}

void write_whole(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

}  // namespace

DeviceCodeCache DeviceCodeCache::of_user() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (const fs::path own = variable("CFDMARK_CACHE_DIR"); !own.empty()) return DeviceCodeCache(own / "nvrtc");
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); !xdg.empty())
    return DeviceCodeCache(xdg / "cfdmark" / "nvrtc");
  return DeviceCodeCache(variable("HOME") / ".cache" / "cfdmark" / "nvrtc");
}

fs::path DeviceCodeCache::file_of(const std::string& key) const {
  return folder_ / fmt::format("{:016x}", hash(key));
}

DeviceCode DeviceCodeCache::get(const DeviceCodeRequest& request) {
  const std::string key = request.key();
  if (auto code = find(key)) return *code;
  DeviceCode code = compile_device_code(request);
  keep(key, code);
  return code;
}

std::optional<DeviceCode> DeviceCodeCache::find(const std::string& key) const {
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  return parse(std::string(std::istreambuf_iterator<char>(file), {}), key);
}

// Written beside its place and then renamed, so that another process never reads half a file.
void DeviceCodeCache::keep(const std::string& key, const DeviceCode& code) {
  const fs::path place = file_of(key);
  const fs::path beside = place.string() + fmt::format(".{}", getpid());
  try {
    fs::create_directories(folder_);
    write_whole(beside, file_text(key, code));
    fs::rename(beside, place);
    problem_.clear();
  } catch (const std::exception& e) {
    std::error_code ignored;
    fs::remove(beside, ignored);
    warn_once(e.what());
  }
}

void DeviceCodeCache::warn_once(const std::string& problem) {
  static std::atomic<bool> warned = false;
  problem_ = problem;
  if (warned.exchange(true)) return;
  fmt::print(stderr, "cfdmark: compiled device code is not kept on disk: {}\n", problem);
}

}  // namespace cfdmark
