// Compiled device code on disk, one file per request, in a folder private to this user. A missing or damaged
// file, or one that others can write, is compiled again. If the folder is unknown, not writable or owned by
// another user, nothing is cached and one warning is printed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/device/cuda/jit/nvrtc.hpp"

namespace cfdmark {

class DeviceCodeCache {
 public:
  explicit DeviceCodeCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // Returns the cache in folder nvrtc of $CFDMARK_CACHE_DIR, else $XDG_CACHE_HOME/cfdmark, else
  // ~/.cache/cfdmark. Without a home directory nothing is cached.
  static DeviceCodeCache of_user();

  // Returns the cached code, or compiles and stores it. Throws DeviceCodeError.
  DeviceCode get(const DeviceCodeRequest&);

  std::optional<DeviceCode> find(const std::string& key) const;
  void keep(const std::string& key, const DeviceCode&);

  // Returns the file for a key. Different keys can share a file name; the file contains the full key.
  std::filesystem::path file_of(const std::string& key) const;
  // Reason why the last file could not be written; empty if it was written.
  const std::string& problem() const { return problem_; }

 private:
  void warn_once(const std::string& problem);

  std::filesystem::path folder_;
  std::string problem_;
};

}  // namespace cfdmark
