// Help for people who mistype: the nearest of the words that would have been right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cfdmark {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The one of `words` that was most likely meant; empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

// "; did you mean 'x'?", or nothing if no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

// "a, b or c"
std::string one_of(const std::vector<std::string>& words);

}  // namespace cfdmark
