// Fuzzes a Matrix Market file, as a matrix and as a vector.
#include "solvers/linear/system/matrix_market.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = cfdmark::text_of(data, size);
  try {
    cfdmark::read_matrix_market(text, "fuzzed.mtx");
  } catch (const cfdmark::MatrixFileError&) {
  }
  try {
    cfdmark::read_market_vector(text, "fuzzed.mtx");
  } catch (const cfdmark::MatrixFileError&) {
  }
  return 0;
}
