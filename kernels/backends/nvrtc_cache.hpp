// Compiled device code on disk, one file a request, in a folder of this user alone. A missing or damaged
// file, or one that another user owns or may write, means compiling again; a folder that cannot be written,
// belongs to somebody else or is not known means working without, after one warning.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/backends/nvrtc.hpp"

namespace cfdmark {

class DeviceCodeCache {
 public:
  explicit DeviceCodeCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // $CFDMARK_CACHE_DIR, else $XDG_CACHE_HOME/cfdmark, else ~/.cache/cfdmark; then nvrtc. Nowhere without a
  // home.
  static DeviceCodeCache of_user();

  // The code from the cache if it is there, else compiled and put there. Throws DeviceCodeError.
  DeviceCode get(const DeviceCodeRequest&);

  std::optional<DeviceCode> find(const std::string& key) const;
  void keep(const std::string& key, const DeviceCode&);

  // Where the code for a key lies. Two keys can meet in one file: the file says whose it is.
  std::filesystem::path file_of(const std::string& key) const;
  // Why the last file could not be written; empty if it could.
  const std::string& problem() const { return problem_; }

 private:
  void warn_once(const std::string& problem);

  std::filesystem::path folder_;
  std::string problem_;
};

}  // namespace cfdmark
