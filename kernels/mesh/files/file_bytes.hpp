// Whole files: read into memory, or replaced at once.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace cfdmark {

// The bytes of a regular file, read when it is constructed. Throws MeshFileError (unreadable, truncated).
class FileBytes {
 public:
  explicit FileBytes(const std::string& path);
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

// Replaces a file with what `write` writes: a file next to it first, then renamed, so that no reader sees
// half of it. Throws MeshFileError (unwritable); the earlier file is then unchanged.
void write_whole_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace cfdmark
