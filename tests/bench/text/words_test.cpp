#include "bench/text/words.hpp"

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps", "[words]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("cuda", "cuda") == 0);
  CHECK(edit_distance("", "sor") == 3);
  CHECK(edit_distance("sor", "") == 3);
  CHECK(edit_distance("jacbi", "jacobi") == 1);
  CHECK(edit_distance("jaccobi", "jacobi") == 1);
  CHECK(edit_distance("kokkas", "kokkos") == 1);
  CHECK(edit_distance("jaocbi", "jacobi") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the most similar word is suggested only if it is similar enough", "[words]") {
  const std::vector<std::string> words = {"serial", "openmp", "kokkos", "cuda"};
  CHECK(nearest_word("opnemp", words) == "openmp");
  CHECK(nearest_word("cude", words) == "cuda");
  CHECK(nearest_word("kokos", words) == "kokkos");
  CHECK(nearest_word("opencl", words) == "openmp");
  CHECK(nearest_word("fortran", words).empty());
  CHECK(nearest_word("x", {"y"}).empty());  // nothing of the word remains
  CHECK(nearest_word("serial", {}).empty());
  CHECK(did_you_mean("cude", words) == "; did you mean 'cuda'?");
  CHECK(did_you_mean("fortran", words).empty());
}

TEST_CASE("of two equally similar words the first is suggested", "[words]") {
  CHECK(nearest_word("bat", {"cat", "rat"}) == "cat");
}

TEST_CASE("alternatives are listed with commas and or", "[words]") {
  CHECK(one_of({}).empty());
  CHECK(one_of({"a"}) == "a");
  CHECK(one_of({"a", "b"}) == "a or b");
  CHECK(one_of({"a", "b", "c"}) == "a, b or c");
}
