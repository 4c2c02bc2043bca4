// Matrix Market files: what is read, and what is refused at which line.
#include "solvers/linear/system/matrix_market.hpp"

#include <fstream>

#include "solvers/linear/system/csr_operator.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

using Dense = std::vector<std::vector<double>>;

Dense dense(const CsrMatrix<double>& a) {
  Dense rows(a.rows(), std::vector<double>(a.rows()));
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) rows[row][a.column[at]] += a.value[at];
  return rows;
}
CsrMatrix<double> read(const std::string& text) { return read_matrix_market(text, "a.mtx"); }
std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const MatrixFileError& error) {
    return error.what();
  }
  return "";
}
std::string banner(const std::string& kind) { return "%%MatrixMarket matrix " + kind + "\n"; }

}  // namespace

TEST_CASE("a general matrix in coordinates is read in any order, with comments and blank lines", "[market]") {
  const CsrMatrix<double> a =
      read(banner("coordinate real general") +
           "% a comment\n%\n\n3 3 5\n\n3 3 -2.5e-1\n1 3 +4\n 1\t1  1.5 \n2 2 7\n3 1 1E2\n\n");
  CHECK(a.row_begin == std::vector<int>{0, 2, 3, 5});
  CHECK(a.column == std::vector<int>{0, 2, 1, 0, 2});
  CHECK(a.value == std::vector<double>{1.5, 4, 7, 100, -0.25});
}

TEST_CASE("a symmetric matrix has both triangles, its diagonal once", "[market]") {
  CHECK(dense(read(banner("coordinate real symmetric") + "3 3 4\n1 1 4\n2 1 -1\n2 2 5\n3 3 6\n")) ==
        Dense{{4, -1, 0}, {-1, 5, 0}, {0, 0, 6}});
  CHECK(dense(read(banner("array real symmetric") + "3 3\n4\n-1\n2\n5\n0\n6\n")) ==
        Dense{{4, -1, 2}, {-1, 5, 0}, {2, 0, 6}});
}

TEST_CASE("a pattern is read as ones, integers as numbers", "[market]") {
  CHECK(dense(read(banner("coordinate pattern general") + "2 2 3\n1 1\n2 2\n1 2\n")) ==
        Dense{{1, 1}, {0, 1}});
  CHECK(dense(read(banner("coordinate integer general") + "2 2 2\n1 1 -3\n2 2 40\n")) ==
        Dense{{-3, 0}, {0, 40}});
}

TEST_CASE("an array is read by columns, and its zeros are not stored", "[market]") {
  const CsrMatrix<double> a = read(banner("array real general") + "2 2\n1\n2\n0\n4\n");
  CHECK(dense(a) == Dense{{1, 0}, {2, 4}});
  CHECK(a.entries() == 3);
  CHECK(dense(read(banner("array integer general") + "1 1\n9")) == Dense{{9}});
}

TEST_CASE("entries of one place are summed", "[market]") {
  const CsrMatrix<double> a =
      read(banner("coordinate real general") + "2 2 5\n1 1 1\n2 1 3\n1 1 0.5\n2 2 1\n2 1 -4\n");
  CHECK(a.entries() == 3);
  CHECK(dense(a) == Dense{{1.5, 0}, {-1, 1}});
  CHECK(dense(read(banner("coordinate real symmetric") + "2 2 4\n1 1 1\n2 1 3\n2 1 4\n2 2 1\n")) ==
        Dense{{1, 7}, {7, 1}});
}

TEST_CASE("a file with CR LF and without a last end of line has the same matrix", "[market]") {
  const std::string text = banner("coordinate real general") + "% note\n2 2 2\n1 1 3\n2 2 4\n";
  std::string dos;
  for (const char c : text) dos += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(dense(read(dos)) == dense(read(text)));
  CHECK(dense(read(text.substr(0, text.size() - 1))) == dense(read(text)));
}

TEST_CASE("the words of the header may be in upper case", "[market]") {
  CHECK(dense(read("%%MatrixMarket Matrix COORDINATE Real General\n1 1 1\n1 1 2\n")) == Dense{{2}});
}

TEST_CASE("an error names file, line and fix", "[market]") {
  const std::string real = banner("coordinate real general");
  CHECK(refusal_of(real + "2 2 2\n1 1 3\n2 x 4\n") == "a.mtx:4: expected the column, found 'x'");
  CHECK(refusal_of(real + "2 2 2\n1 1 3.0000\n2 2\n") == "a.mtx:4: the line ends before a value");
  CHECK(refusal_of(real + "2 2 2\n1 1 3\n0 2 1\n") == "a.mtx:4: the row must be from 1 to 2, found 0");
  CHECK(refusal_of(real + "2 2 2\n1 1 3\n2 3 1\n") == "a.mtx:4: the column must be from 1 to 2, found 3");
  CHECK(refusal_of(real + "2 2 2\n1 1 3 9\n2 2 1\n") ==
        "a.mtx:3: '9' is more than this line may hold; write one entry per line");
  CHECK(refusal_of(real + "2 2 2\n1 1 nan\n2 2 1\n") == "a.mtx:3: a value must be finite, found 'nan'");
  CHECK(refusal_of(real + "2 2 2\n1 1 1e999\n2 2 1\n") == "a.mtx:3: a value is out of range: '1e999'");
  CHECK(refusal_of(real + "2 2 2\n1 1 1.0D+0\n2 2 1\n") == "a.mtx:3: expected a value, found '1.0D+0'");
  CHECK(refusal_of(banner("coordinate integer general") + "1 1 1\n1 1 1.5\n") ==
        "a.mtx:3: expected an integer value, found '1.5'");
  CHECK(refusal_of(banner("coordinate real symmetric") + "2 2 2\n1 2 3\n2 2 1\n") ==
        "a.mtx:3: entry (1, 2) of a symmetric matrix is above the diagonal; keep the lower triangle only");
  CHECK(refusal_of(real + "2 2 2\n1 1 3\n% late\n2 2 1\n") ==
        "a.mtx:4: a comment between entries; move it before the size line");
}

TEST_CASE("a header that is not one of a supported matrix is refused", "[market]") {
  CHECK_THAT(refusal_of(""), ContainsSubstring("a.mtx:1: not a Matrix Market file"));
  CHECK_THAT(refusal_of("1 1 1\n1 1 1\n"), ContainsSubstring("%%MatrixMarket"));
  CHECK_THAT(refusal_of("%%MatrixMarket vector coordinate real general\n"),
             ContainsSubstring("write matrix"));
  CHECK_THAT(refusal_of(banner("list real general")), ContainsSubstring("unknown form 'list'"));
  CHECK_THAT(refusal_of(banner("coordinate complex general")),
             ContainsSubstring("'complex' are not supported"));
  CHECK_THAT(refusal_of(banner("array pattern general")), ContainsSubstring("'pattern' are not supported"));
  CHECK_THAT(refusal_of(banner("coordinate real skew-symmetric")),
             ContainsSubstring("write general or symmetric"));
  CHECK_THAT(refusal_of(banner("coordinate real general extra")), ContainsSubstring("'extra'"));
  CHECK_THAT(refusal_of(banner("coordinate real")), ContainsSubstring("symmetry ''"));
  CHECK(refusal_of(banner("coordinate real general") + "% only\n") ==
        "a.mtx:2: the file ends before its size line");
}

TEST_CASE("a size line that differs from the entries after it is refused", "[market]") {
  const std::string real = banner("coordinate real general");
  CHECK(refusal_of(real + "2 2 3\n1 1 3.0000\n2 2 4.0000\n") ==
        "a.mtx:4: the file ends after 2 of 3 entries");
  CHECK(refusal_of(real + "2 2 2\n1 1 3\n2 2 4\n1 2 5\n") ==
        "a.mtx:5: more than the 2 entries that are announced");
  CHECK(refusal_of(real + "2 2 -1\n") == "a.mtx:2: -1 entries are announced");
  CHECK_THAT(refusal_of(real + "2 3 1\n1 1 1\n"), ContainsSubstring("needs a square matrix"));
  CHECK_THAT(refusal_of(real + "0 0 0\n"), ContainsSubstring("the number of rows must be from 1"));
  CHECK_THAT(refusal_of(real + "3 3 2\n1 1 1\n2 2 1\n"), ContainsSubstring("some rows are empty"));
}

// Each would need gigabytes if the size line were believed.
TEST_CASE("a size line that announces more than the file holds is refused before memory is allocated",
          "[market]") {
  const std::string real = banner("coordinate real general");
  CHECK_THAT(refusal_of(real + "2 2 1000000000\n1 1 1\n"), ContainsSubstring("a.mtx:2: 1000000000 entries"));
  CHECK_THAT(refusal_of(real + "2 2 9223372036854775807\n1 1 1\n"), ContainsSubstring("holds at most 1"));
  CHECK_THAT(refusal_of(real + "1000000000 1000000000 1\n1 1 1\n"), ContainsSubstring("rows are empty"));
  CHECK_THAT(refusal_of(banner("array real general") + "2147483647 2147483647\n1\n"),
             ContainsSubstring("holds at most"));
  CHECK_THAT(refusal_of(real + "99999999999 2 1\n"), ContainsSubstring("the number of rows must be"));
  CHECK_THROWS_WITH(read_market_vector(real + "1000000000 1 1\n1 1 1\n", "b.mtx"),
                    ContainsSubstring("write it as an array"));
}

TEST_CASE("a vector is a matrix of one column, as an array or in coordinates", "[market]") {
  const auto vector = [](const std::string& text) { return read_market_vector(text, "b.mtx"); };
  CHECK(vector(banner("array real general") + "3 1\n1\n0\n-2\n") == std::vector<double>{1, 0, -2});
  CHECK(vector(banner("coordinate real general") + "3 1 2\n3 1 5\n1 1 4\n") == std::vector<double>{4, 0, 5});
  CHECK_THROWS_WITH(vector(banner("array real general") + "2 2\n1\n2\n3\n4\n"),
                    ContainsSubstring("b.mtx:2: 2 columns; a vector has one"));
}

TEST_CASE("a file that cannot be read is an error that names it", "[market]") {
  CHECK_THROWS_WITH(read_matrix_market_file("no such file.mtx"),
                    ContainsSubstring("no such file.mtx: cannot open"));
  CHECK_THROWS_WITH(read_matrix_market_file("."), ContainsSubstring("not a regular file"));
}

TEST_CASE("CG solves a system of two Matrix Market files", "[market][cg]") {
  const TemporaryFolder folder;
  const std::string a_path = folder / "a.mtx", b_path = folder / "b.mtx";
  std::ofstream(a_path) << banner("coordinate real symmetric")
                        << "3 3 5\n1 1 4\n2 1 1\n2 2 3\n3 2 1\n3 3 2\n";
  std::ofstream(b_path) << banner("array real general") << "3 1\n6\n10\n8\n";
  const OwnedSystem system = csr_system(backend(BackendKind::serial), Precision::fp64,
                                        read_matrix_market_file(a_path), read_market_vector_file(b_path));
  const SolvedSystem answer =
      solve_system(system, method_named(solver_named("cg"), BackendKind::serial, "textbook"), 1e-12, 40);
  CHECK(answer.outcome.converged);
  for (int n = 0; n < 3; ++n) CHECK(answer.u[n] == Approx(n + 1).epsilon(1e-10));
}
