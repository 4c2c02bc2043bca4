// The rows of a matrix shared among the blocks of a launch, in device memory (cg_persistent_csr.cu). NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The share of a block: consecutive rows, and the columns of other blocks in them (`halo`). A local column n
// is row `first` + n of the matrix if n < rows, else number n - rows of the halo.
struct CsrPart {
  int first = 0, rows = 0;
  int halo = 0, first_halo = 0;  // number, and the first in CsrParts::halo
  int width = 0;                 // entries of the longest row; shorter ones are filled up with zeros
  Index first_entry = 0;         // in CsrParts; entry m of row n is m * rows + n after it
};

template <class S>
struct CsrParts {
  const CsrPart* part;           // per block
  const int* halo;               // rows of the matrix
  const unsigned char* is_sent;  // per row: 1 if another block has it in its halo
  const unsigned short* column;  // local
  const S* value;
};

}  // namespace cfdmark
