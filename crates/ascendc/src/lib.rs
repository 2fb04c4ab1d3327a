//! AscendC kernels: objects and calls of the device API in C++ sources, traced into programs.
