// Makes foreign text safe to print. scripts/cfdmark/text/printable.py does the same; tests/printable.json
// has examples for both.
#pragma once

#include <exception>
#include <string>

namespace cfdmark {

// Escapes control characters (including line ends), characters that change text direction, and the two that
// XML forbids: \x1b, \u202e. Unescaped they could control a terminal, break a table, or act as a CI command.
// `but` lists characters to keep.
std::string printable(const std::string& text, const std::string& but = "");

// Returns a message of several lines, none of which acts as a CI command.
std::string printable_lines(const std::string& text);

// Returns the message of an exception without the prefix that the JSON library adds.
std::string message_of(const std::exception&);

}  // namespace cfdmark
