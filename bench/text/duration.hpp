// Parses and formats durations.
#pragma once

#include <string>

namespace cfdmark {

// Parses "90", "90s", "10m", "1h" or "1h30m" into seconds. Throws std::invalid_argument for any other text.
double duration_from(const std::string& text);

// Returns, for example, "0:07", "12:30" or "1:02:03".
std::string clock_text(double seconds);

// Returns three digits with a suitable unit, such as "1.23 ms"; from 1000 s hours, minutes and seconds, such
// as "1:23:45".
std::string seconds_text(double seconds);

}  // namespace cfdmark
