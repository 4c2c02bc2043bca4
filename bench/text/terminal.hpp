// Fits text to the width of the terminal.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace cfdmark {

// Returns the width of a stream's terminal in columns; none if it is not a terminal.
std::optional<std::size_t> terminal_columns(std::FILE*);

// Returns true if the stream is a terminal that can move its cursor and erase lines: TERM is set and not
// "dumb".
bool can_redraw(std::FILE*);

// Wraps lines longer than `columns`. Continuation lines are indented to the last field (fields are separated
// by two spaces), or by four columns if that leaves too little room. Words are never split.
std::string wrapped(const std::string& text, std::size_t columns);

// Wraps text for standard output if that is a terminal. Otherwise the lines stay as they are.
std::string for_standard_output(const std::string& text);

}  // namespace cfdmark
