#include "bench/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace cfdmark {
namespace {

constexpr std::size_t usual_columns = 80, least_columns = 20, least_indent = 4, least_beside = 18;

// Returns the start of the last field within the first `columns` of a line.
std::size_t last_field(std::string_view line, std::size_t columns) {
  const std::size_t gap = line.substr(0, columns).rfind("  ");
  return gap == std::string_view::npos ? 0 : line.find_first_not_of(' ', gap);
}

void append_wrapped(std::string& text, std::string_view line, std::size_t columns) {
  const std::size_t field = last_field(line, columns);
  const std::size_t indent = field > 0 && field + least_beside <= columns ? field : least_indent;
  const std::string margin(indent, ' ');
  std::size_t taken = 0;  // columns before the remaining text
  while (taken + line.size() > columns) {
    const std::size_t first = line.find_first_not_of(' ');
    std::size_t end = line.rfind(' ', columns - taken);
    if (end == std::string_view::npos || end <= first) end = line.find(' ', first);
    if (end == std::string_view::npos || first == std::string_view::npos) break;
    const std::string_view now = line.substr(0, end);
    text.append(now.substr(0, now.find_last_not_of(' ') + 1)).append("\n").append(margin);
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
    taken = indent;
  }
  text += line;
}

}  // namespace

std::optional<std::size_t> terminal_columns(std::FILE* stream) {
  if (!isatty(fileno(stream))) return std::nullopt;
  winsize size{};
  const bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : usual_columns;
}

bool can_redraw(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) && kind && *kind && std::string_view(kind) != "dumb";
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string all;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    append_wrapped(all, rest.substr(0, end), std::max(columns, least_columns));
    rest.remove_prefix(end);
    if (rest.empty()) break;
    all += '\n';
    rest.remove_prefix(1);
  }
  return all;
}

std::string for_standard_output(const std::string& text) {
  const auto columns = terminal_columns(stdout);
  return columns ? wrapped(text, *columns) : text;
}

}  // namespace cfdmark
