#include "bench/text/terminal.hpp"

#include "tests/catch.hpp"

using cfdmark::wrapped;

TEST_CASE("a line that is too long continues below its last field") {
  CHECK(wrapped("  --a   one two three four five six\nshort\n", 26) ==
        "  --a   one two three four\n        five six\nshort\n");
}

TEST_CASE("a field with too little room continues at an indent of four columns") {
  CHECK(wrapped("  a name of some length  one two three four\n", 30) ==
        "  a name of some length  one\n    two three four\n");
}

TEST_CASE("a word is never split, and fitting lines and the end of a text are unchanged") {
  CHECK(wrapped("one /a/path/that/is/longer/than/the/line two", 20) ==
        "one\n    /a/path/that/is/longer/than/the/line\n    two");
  CHECK(wrapped("/a/path/that/is/longer/than/the/line", 20) == "/a/path/that/is/longer/than/the/line");
  CHECK(wrapped("", 20).empty());
  CHECK(wrapped("\n\n  a\n", 20) == "\n\n  a\n");
  CHECK(wrapped("twenty columns  whole", 21) == "twenty columns  whole");
}
