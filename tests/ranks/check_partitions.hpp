// Checks a case on all partitions.
#pragma once

#include "tests/catch.hpp"
#include "tests/ranks/ranked_case.hpp"

namespace cfdmark {

// Compares a case on all partitions for up to `most` ranks. Returns their number.
inline int check_all_partitions(const RankedCase& c, int most = 9) {
  const OneRank one(c);
  CHECK(one.iterations() > 2);
  int partitions = 0;
  one.for_each_partition(most, [&](const Partition& p) {
    INFO(c.solver << "/" << c.name_of_method() << " " << c.problem << " " << name(c.grid) << " "
                  << to_string(c.precision) << " on " << p.counts()[0] << "x" << p.counts()[1] << "x"
                  << p.counts()[2]);
    CHECK(one.difference(p) == "");
    ++partitions;
  });
  return partitions;
}

}  // namespace cfdmark
