#include "kernels/mesh/files/token_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace cfdmark {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_white(char c) { return is_blank(c) || c == '\n'; }

// Returns a text as a message can show it: short, and printable.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, 40));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out + (text.size() > 40 ? "..." : "");
}

}  // namespace

void TokenSource::set_binary() {
  origin_.unit = PlaceUnit::byte;
  place_ = std::int64_t(at_);
}

void TokenSource::skip_white() {
  for (; at_ < bytes_.size() && is_white(bytes_[at_]); ++at_) line_ += bytes_[at_] == '\n';
}

std::string_view TokenSource::line() {
  skip_white();
  place_ = is_binary() ? std::int64_t(at_) : line_;
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view found = bytes_.substr(at_, end - at_);
  at_ = end;
  if (at_ < bytes_.size()) ++at_, ++line_;
  while (!found.empty() && is_blank(found.back())) found.remove_suffix(1);
  return found;
}

void TokenSource::skip_past(std::string_view text) {
  const std::size_t found = bytes_.find(text, at_);
  if (found == bytes_.npos)
    fail(MeshFault::truncated, fmt::format("'{}' is missing; the file is incomplete", shown(text)));
  line_ += std::count(bytes_.begin() + std::ptrdiff_t(at_), bytes_.begin() + std::ptrdiff_t(found), '\n');
  at_ = found + text.size();
}

void TokenSource::fail_truncated() const {
  fail(MeshFault::truncated, "the file ends within its data; it is incomplete, write it again");
}

void TokenSource::begin_text_record() {
  skip_white();
  place_ = line_;
  if (at_ == bytes_.size()) fail_truncated();
  if (bytes_[at_] == '$')
    fail(MeshFault::wrong_count, "the section ends before the number of lines that it announces");
}

void TokenSource::end_text_record() {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  place_ = line_;
  if (at_ < bytes_.size() && bytes_[at_] != '\n') {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    fail(MeshFault::bad_token,
         fmt::format("unexpected '{}' at the end of the line", shown(bytes_.substr(at_, end - at_))));
  }
}

std::string_view TokenSource::text_token() {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  place_ = line_;
  if (at_ == bytes_.size()) fail_truncated();
  if (bytes_[at_] == '\n') fail(MeshFault::bad_token, "the line ends early: a number is missing");
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !is_white(bytes_[at_])) ++at_;
  return bytes_.substr(begin, at_ - begin);
}

std::int64_t TokenSource::text_integer() { return integer_in(text_token(), *this); }

int TokenSource::text_int32() { return int32_in(text_token(), *this); }

double TokenSource::text_real() {
  const std::string_view token = text_token();
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range)
    fail(MeshFault::bad_coordinate, fmt::format("'{}' is beyond the range of a double", shown(token)));
  if (error != std::errc() || end != token.data() + token.size())
    fail(MeshFault::bad_token, fmt::format("expected a number, found '{}'", shown(token)));
  return value;
}

void TokenSource::check_promise(std::int64_t count, int numbers, int bytes, std::string_view what) const {
  if (count < 0) fail(MeshFault::wrong_count, fmt::format("{} {}: expected at least 0", count, what));
  // A number in text takes a digit and a separator, which may be missing after the last one.
  const std::int64_t each = is_binary() ? bytes : 2 * numbers;
  const std::int64_t room = std::int64_t(bytes_.size() - at_) + (is_binary() ? 0 : 1);
  if (count > room / each)
    fail(MeshFault::truncated,
         fmt::format("{} {} announced, but the rest of the file holds {} at most; it is "
                     "incomplete, write it again",
                     count, what, room / each));
  if (count > max_count)
    fail(MeshFault::too_large, fmt::format("{} {}: at most {} can be read", count, what, max_count));
}

std::int64_t integer_in(std::string_view text, const TokenSource& source) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    source.fail(MeshFault::bad_token, fmt::format("expected an integer, found '{}'", shown(text)));
  return value;
}

int int32_in(std::string_view text, const TokenSource& source) {
  const std::int64_t value = integer_in(text, source);
  if (value < INT32_MIN || value > INT32_MAX)
    source.fail(MeshFault::bad_token, fmt::format("{} does not fit into 32 bits", value));
  return int(value);
}

}  // namespace cfdmark
