// A result file: one JSON object per line, only appended to (results/README.md describes the lines).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/record/output_file.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

class RecordWriter {
 public:
  // Creates the file and its folders, or opens it to append; an incomplete last line is terminated first.
  // Locks the file against other runs, merges and tunings. Throws WriteError.
  explicit RecordWriter(std::string path);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  // Moves the contents to a new file, PATH.bak or PATH.bak.2 and so on, and returns its name; empty if there
  // were none. Throws WriteError; nothing is lost then.
  std::string start_over();

  // Writes one line at once. The times of a record are rounded to seven digits, histories of residuals and
  // errors to six (results/README.md, "Digits"). On failure the file keeps its complete lines and nothing of
  // this one. Throws WriteError, also if the file was removed, replaced or truncated since it was opened.
  void append(const Json& line);
  // Waits until everything is on disk. Throws WriteError like `append`.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void write_all(const std::string& text);
  void end_cut_off_line();
  void check_in_place() const;

  std::string path_;
  int fd_ = -1;
  bool is_regular_ = false;  // not a pipe or a terminal
  std::int64_t end_ = 0;     // size of a regular file after the last line written
};

struct RecordFile {
  std::vector<Json> lines;            // valid lines, in order
  std::vector<std::string> warnings;  // "FILE:LINE: ..." for each skipped line
  bool unknown_schema = false;        // true if a skipped line has a schema that this program does not know
};
// Reads a file. Throws std::invalid_argument if it cannot be read.
RecordFile read_records(const std::string& path);

}  // namespace cfdmark
