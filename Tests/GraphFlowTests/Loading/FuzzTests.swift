import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// No reader of untrusted text traps, hangs or takes much memory on broken text.
///
/// `GRAPHFLOW_FUZZ=N` sets the number of texts for each reader; see CONTRIBUTING.md. A failure shows
/// the seed and the number, which make the same text again.
struct FuzzTests {
  /// The number of texts from the environment.
  static let wanted = getenv("GRAPHFLOW_FUZZ").flatMap { Int(String(cString: $0)) }
  private static let seed = getenv("GRAPHFLOW_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }

  /// The processor time in which a text must be read.
  private static let patience = Duration.seconds(1)
  /// The memory limit of the whole process in a long run, in bytes.
  private static let memory = 512 << 20
  /// The seconds after which a text that is still being read ends the process.
  private static let deadline: UInt32 = 60

  @Test(arguments: FuzzReader.allCases)
  func `a reader handles broken text`(_ reader: FuzzReader) throws {
    let count = Self.wanted ?? 2000
    let first = Self.seed ?? 1
    var mutator = Mutator(seed: first, corpus: reader.corpus)
    let clock = ContinuousClock()
    let begin = clock.now
    var slowest = Duration.zero
    for number in 0..<count {
      let bytes = mutator.next()
      watch(reader, number, of: count)
      let start = processorTime
      reader.read(bytes)
      let time = processorTime - start
      if time > slowest {
        slowest = time
        let message =
          "\(reader), seed \(first), number \(number): \(time) for \(bytes.prefix(2000))"
        #expect(time < Self.patience, "\(message)")
      }
    }
    if Self.wanted != nil {
      // Only in a long run does this test have its own process.
      #expect(Self.peak < Self.memory, "\(Self.peak) bytes")
      alarm(0)
      print(
        "fuzzed \(reader): \(count) texts in \(clock.now - begin), "
          + "slowest \(slowest), peak \(Self.peak >> 20) MiB")
    }
  }

  /// In a long run, prints the progress, and makes a text that hangs end the process: the last line
  /// and the seed identify it.
  private func watch(_ reader: FuzzReader, _ number: Int, of count: Int) {
    guard Self.wanted != nil else { return }
    alarm(Self.deadline)
    if number > 0 && number.isMultiple(of: 100_000) { print("fuzzing \(reader): \(number)") }
  }

  /// The peak memory of this process, in bytes.
  private static var peak: Int {
    var usage = rusage()
    #if canImport(Darwin)
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
      ? usage.ru_maxrss * 1024 : 0
    #endif
  }
}
