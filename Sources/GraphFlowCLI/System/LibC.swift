// Imports the C library, whose name depends on the system, for every file of this module.
#if canImport(Glibc)
@_exported @preconcurrency import Glibc
#elseif canImport(Darwin)
@_exported @preconcurrency import Darwin
#endif
