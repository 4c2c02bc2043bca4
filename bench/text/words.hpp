// Suggestions for misspelt words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cfdmark {

// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into
// the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the most similar of `words`; empty if none is similar.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

// Returns "; did you mean 'x'?", or an empty string if no word is similar.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

// Returns "a, b or c".
std::string one_of(const std::vector<std::string>& words);

}  // namespace cfdmark
