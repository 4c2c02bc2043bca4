#include "kernels/device/cuda/jit/nvrtc_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "cfdmark device code 1\n";

// FNV-1a: names a file and detects damage. Keys are compared in full, so a collision only costs a
// compilation.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

// Returns a string preceded by its length.
std::string block(std::string_view text) { return fmt::format("{}\n{}\n", text.size(), text); }

// Removes the first block of `rest` and returns its text.
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
    const auto end =
        std::min(lines.find('\n'), lines.size() - 1);  // the last line of a truncated text has no newline
    words.emplace_back(lines.substr(0, lines[end] == '\n' ? end : end + 1));
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

std::runtime_error failed(const char* what, const fs::path& path) {
  return std::runtime_error(
      fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno ? errno : EIO)));
}

// Returns true if the file belongs to this user and only this user may change it: cached code runs with this
// user's rights.
bool is_own(const struct stat& file) {
  return file.st_uid == geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Creates the folder if needed and makes it private to this user.
void make_private(const fs::path& folder) {
  fs::create_directories(folder);
  struct stat facts {};
  if (lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) throw failed("use the folder", folder);
  if (facts.st_uid != geteuid())
    throw std::runtime_error(fmt::format("{} belongs to another user", folder.string()));
  if ((facts.st_mode & 07777) != 0700 && chmod(folder.c_str(), 0700) != 0) throw failed("protect", folder);
}

// Writes to an unpredictable temporary name and renames it, so that no other process reads a partial file.
void write_whole(const fs::path& place, const std::string& text) {
  std::string beside = place.string() + ".XXXXXX";
  const int file = mkostemp(beside.data(), O_CLOEXEC);
  if (file < 0) throw failed("write", place);
  bool good = true;
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    good = n > 0 || (n < 0 && errno == EINTR);
    if (n > 0) done += std::size_t(n);
  }
  if (close(file) != 0 || !good || rename(beside.c_str(), place.c_str()) != 0) {
    const std::runtime_error problem = failed("write", place);
    unlink(beside.c_str());
    throw problem;
  }
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
  if (const fs::path home = variable("HOME"); !home.empty())
    return DeviceCodeCache(home / ".cache" / "cfdmark" / "nvrtc");
  return DeviceCodeCache({});
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
  if (folder_.empty()) return std::nullopt;
  const int file = open(file_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat facts {};
  std::string text;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && is_own(facts)) {
    text.resize(std::size_t(facts.st_size));
    if (read(file, text.data(), text.size()) != ssize_t(text.size())) text.clear();
  }
  close(file);
  return parse(text, key);
}

void DeviceCodeCache::keep(const std::string& key, const DeviceCode& code) {
  try {
    if (folder_.empty()) throw std::runtime_error("HOME is not set; set CFDMARK_CACHE_DIR to a folder");
    make_private(folder_);
    write_whole(file_of(key), file_text(key, code));
    problem_.clear();
  } catch (const std::exception& e) {
    warn_once(e.what());
  }
}

void DeviceCodeCache::warn_once(const std::string& problem) {
  static std::atomic<bool> warned = false;
  problem_ = problem;
  if (warned.exchange(true)) return;
  fmt::print(stderr, "cfdmark: compiled device code is not cached on disk: {}\n", problem);
}

}  // namespace cfdmark
