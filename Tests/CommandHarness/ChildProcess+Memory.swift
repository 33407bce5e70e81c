import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension ChildProcess {
  /// The peak resident size of the program in bytes; waits until it ends.
  ///
  /// `wait4` includes the memory of the process that started the program, so this polls `/proc`
  /// instead.
  package func peakMemory() -> Int {
    var peak = 0
    // At its very start a program still has the memory of the process that started it.
    _ = poll(nil, 0, 5)
    while let status = try? text(of: "/proc/\(id)/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let size = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    {
      peak = max(peak, size * 1024)
      _ = poll(nil, 0, 1)
    }
    return peak
  }
}
