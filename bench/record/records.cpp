#include "bench/record/records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/record/record_check.hpp"
#include "bench/text/printable.hpp"

namespace cfdmark {
namespace {

// A merge holds a file's lock for less time, a run for its whole duration.
constexpr double seconds_to_wait = 3;

void to_disk(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // Some file systems do not support fsync.
  const bool is_on_disk = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL || errno == EROFS);
  const int error = errno;
  if (fd >= 0) close(fd);
  if (!is_on_disk) throw WriteError(fmt::format("cannot finish writing {}: {}", path, std::strerror(error)));
}

// Copies a file to PATH.bak, or PATH.bak.2 and so on, without overwriting an earlier copy.
std::string copied_aside(const std::string& path) {
  namespace fs = std::filesystem;
  for (int number = 1;; ++number) {
    const std::string backup = path + (number == 1 ? ".bak" : fmt::format(".bak.{}", number));
    std::error_code error;
    fs::copy_file(path, backup, fs::copy_options::none, error);
    if (!error) {
      to_disk(backup);
      return backup;
    }
    if (error == std::errc::file_exists) continue;
    std::error_code ignored;
    fs::remove(backup, ignored);
    throw WriteError(fmt::format("cannot copy {} to {}: {}", path, backup, error.message()));
  }
}

// Digits of what a clock measured, and of histories.
constexpr int time_digits = 7, history_digits = 6;

// Whole numbers, which may be counts, stay exact.
void round_to(int digits, Json& json) {
  if (json.is_number_float()) {
    const double value = json.get<double>();
    if (value != std::floor(value))
      json = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  }
  if (json.is_structured())
    for (Json& part : json) round_to(digits, part);
}

Json rounded_record(Json record) {
  for (const char* part : {"time", "rate", "roof", "energy", "overhead"})
    if (record.contains(part)) round_to(time_digits, record[part]);
  if (!record.contains("solver")) return record;
  Json& solver = record["solver"];
  if (solver.contains("time_per_iteration")) round_to(time_digits, solver["time_per_iteration"]);
  for (const char* history : {"history", "error_history"})
    if (solver.contains(history)) round_to(history_digits, solver[history]);
  return record;
}

}  // namespace

RecordWriter::RecordWriter(std::string path) : path_(std::move(path)) {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw WriteError(fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
  fd_ = open_locked(path_, O_RDWR | O_APPEND | O_CREAT, seconds_to_wait);
  try {
    struct stat info {};
    is_regular_ = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    end_ = is_regular_ ? info.st_size : 0;
    end_cut_off_line();
  } catch (...) {
    close(fd_);
    throw;
  }
}

RecordWriter::~RecordWriter() { close(fd_); }

std::string RecordWriter::start_over() {
  if (!is_regular_ || end_ == 0) return "";
  const std::string backup = copied_aside(path_);
  if (ftruncate(fd_, 0) != 0) fail("cannot empty");
  end_ = 0;
  return backup;
}

void RecordWriter::append(const Json& line) {
  check_in_place();
  write_all(one_line(line.value("type", "") == "record" ? rounded_record(line) : line) + '\n');
}

void RecordWriter::sync() {
  check_in_place();
  // EINVAL: pipes and terminals do not support fsync.
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot finish writing");
}

// Text written to a file that its path no longer names would be lost, so the run must report it.
void RecordWriter::check_in_place() const {
  if (!is_regular_) return;
  if (!is_file_at(fd_, path_))
    throw WriteError(fmt::format(
        "{} was removed or replaced while it was written: it lacks the records measured since; run the "
        "same command again, and do not change the file during the run",
        path_));
  struct stat info {};
  if (fstat(fd_, &info) == 0 && info.st_size < end_)
    throw WriteError(
        fmt::format("{} was truncated by another program while it was written: records are missing; run the "
                    "same command again, and do not change the file during the run",
                    path_));
}

void RecordWriter::fail(const std::string& what) const {
  throw WriteError(fmt::format("{} {}: {}; earlier lines are kept", what, path_, std::strerror(errno)));
}

void RecordWriter::write_all(const std::string& text) {
  const off_t before = lseek(fd_, 0, SEEK_END);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += std::size_t(n);
    } else if (errno != EINTR) {
      const int error = errno;
      // A full disk may have kept the beginning of the line. If it cannot be removed, nothing is lost, since
      // readers skip incomplete lines.
      [[maybe_unused]] const int ignored = before >= 0 ? ftruncate(fd_, before) : 0;
      errno = error;
      fail("cannot write");
    }
  }
  end_ = std::max<std::int64_t>(before, 0) + std::int64_t(text.size());
}

void RecordWriter::end_cut_off_line() {
  struct stat info {};
  if (fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  char last = '\n';
  if (pread(fd_, &last, 1, info.st_size - 1) == 1 && last != '\n') write_all("\n");
}

RecordFile read_records(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  const int error = std::filesystem::is_directory(path) ? EISDIR : errno;
  if (!file || error == EISDIR)
    throw std::invalid_argument(fmt::format("cannot read {}: {}", path, std::strerror(error)));
  RecordFile found;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) try {
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      found.lines.push_back(checked_line(text));
    } catch (const BadLine& problem) {
      found.warnings.push_back(
          fmt::format("{}:{}: line skipped: {}", printable(path), number, problem.what()));
      found.unknown_schema = found.unknown_schema || dynamic_cast<const UnknownSchema*>(&problem);
    }
  return found;
}

}  // namespace cfdmark
