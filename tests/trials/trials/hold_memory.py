"""Holds a GPU's memory until its standard input is closed, as another program would.

    hold_memory.py LIBCUDART BYTES      holds all but this many bytes
"""

import ctypes
import sys

STEP = 64 << 20


def main() -> None:
    cuda, leave = ctypes.CDLL(sys.argv[1]), int(sys.argv[2])
    free, total, block = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
    if cuda.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total)) != 0:
        sys.exit("hold_memory: CUDA does not say how much memory is free")
    wanted = free.value - leave
    while wanted > 0 and cuda.cudaMalloc(ctypes.byref(block), ctypes.c_size_t(wanted)) != 0:
        wanted -= STEP
    cuda.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))
    print(free.value, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
