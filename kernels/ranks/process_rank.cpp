#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

Ranks* of_process = nullptr;

}  // namespace

Ranks* process_rank() { return of_process; }
void set_process_rank(Ranks* ranks) { of_process = ranks; }

}  // namespace cfdmark
