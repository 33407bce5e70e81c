// The C library, for every file of this module: its name depends on the system.
#if canImport(Glibc)
@_exported @preconcurrency import Glibc
#elseif canImport(Darwin)
@_exported @preconcurrency import Darwin
#endif
