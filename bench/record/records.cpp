#include "bench/record/records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/record/record_check.hpp"
#include "bench/record/schema_1.hpp"
#include "bench/record/twin_kernels.hpp"

namespace cfdmark {

RecordWriter::RecordWriter(std::string path) : path_(std::move(path)) {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw WriteError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  fd_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (fd_ < 0) throw WriteError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  try {
    if (flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw WriteError(fmt::format("cannot write {}: another run is writing it", path_));
    end_cut_off_line();
  } catch (...) {
    close(fd_);
    throw;
  }
}

RecordWriter::~RecordWriter() { close(fd_); }

void RecordWriter::append(const Json& line) { write_all(one_line(line) + '\n'); }

void RecordWriter::sync() {
  // EINVAL: what is not a file on a disk (a pipe, a terminal) has nothing to wait for.
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot finish writing");
}

void RecordWriter::fail(const std::string& what) const {
  throw WriteError(fmt::format("{} {}: {}; the lines before are kept", what, path_, std::strerror(errno)));
}

void RecordWriter::write_all(const std::string& text) {
  const off_t before = lseek(fd_, 0, SEEK_END);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += std::size_t(n);
    } else if (errno != EINTR) {
      const int error = errno;
      // A disk that fills up may have taken the beginning of the line. Readers pass over such a line, so if
      // it cannot be taken back nothing is lost.
      [[maybe_unused]] const int ignored = before >= 0 ? ftruncate(fd_, before) : 0;
      errno = error;
      fail("cannot write");
    }
  }
}

void RecordWriter::end_cut_off_line() {
  struct stat info {};
  if (fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  char last = '\n';
  if (pread(fd_, &last, 1, info.st_size - 1) == 1 && last != '\n') write_all("\n");
}

Json record_from_earlier(Json record) {
  if (record.value("schema", Json()) == 1) record = record_from_schema_1(std::move(record));
  return record_from_twins(std::move(record));
}

RecordFile read_records(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  const int error = std::filesystem::is_directory(path) ? EISDIR : errno;
  if (!file || error == EISDIR)
    throw std::runtime_error(fmt::format("cannot read {}: {}", path, std::strerror(error)));
  RecordFile found;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) try {
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      Json line = checked_line(text);
      found.lines.push_back(line["type"] == "record" ? record_from_earlier(std::move(line))
                                                     : std::move(line));
    } catch (const BadLine& problem) {
      found.warnings.push_back(fmt::format("{}:{}: line left out: {}", path, number, problem.what()));
      found.unknown_schema = found.unknown_schema || dynamic_cast<const UnknownSchema*>(&problem);
    }
  return found;
}

}  // namespace cfdmark
