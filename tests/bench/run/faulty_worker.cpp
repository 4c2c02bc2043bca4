// A worker like that of the program, with the faulty catalog.
#include "bench/run/worker.hpp"
#include "tests/bench/run/faulty_rows.hpp"

int main() { return cfdmark::worker_main(faulty_rows()); }
