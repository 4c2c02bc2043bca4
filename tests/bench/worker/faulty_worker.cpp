// A worker like that of the program, with the faulty catalog.
#include "bench/worker/worker.hpp"
#include "tests/bench/worker/faulty_rows.hpp"

int main() { return cfdmark::worker_main(faulty_rows()); }
