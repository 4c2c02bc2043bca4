// A run's file: one JSON object a line, only ever appended to (results/README.md says what the lines hold).
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

// A file that could not be written; the message names it, says why, and what became of the lines before.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class RecordWriter {
 public:
  // Creates the file and its folders, or opens it to append: a last line that was cut off is ended first.
  // Only one writer may hold a file. Throws WriteError.
  explicit RecordWriter(std::string path);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  // One write of one line. If it fails the file keeps its whole lines and nothing of this one. Throws
  // WriteError.
  void append(const Json& line);
  // Waits until everything is on the disk. Throws WriteError.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void write_all(const std::string& text);
  void end_cut_off_line();

  std::string path_;
  int fd_ = -1;
};

// A record of a program of before as this program would write it.
Json record_from_earlier(Json record);

struct RecordFile {
  std::vector<Json> lines;            // the good ones, in order
  std::vector<std::string> warnings;  // "FILE:LINE: ..." for each line that was left out
  bool unknown_schema = false;        // one of them was written by a program that this one does not know
};
// Throws std::runtime_error if the file cannot be read.
RecordFile read_records(const std::string& path);

}  // namespace cfdmark
