// Text of others as people may see it. The same as scripts/cfdmark/text/printable.py; tests/printable.json
// holds examples for both.
#pragma once

#include <exception>
#include <string>

namespace cfdmark {

// Control characters, line ends among them, characters that turn the direction of text, and the two that XML
// lacks are shown by their number: \x1b, \u202e. They would rule a terminal, break a table, or pass for a
// command of CI. `but`: those to leave.
std::string printable(const std::string& text, const std::string& but = "");

// A message of several lines, none of which passes for a command of CI.
std::string printable_lines(const std::string& text);

// What an exception says, for people: the JSON library puts the name and number of its exception first.
std::string message_of(const std::exception&);

}  // namespace cfdmark
