#include "solvers/linear/system/matrix_market.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "solvers/linear/system/matrix_entries.hpp"

namespace cfdmark {
namespace {

constexpr std::int64_t most = std::numeric_limits<int>::max();

// The words of a text's lines, one line after another.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  // Moves to the next line. Returns false at the end of the text.
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }
  // Moves to the next line with a word. Returns false at the end of the text.
  bool next_with_words() {
    while (next())
      if (line_.find_first_not_of(blanks) != std::string_view::npos) return true;
    return false;
  }
  bool starts_with(std::string_view text) const { return line_.starts_with(text); }
  // Returns the next word of the line, empty at its end.
  std::string_view word() {
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    const std::string_view word = line_.substr(0, line_.find_first_of(blanks));
    line_.remove_prefix(word.size());
    return word;
  }
  void require_end() {
    if (const std::string_view more = word(); !more.empty())
      fail(fmt::format("'{}' is more than this line may hold; write one entry per line", more));
  }
  std::size_t bytes_left() const { return rest_.size(); }
  [[noreturn]] void fail(const std::string& text) const {
    throw MatrixFileError(fmt::format("{}:{}: {}", file_, std::max(number_, 1), text));
  }

 private:
  static constexpr std::string_view blanks = " \t\r";
  std::string_view rest_, line_;
  const std::string& file_;
  int number_ = 0;
};

// Returns the number that the next word is.
template <class T>
T number(Lines& lines, const char* what) {
  const std::string_view word = lines.word();
  if (word.empty()) lines.fail(fmt::format("the line ends before {}", what));
  std::string_view digits = word;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    lines.fail(fmt::format("{} is out of range: '{}'", what, word));
  if (error != std::errc() || end != digits.data() + digits.size())
    lines.fail(fmt::format("expected {}, found '{}'", what, word));
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) lines.fail(fmt::format("{} must be finite, found '{}'", what, word));
  return value;
}
int number_up_to(Lines& lines, std::int64_t last, const char* what) {
  const auto value = number<std::int64_t>(lines, what);
  if (value < 1 || value > last)
    lines.fail(fmt::format("{} must be from 1 to {}, found {}", what, last, value));
  return int(value);
}

enum class Values { real, integer, pattern };

struct Header {
  bool is_array = false, is_symmetric = false;
  Values values = Values::real;
};

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

Header read_header(Lines& lines) {
  if (!lines.next() || lines.word() != "%%MatrixMarket")
    lines.fail("not a Matrix Market file: the first line must begin with %%MatrixMarket");
  if (const std::string object = lower_case(lines.word()); object != "matrix")
    lines.fail(fmt::format("'{}' is not supported; write matrix", object));
  Header header;
  const std::string form = lower_case(lines.word());
  if (form != "coordinate" && form != "array")
    lines.fail(fmt::format("unknown form '{}'; write coordinate or array", form));
  header.is_array = form == "array";
  const std::string values = lower_case(lines.word());
  if (values == "integer")
    header.values = Values::integer;
  else if (values == "pattern" && !header.is_array)
    header.values = Values::pattern;
  else if (values != "real")
    lines.fail(fmt::format("values of kind '{}' are not supported {}; write real{} or integer", values,
                           header.is_array ? "in an array" : "here", header.is_array ? "" : ", pattern"));
  const std::string symmetry = lower_case(lines.word());
  if (symmetry != "general" && symmetry != "symmetric")
    lines.fail(fmt::format("symmetry '{}' is not supported; write general or symmetric", symmetry));
  header.is_symmetric = symmetry == "symmetric";
  lines.require_end();
  return header;
}

double read_value(Lines& lines, Values values) {
  switch (values) {
    case Values::real: return number<double>(lines, "a value");
    case Values::integer: return double(number<std::int64_t>(lines, "an integer value"));
    case Values::pattern: break;
  }
  return 1;
}

struct Entries {
  int rows = 0, columns = 0;
  std::vector<MatrixEntry> all;  // of a symmetric matrix both triangles

  void add(const Header& header, int row, int column, double value) {
    all.push_back({row, column, value});
    if (header.is_symmetric && row != column) all.push_back({column, row, value});
  }
};

void next_entry(Lines& lines, std::int64_t done, std::int64_t count) {
  if (!lines.next_with_words()) lines.fail(fmt::format("the file ends after {} of {} entries", done, count));
  if (lines.starts_with("%")) lines.fail("a comment between entries; move it before the size line");
}

// Fails unless the rest of the file can hold as many entries, of `bytes` characters each with the end of
// line.
void check_count(const Lines& lines, std::int64_t count, int bytes, bool is_symmetric) {
  if (const auto fits = std::int64_t(lines.bytes_left() + 1) / bytes; count > fits)
    lines.fail(
        fmt::format("{} entries are announced, but the rest of the file holds at most {}", count, fits));
  if ((is_symmetric ? 2 * count : count) > most)
    lines.fail("the matrix has more entries than 32-bit integers can count");
}

void read_coordinates(Lines& lines, const Header& header, std::int64_t count, Entries& entries) {
  for (std::int64_t n = 0; n < count; ++n) {
    next_entry(lines, n, count);
    const int row = number_up_to(lines, entries.rows, "the row");
    const int column = number_up_to(lines, entries.columns, "the column");
    if (header.is_symmetric && column > row)
      lines.fail(fmt::format(
          "entry ({}, {}) of a symmetric matrix is above the diagonal; keep the lower triangle only", row,
          column));
    const double value = read_value(lines, header.values);
    lines.require_end();
    entries.add(header, row - 1, column - 1, value);
  }
}

void read_array(Lines& lines, const Header& header, std::int64_t count, bool keep_zeros, Entries& entries) {
  std::int64_t done = 0;
  for (int column = 0; column < entries.columns; ++column)
    for (int row = header.is_symmetric ? column : 0; row < entries.rows; ++row) {
      next_entry(lines, done++, count);
      const double value = read_value(lines, header.values);
      lines.require_end();
      if (value != 0 || keep_zeros) entries.add(header, row, column, value);
    }
}

Entries read_entries(std::string_view text, const std::string& file, bool as_vector) {
  Lines lines(text, file);
  const Header header = read_header(lines);
  do {
    if (!lines.next_with_words()) lines.fail("the file ends before its size line");
  } while (lines.starts_with("%"));
  Entries entries;
  entries.rows = number_up_to(lines, most, "the number of rows");
  entries.columns = number_up_to(lines, most, "the number of columns");
  const std::int64_t rows = entries.rows, columns = entries.columns;
  if (as_vector && columns != 1) lines.fail(fmt::format("{} columns; a vector has one", columns));
  if (!as_vector && rows != columns)
    lines.fail(fmt::format("{} rows and {} columns; a linear system needs a square matrix", rows, columns));
  if (header.is_symmetric && rows != columns) lines.fail("a symmetric matrix must be square; write general");
  const std::int64_t count = !header.is_array      ? number<std::int64_t>(lines, "the number of entries")
                             : header.is_symmetric ? rows * (rows + 1) / 2
                                                   : rows * columns;
  lines.require_end();
  if (count < 0) lines.fail(fmt::format("{} entries are announced", count));
  check_count(lines, count,
              header.is_array                    ? 2
              : header.values == Values::pattern ? 4
                                                 : 6,
              header.is_symmetric);
  // Each row of a regular matrix has an entry, and each entry is of one row or, off the diagonal, of two.
  if (!as_vector && rows > (header.is_symmetric ? 2 : 1) * count)
    lines.fail(fmt::format("{} rows have only {} entries, so that some rows are empty", rows, count));
  if (as_vector && !header.is_array && rows > std::int64_t(text.size()))
    lines.fail(
        fmt::format("a vector of {} values in a file of {} bytes; write it as an array", rows, text.size()));
  entries.all.reserve(std::size_t(count) * (header.is_symmetric ? 2 : 1));
  if (header.is_array)
    read_array(lines, header, count, as_vector, entries);
  else
    read_coordinates(lines, header, count, entries);
  if (lines.next_with_words()) lines.fail(fmt::format("more than the {} entries that are announced", count));
  return entries;
}

std::string text_of_file(const std::string& path) {
  std::error_code ignored;
  const auto fail = [&](const std::string& reason) { throw MatrixFileError(path + ": " + reason); };
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    fail("not a regular file; name a Matrix Market file");
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(fmt::format("cannot open it: {}", std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) fail("cannot read it");
  return std::move(text).str();
}

}  // namespace

CsrMatrix<double> read_matrix_market(std::string_view text, const std::string& file) {
  const Entries entries = read_entries(text, file, false);
  return csr_of(entries.rows, entries.all);
}

std::vector<double> read_market_vector(std::string_view text, const std::string& file) {
  const Entries entries = read_entries(text, file, true);
  std::vector<double> values(entries.rows);
  for (const MatrixEntry& entry : entries.all) values[entry.row] += entry.value;
  return values;
}

CsrMatrix<double> read_matrix_market_file(const std::string& path) {
  return read_matrix_market(text_of_file(path), path);
}
std::vector<double> read_market_vector_file(const std::string& path) {
  return read_market_vector(text_of_file(path), path);
}

}  // namespace cfdmark
