// Consecutive values, moved by the widest instructions that their number and alignment permit. NVRTC reads
// this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/links.hpp"

namespace cfdmark {

// Hint of a load or store: `streaming` data is used once and is the first to be replaced in the caches of a
// device, so that values which neighbours share stay. On hosts both are the same.
enum class CacheHint { usual, streaming };

// Values of one instruction.
template <class T, int n>
struct alignas(sizeof(T) * n) Piece {
  T value[n];
};
// The largest power of two of values that divides n and is at most 16 bytes.
template <class T>
constexpr int piece_length(int n) {
  int length = 1;
  while (n % (2 * length) == 0 && 2 * length * int(sizeof(T)) <= 16) length *= 2;
  return length;
}

template <int bytes>
struct alignas(bytes) Words {
  unsigned word[bytes / 4];
};
#if defined(__CUDA_ARCH__)
// Loads and stores with the hint `cs`: evict first.
__device__ __forceinline__ void load_streaming(const Words<4>* from, Words<4>& to) {
  asm("ld.global.cs.u32 %0, [%1];" : "=r"(to.word[0]) : "l"(from));
}
__device__ __forceinline__ void load_streaming(const Words<8>* from, Words<8>& to) {
  asm("ld.global.cs.v2.u32 {%0, %1}, [%2];" : "=r"(to.word[0]), "=r"(to.word[1]) : "l"(from));
}
__device__ __forceinline__ void load_streaming(const Words<16>* from, Words<16>& to) {
  asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(to.word[0]), "=r"(to.word[1]), "=r"(to.word[2]), "=r"(to.word[3])
      : "l"(from));
}
__device__ __forceinline__ void store_streaming(Words<4>* to, const Words<4>& from) {
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(from.word[0]) : "memory");
}
__device__ __forceinline__ void store_streaming(Words<8>* to, const Words<8>& from) {
  asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(from.word[0]), "r"(from.word[1])
               : "memory");
}
__device__ __forceinline__ void store_streaming(Words<16>* to, const Words<16>& from) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(from.word[0]), "r"(from.word[1]),
               "r"(from.word[2]), "r"(from.word[3])
               : "memory");
}
#endif

template <CacheHint hint, class T, int n>
CFDMARK_FUNCTION Piece<T, n> load_piece(const T* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (hint == CacheHint::streaming && sizeof(T) * n >= 4) {
    Words<int(sizeof(T)) * n> words;
    load_streaming(reinterpret_cast<const Words<int(sizeof(T)) * n>*>(from), words);
    return __builtin_bit_cast(Piece<T, n>, words);
  }
#endif
  return *reinterpret_cast<const Piece<T, n>*>(from);
}
template <CacheHint hint, class T, int n>
CFDMARK_FUNCTION void store_piece(T* to, const Piece<T, n>& piece) {
#if defined(__CUDA_ARCH__)
  if constexpr (hint == CacheHint::streaming && sizeof(T) * n >= 4) {
    using W = Words<int(sizeof(T)) * n>;
    store_streaming(reinterpret_cast<W*>(to), __builtin_bit_cast(W, piece));
    return;
  }
#endif
  *reinterpret_cast<Piece<T, n>*>(to) = piece;
}

// Loads and stores `length` values. The address in memory is a multiple of the bytes of a piece.
template <int length, CacheHint hint, class T>
CFDMARK_FUNCTION void load_run(const T* from, T* to) {
  constexpr int n = piece_length<T>(length);
  for_each_number<0, length / n>([&](int m) {
    const auto piece = load_piece<hint, T, n>(from + m * n);
    for_each_number<0, n>([&](int k) { to[m * n + k] = piece.value[k]; });
  });
}
template <int length, CacheHint hint, class T>
CFDMARK_FUNCTION void store_run(T* to, const T* from) {
  constexpr int n = piece_length<T>(length);
  for_each_number<0, length / n>([&](int m) {
    Piece<T, n> piece;
    for_each_number<0, n>([&](int k) { piece.value[k] = from[m * n + k]; });
    store_piece<hint, T, n>(to + m * n, piece);
  });
}

}  // namespace cfdmark
