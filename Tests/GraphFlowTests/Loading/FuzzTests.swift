import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

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
  /// Something that reads foreign text.
  enum Reader: String, CaseIterable, Sendable {
    case workflow
    case template
    case query
    case expression
    case inputs
    case fixing
  }

  /// How many texts are asked for.
  static let wanted = getenv("GRAPHFLOW_FUZZ").flatMap { Int(String(cString: $0)) }
  private static let seed = getenv("GRAPHFLOW_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }

  private static let files: [String] = {
    let root = SharedFiles.packageRoot(of: #filePath)
    let page = (try? text(of: root + "/docs/diagnostics.md")) ?? ""
    let examples = page.split(separator: "```yaml\n").dropFirst().compactMap {
      $0.split(separator: "```").first.map(String.init)
    }
    return examples + [WorkflowSample.everything]
  }()

  private static let queries = [
    "$", "$.data[*].id", "$..a[?@.b == 'c' && !@.d || $.e]", "$['a\\u00e9\\n']['b']",
    "$[0:10:-2, 'x']",
    "$[?match(@.a, '[a-z]+.*') && length(@.b) > 3]", "$[?count(@..*) >= 1e2].x", "$[-1,*,?@]",
    "$.a[?value(@..x) != null && search(@.y, \"\\\\p{L}{2,3}\")]",
  ]

  private static let templates = [
    "{result=a:$.id}", "{{literal} {input=x} {item=$.a} {index}",
    "{run=id} {result=b:$.x | {\"a\": [1]}}",
    "{results=a:$.x} {input=} {result=a:$.x[?@.n=='}']}", "{\"json\": {\"a\": [1, \"}\"]}}",
  ]

  private static let expressions = [
    "$.message == {input=message}", "count({result=feed:$.data[*]}) > 0", "status() == 200 && $.a",
    "header('ETag') != '' || !($.a < 1 && 2 <= 3)", "{result=a:$.x} == {item=$.y}",
    "match($.a, '[a-z]*') && search('abc', 'b')", "length({input=x}) >= 3",
    "1 == 1.0 && null != true",
  ]

  private static let document: JSON = [
    "data": [["id": "1", "a": [1, 2, 3]], ["id": "2", "b": "c"]], "a": ["b": ["c": nil]], "x": 15,
  ]

  @Test(arguments: Reader.allCases)
  func `a reader withstands broken text`(_ reader: Reader) throws {
    let count = Self.wanted ?? 2000
    let first = Self.seed ?? 1
    var mutator = Mutator(seed: first, corpus: Self.corpus(of: reader))
    let clock = ContinuousClock()
    var slowest = Duration.zero
    for number in 0..<count {
      let bytes = mutator.next()
      let start = clock.now
      Self.read(bytes, by: reader)
      let time = clock.now - start
      if time > slowest {
        slowest = time
        let message =
          "\(reader), seed \(first), number \(number): \(time) for \(bytes.prefix(2000))"
        #expect(time < .seconds(1), "\(message)")
      }
    }
    #expect(Self.peak < 512 << 20, "\(Self.peak) bytes")
    if Self.wanted != nil {
      print("fuzzed \(reader): \(count) texts, slowest \(slowest), peak \(Self.peak >> 20) MiB")
    }
  }

  private static func corpus(of reader: Reader) -> [String] {
    switch reader {
    case .workflow, .inputs, .fixing: files
    case .template: templates + queries.map { "{result=a:\($0)}" }
    case .query: queries
    case .expression: expressions
    }
  }

  private static func read(_ bytes: [UInt8], by reader: Reader) {
    let text = String(decoding: bytes, as: UTF8.self)
    let source = SourceFile(path: "fuzz.yaml", bytes: bytes)
    switch reader {
    case .workflow:
      let (workflow, diagnostics) = Workflow.reading(source)
      let isRefused = diagnostics.contains { $0.severity == .error }
      let hasEscape = diagnostics.text(in: source).utf8.contains(0x1b)
      #expect((workflow == nil) == isRefused && !hasEscape, "\(bytes)")
      _ = diagnostics.gitHubCommands
      _ = diagnostics.sarif(toolVersion: "1")
    case .template:
      _ = TemplateScanner.parts(of: text)
      _ = TemplateScanner.operands(of: text)
    case .query:
      if let query = try? Query(text) { _ = try? query.values(in: document) }
      _ = try? IRegexp(text)
      _ = try? JSON(parsing: bytes)
    case .expression:
      let quoted = JSON.string(text).serialized()
      let line =
        "graphflow: 1\ninputs: {message: string, x: list}\nrequests:\n  a: {get: me}\n"
        + "  feed: {get: me, expect: [\(quoted)]}\n"
      _ = Workflow.reading(SourceFile(path: "fuzz.yaml", bytes: Array(line.utf8)))
    case .inputs:
      if let sample { _ = InputValues.resolving(sample, flags: [], file: source, environment: [:]) }
    case .fixing:
      let (mended, count) = source.fixed()
      #expect(count > 0 || mended.bytes == bytes)
      let again = count > 0 ? mended.fixed().count : 0
      #expect(again == 0, "mending twice is mending once: \(bytes)")
    }
  }

  private static let sample = Workflow.reading(
    SourceFile(path: "sample.yaml", bytes: Array(WorkflowSample.everything.utf8))
  ).workflow

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
