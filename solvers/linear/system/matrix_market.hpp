// Reader of Matrix Market files (Boisvert, Pozo and Remington 1996, NISTIR 5935).
//
// Read: coordinate and array form; real, integer and pattern values, a pattern as ones; general and symmetric
// matrices, of which a file holds the lower triangle. Entries of one place are summed. Zeros of an array are
// not stored. Lines may end in CR LF. Complex, Hermitian and skew-symmetric matrices are refused.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/linear/system/csr.hpp"

namespace cfdmark {

// An invalid or unreadable file. what() is "FILE:LINE: reason and fix", or "FILE: reason".
class MatrixFileError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Returns the square matrix of a file's text, with ascending columns in each row. Memory is proportional to
// the text, whatever its size line announces. Throws MatrixFileError; `file` is its name in errors.
CsrMatrix<double> read_matrix_market(std::string_view text, const std::string& file);
// Returns the vector of a file's text: a matrix with one column.
std::vector<double> read_market_vector(std::string_view text, const std::string& file);

// Return the same for a file.
CsrMatrix<double> read_matrix_market_file(const std::string& path);
std::vector<double> read_market_vector_file(const std::string& path);

}  // namespace cfdmark
