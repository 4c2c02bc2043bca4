// A run's file: one JSON object a line, only ever appended to (results/README.md says what the lines hold).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/record/json.hpp"
#include "bench/record/output_file.hpp"

namespace cfdmark {

class RecordWriter {
 public:
  // Creates the file and its folders, or opens it to append: a last line that was cut off is ended first.
  // Holds the file's lock, so that no other run, merge or tune writes it. Throws WriteError.
  explicit RecordWriter(std::string path);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  // Keeps what the file holds in a new file, PATH.bak or PATH.bak.2 and so on, and empties it. Returns the
  // new file's name; empty if there was nothing to keep. Throws WriteError; nothing is lost then.
  std::string start_over();

  // One write of one line; of a record times are rounded to seven digits, histories of residuals and errors
  // to six (results/README.md, "Digits"). If it fails the file keeps its whole lines and nothing of this one.
  // Throws WriteError, also if the file was removed, replaced or cut since it was opened.
  void append(const Json& line);
  // Waits until everything is on the disk. Throws WriteError as `append` does.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void write_all(const std::string& text);
  void end_cut_off_line();
  void check_in_place() const;

  std::string path_;
  int fd_ = -1;
  bool is_regular_ = false;  // not a pipe or a terminal
  std::int64_t end_ = 0;     // size of a regular file behind the last line that was written
};

struct RecordFile {
  std::vector<Json> lines;            // the good ones, in order
  std::vector<std::string> warnings;  // "FILE:LINE: ..." for each line that was left out
  bool unknown_schema = false;        // one of them was written by a program that this one does not know
};
// Throws std::invalid_argument if the file cannot be read.
RecordFile read_records(const std::string& path);

}  // namespace cfdmark
