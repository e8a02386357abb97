# For zlib-ng, which cmake builds: cargo-zigbuild would have it compile by zig, and C is compiled by the toolchain's gcc
# (docs/decisions/0011).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{SIZEUP_ARCHITECTURE})
set(CMAKE_C_COMPILER $ENV{SIZEUP_ARCHITECTURE}-linux-gnu-gcc)
