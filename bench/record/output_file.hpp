// Writing files that other processes may access at the same time. scripts/cfdmark/output.py follows
// the same protocol in Python.
#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace cfdmark {

// A file could not be written. The message names it, the cause, and the fate of earlier lines.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Replaces a file atomically: writes a new file in the same folder, then renames it to `path`, so that
// neither a full disk nor a kill nor a concurrent reader sees half a file. A pipe or a device is written in
// place. Throws WriteError; the earlier file is then unchanged.
// `follow` writes through a symbolic link, which the user may have chosen. `replace` replaces the link: in a
// folder that others can write it may be theirs.
enum class Links { follow, replace };
void replace_file(const std::string& path, const std::string& text, Links links = Links::follow);
void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                  Links links = Links::follow);

// Opens a file with the `flags` of open(2) and takes its exclusive lock (flock), waiting up to `seconds`. If
// the file was replaced meanwhile, the new one is opened, so the descriptor refers to what `path` names now.
// Throws WriteError if it cannot be opened, or if another process keeps the lock.
int open_locked(const std::string& path, int flags, double seconds);

// Returns true if `path` still names the open file `fd`, so it was not removed or replaced.
bool is_file_at(int fd, const std::string& path);

}  // namespace cfdmark
