// A worker like the program's own, but for its catalog.
#include "bench/worker.hpp"
#include "tests/bench/faulty_rows.hpp"

int main() { return cfdmark::worker_main(faulty_rows()); }
