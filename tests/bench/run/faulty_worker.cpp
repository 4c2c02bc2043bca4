// A worker like the program's own, but for its catalog.
#include "bench/run/worker.hpp"
#include "tests/bench/run/faulty_rows.hpp"

int main() { return cfdmark::worker_main(faulty_rows()); }
