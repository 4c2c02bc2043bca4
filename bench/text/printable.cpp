#include "bench/text/printable.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace cfdmark {
namespace {

// Returns the first character of a UTF-8 text if it has two or three bytes and must not be printed.
std::optional<unsigned> unprintable_front(std::string_view text) {
  const auto byte = [&](std::size_t n) {
    return n < text.size() ? unsigned(static_cast<unsigned char>(text[n])) : 0;
  };
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return byte(1);
  if ((byte(0) != 0xe2 && byte(0) != 0xef) || byte(1) < 0x80 || byte(2) < 0x80) return std::nullopt;
  const unsigned code = ((byte(0) & 0xf) << 12) + ((byte(1) & 0x3f) << 6) + (byte(2) & 0x3f);
  const bool turns = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool not_in_xml = code == 0xfffe || code == 0xffff;
  return turns || not_in_xml ? std::optional(code) : std::nullopt;
}

}  // namespace

std::string printable(const std::string& text, const std::string& but) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto letter = static_cast<unsigned char>(text[at]);
    if (const auto code = unprintable_front(std::string_view(text).substr(at))) {
      shown += *code < 0x100 ? fmt::format("\\x{:02x}", *code) : fmt::format("\\u{:04x}", *code);
      at += *code < 0x100 ? 1 : 2;
    } else if ((letter < 0x20 || letter == 0x7f) && but.find(text[at]) == std::string::npos) {
      shown += letter == '\n' ? "\\n" : fmt::format("\\x{:02x}", letter);
    } else {
      shown += text[at];
    }
  }
  return shown;
}

std::string printable_lines(const std::string& text) {
  std::string shown = printable(text, "\n");
  for (std::size_t end = 0; (end = shown.find('\n', end)) != std::string::npos; ++end)
    if (const std::size_t first = shown.find_first_not_of(" \n", end);
        first != std::string::npos && shown.compare(first, 2, "::") == 0)
      shown.replace(end, 1, "\\n");
  return shown;
}

std::string message_of(const std::exception& e) {
  std::string text = e.what();
  for (std::size_t at = 0; (at = text.find("[json.exception.", at)) != std::string::npos;)
    if (const std::size_t end = text.find("] ", at); end == std::string::npos)
      break;
    else
      text.replace(at, end + 2 - at, "unexpected JSON: ");
  return text;
}

}  // namespace cfdmark
