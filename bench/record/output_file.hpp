// How files are written that another process may write or read at the same time.
// scripts/cfdmark/output.py follows the same protocol for Python.
#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace cfdmark {

// A file that could not be written; the message names it, says why, and what became of the lines before.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Replaces a file as a whole: the text is written to a new file in the same folder, which then takes
// the place of `path`, so that a full disk, a kill or a reader at the same time never finds half a file. A
// pipe or a device is written in place. Throws WriteError; the earlier file is then unchanged. A user may
// have chosen a symbolic link as an output: it is followed. In a folder that others can write, a link may be
// theirs: there it is replaced.
enum class Links { follow, replace };
void replace_file(const std::string& path, const std::string& text, Links links = Links::follow);
void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                  Links links = Links::follow);

// Opens a file with open(2)'s `flags` and takes its exclusive lock (flock), for which it waits up to
// `seconds`. A file that was replaced during the wait is opened again, so the descriptor is of the file that
// `path` names now. Throws WriteError if it cannot be opened, or if another process keeps the lock.
int open_locked(const std::string& path, int flags, double seconds);

// True if `path` still names the open file `fd`: it was not removed or replaced.
bool is_file_at(int fd, const std::string& path);

}  // namespace cfdmark
