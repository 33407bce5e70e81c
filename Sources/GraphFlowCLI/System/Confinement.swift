/// Protects the memory of this process, which holds tokens, from other processes.
enum Confinement {
  /// Turns core dumps off, and on Linux keeps other processes of the same user from reading the
  /// memory (prctl(2), `PR_SET_DUMPABLE`).
  ///
  /// If the system refuses, the command runs nevertheless.
  static func apply() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    typealias Control = @convention(c) (CInt, CUnsignedLong) -> CInt
    // The header that declares it is not part of Glibc's module.
    guard let symbol = dlsym(nil, "prctl") else { return }
    let setDumpable: CInt = 4
    _ = unsafeBitCast(symbol, to: Control.self)(setDumpable, 0)
    #else
    _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
