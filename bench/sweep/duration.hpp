// Lengths of time as people write and read them.
#pragma once

#include <string>

namespace cfdmark {

// "90", "90s", "10m", "1h", "1h30m" in seconds. Throws std::invalid_argument for anything else, and for
// nothing.
double duration_from(const std::string& text);

// "0:07", "12:30", "1:02:03"
std::string clock_text(double seconds);

// "1.23 ms": three digits and the unit that suits them; from 1000 s on hours, minutes and seconds:
// "1:23:45".
std::string seconds_text(double seconds);

}  // namespace cfdmark
