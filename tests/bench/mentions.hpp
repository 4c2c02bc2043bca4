// A matcher for messages: names, values and positions count, the wording does not.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

#if __has_include(<catch2/catch_all.hpp>)
using TextMatcher = Catch::Matchers::MatcherBase<std::string>;
#else
using TextMatcher = Catch::MatcherBase<std::string>;
#endif

// Matches a text that starts with `beginning` and contains all of `words`, in any order.
class Mentions final : public TextMatcher {
 public:
  explicit Mentions(std::vector<std::string> words, std::string beginning = "")
      : words_(std::move(words)), beginning_(std::move(beginning)) {}

  bool match(const std::string& text) const override {
    return text.starts_with(beginning_) && std::all_of(words_.begin(), words_.end(), [&](const auto& word) {
             return text.find(word) != std::string::npos;
           });
  }
  std::string describe() const override {
    std::string text = beginning_.empty() ? "mentions" : "starts with '" + beginning_ + "' and mentions";
    for (const std::string& word : words_) text += " '" + word + "'";
    return text;
  }

 private:
  std::vector<std::string> words_;
  std::string beginning_;
};
