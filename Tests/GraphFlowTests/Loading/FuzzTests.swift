import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Readers of foreign text against broken text: none traps, hangs or takes much memory.
///
/// `GRAPHFLOW_FUZZ=N` says how many texts each reader gets; docs: CONTRIBUTING.md. A failure names
/// the seed and the number, which make the same text again.
struct FuzzTests {
  /// How many texts are asked for.
  static let wanted = getenv("GRAPHFLOW_FUZZ").flatMap { Int(String(cString: $0)) }
  private static let seed = getenv("GRAPHFLOW_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }

  /// A text that takes the processor longer than this has failed; others may use it meanwhile.
  private static let patience = Duration.seconds(1)
  /// What the whole process may take in a long run, in bytes.
  private static let memory = 512 << 20
  /// A text that is still being read after so many seconds ends the process.
  private static let deadline: UInt32 = 60

  @Test(arguments: FuzzReader.allCases)
  func `a reader withstands broken text`(_ reader: FuzzReader) throws {
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
      // Only here is the process this test's own.
      #expect(Self.peak < Self.memory, "\(Self.peak) bytes")
      alarm(0)
      print(
        "fuzzed \(reader): \(count) texts in \(clock.now - begin), "
          + "slowest \(slowest), peak \(Self.peak >> 20) MiB"
      )
    }
  }

  /// In a long run, says now and then how far it is, and lets a text that never ends end the process:
  /// what was said last, and the seed, lead to it.
  private func watch(_ reader: FuzzReader, _ number: Int, of count: Int) {
    guard Self.wanted != nil else { return }
    alarm(Self.deadline)
    if number > 0 && number.isMultiple(of: 100_000) { print("fuzzing \(reader): \(number)") }
  }

  /// The most memory that this process has had, in bytes.
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
