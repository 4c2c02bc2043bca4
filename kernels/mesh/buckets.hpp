// Items grouped by an integer.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark {

struct Buckets {
  std::vector<int> begin;  // first place of each bucket in `items`, then the number of items
  std::vector<int> items;  // in no particular order within a bucket

  int size(int bucket) const { return begin[bucket + 1] - begin[bucket]; }
};

// Returns the items 0 to `items` - 1, each in bucket bucket_of(item) of `buckets`. A counting sort: it needs
// 4 bytes per item and bucket, and reads bucket_of twice.
template <class BucketOf>
Buckets fill_buckets(int items, int buckets, BucketOf&& bucket_of) {
  Buckets b{std::vector<int>(std::size_t(buckets) + 1, 0), std::vector<int>(items)};
#pragma omp parallel for schedule(static)
  for (int i = 0; i < items; ++i) {
    int& count = b.begin[bucket_of(i)];
#pragma omp atomic
    ++count;
  }
  for (int k = 1; k < buckets; ++k) b.begin[k] += b.begin[k - 1];
  b.begin[buckets] = items;
  // Each bucket is filled from its end, so that its counter ends at its first place.
#pragma omp parallel for schedule(static)
  for (int i = 0; i < items; ++i) {
    int& end = b.begin[bucket_of(i)];
    int place;
#pragma omp atomic capture
    place = --end;
    b.items[place] = i;
  }
  return b;
}

}  // namespace cfdmark
