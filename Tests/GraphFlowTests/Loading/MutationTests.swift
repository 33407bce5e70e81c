import GraphFlow
import JSONPath
import TestSupport
import Testing

/// Valid files with random errors: reading never traps and never misses an error.
struct MutationTests {
  /// SplitMix64, which makes failures reproducible (https://prng.di.unimi.it/splitmix64.c).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  private static let fragments: [[UInt8]] =
    [
      "{result=", "{input=", "{item}", "{{", "}", "]", "[", "\"", "'", "\n", "\t", ": ", "- ",
      "&a ",
      "*a", "<<: *a", "!!int ", "|", ">", "#", "%", "@", "\u{0}", "\u{feff}", "\u{85}", "\u{2028}",
      "\r", "null", "true", ".inf", "1e999", "0xffffffffffffffffffff", "99999999999999999999",
      "$.x[?@.a==", "..", "/", "||", "\u{1f388}", "---\n", "...\n", "for_each: ", "-1",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0x1b]]

  private func mutated(_ original: [UInt8], _ generator: inout Generator) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1:
        bytes.insert(
          contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
      case 2:
        bytes.replaceSubrange(
          place..<end, with: Self.fragments.randomElement(using: &generator) ?? [])
      case 3:
        bytes.insert(contentsOf: Self.fragments.randomElement(using: &generator) ?? [], at: place)
      case 4 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 5 where place < bytes.count:
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      default: bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &generator)))
      }
    }
    return bytes
  }

  @Test(arguments: 0..<10)
  func `a thousand mutations of a valid file are read`(_ seed: Int) {
    var generator = Generator(state: UInt64(seed))
    let original = Array(WorkflowSample.everything.utf8)
    var sound = 0
    for number in 0..<1000 {
      let source = SourceFile(path: "mutated.yaml", bytes: mutated(original, &generator))
      let (workflow, diagnostics) = Workflow.reading(source)
      let hasErrors = diagnostics.contains { $0.severity == .error }
      #expect((workflow == nil) == hasErrors, "seed \(seed), mutation \(number)")
      #expect(diagnostics.map(\.location) == diagnostics.map(\.location).sorted())
      #expect(!diagnostics.text(in: source).contains("\u{1b}"))
      if let workflow {
        sound += 1
        _ = InputValues.resolving(workflow, flags: [], file: source, environment: [:])
      }
    }
    #expect((1..<1000).contains(sound), "mutations should break some files and not all")
  }
}
