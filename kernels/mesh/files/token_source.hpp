// Numbers of a mesh file, one after another, whether the file is text or binary.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {

// In a text file a record is one line, its numbers separated by blanks; a carriage return is a blank. In a
// binary file (little-endian) a record has no mark of its own, and records follow directly.
// Every function throws MeshFileError at the place of the last number or line.
class TokenSource {
 public:
  // Keeps a view of the bytes.
  TokenSource(std::string_view bytes, std::string file) : bytes_(bytes), origin_{std::move(file)} {}

  // From here on numbers are binary, and places are bytes.
  void set_binary();
  bool is_binary() const { return origin_.unit == PlaceUnit::byte; }

  // Returns the next line that is not blank, trimmed, and moves behind its end; empty at the end of the file.
  std::string_view line();
  // Moves behind the next occurrence of a text. Fails (truncated) if there is none.
  void skip_past(std::string_view text);

  // Begins a record: in text the next line that is not blank. Fails at the end of the file (truncated), and
  // in text at a line that begins with '$' (wrong_count).
  void begin_record() {
    if (!is_binary()) begin_text_record();
  }
  // Ends a record. Fails if the line has more text (bad_token).
  void end_record() {
    if (!is_binary()) end_text_record();
  }
  // Return the next number of the record; in binary one of 32 or 64 bits, or a double. `int32` fails
  // (bad_token) if an int cannot hold the number; `id` is of 32 bits in binary, and of 64 in text.
  int int32() { return is_binary() ? binary<std::int32_t>() : text_int32(); }
  std::int64_t id() { return is_binary() ? binary<std::int32_t>() : text_integer(); }
  std::int64_t int64() { return is_binary() ? binary<std::int64_t>() : text_integer(); }
  double real() { return is_binary() ? binary<double>() : text_real(); }

  // Returns the next byte of a binary file.
  char byte() { return binary<char>(); }
  bool is_at_end() const { return at_ == bytes_.size(); }

  // Fails unless `count` is from 0 to `max_count` (wrong_count, too_large) and the rest of the file can hold
  // as many records (truncated): of `numbers` numbers in text, of `bytes` bytes in binary. `what` names them.
  void check_promise(std::int64_t count, int numbers, int bytes, std::string_view what) const;
  static constexpr std::int64_t max_count = INT32_MAX / 4;  // numbers of a cell's nodes must fit into an int

  std::int64_t place() const { return place_; }
  const MeshOrigin& origin() const { return origin_; }
  [[noreturn]] void fail(MeshFault fault, const std::string& text) const {
    origin_.fail(place_, fault, text);
  }

 private:
  template <typename T>
  T binary() {
    place_ = std::int64_t(at_);
    if (bytes_.size() - at_ < sizeof(T)) fail_truncated();
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  [[noreturn]] void fail_truncated() const;
  void begin_text_record();
  void end_text_record();
  std::string_view text_token();
  std::int64_t text_integer();
  int text_int32();
  double text_real();
  void skip_white();

  std::string_view bytes_;
  MeshOrigin origin_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;   // of at_, in text
  std::int64_t place_ = 1;  // of the last number or line
};

// Returns the integer that a text consists of; fails (bad_token) at the source's place.
std::int64_t integer_in(std::string_view text, const TokenSource&);
int int32_in(std::string_view text, const TokenSource&);

}  // namespace cfdmark
