// What is printed for a person, as wide as the terminal.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace cfdmark {

// Columns of the terminal that a stream goes to; none if it goes elsewhere.
std::optional<std::size_t> terminal_columns(std::FILE*);

// True if the stream is a terminal that moves its cursor and erases lines: not one of TERM=dumb, or of no
// TERM.
bool can_redraw(std::FILE*);

// Each line that is longer than `columns` goes on in the next, under where its last field of those that two
// spaces part begins, or, where little would stand beside it, four columns in. A word is never cut.
std::string wrapped(const std::string& text, std::size_t columns);

// The same, for the terminal that the standard output is; what goes elsewhere, to a file or another program,
// keeps its lines.
std::string for_standard_output(const std::string& text);

}  // namespace cfdmark
