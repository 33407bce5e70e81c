import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// A reader of untrusted text.
enum FuzzReader: String, CaseIterable, Sendable {
  case workflow
  case template
  case query
  case regexp
  case json
  case expression
  case csv
  case jsonItems
  case jsonLines
  case inputs
  case fixing
  case curl
  case archive

  /// The corpus of valid and broken texts.
  var corpus: [String] {
    switch self {
    case .workflow, .inputs, .fixing: Self.files
    case .template: Self.templates + Self.queries.map { "{result=a:\($0)}" }
    case .query: Self.queries
    case .regexp: Self.regexps
    case .json: Self.documents + Self.queries
    case .expression: Self.expressions
    case .csv: Self.tables
    case .jsonItems: Self.documents.map { "[\($0), \($0)]" } + Self.documents
    case .jsonLines: Self.documents.map { "\($0)\r\n\n\($0)\n" }
    case .curl: Self.curlLines
    case .archive: Self.archives
    }
  }

  /// Reads a text, and checks the properties that hold for all texts.
  func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let source = SourceFile(path: "fuzz.yaml", bytes: bytes)
    switch self {
    case .workflow: readWorkflow(source)
    case .template:
      _ = TemplateScanner.parts(of: text)
      _ = TemplateScanner.operands(of: text)
    case .query:
      if let query = try? Query(text) { _ = try? query.values(in: Self.document) }
    case .regexp:
      if let regexp = try? IRegexp(text) {
        _ = regexp.matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")
        _ = regexp.isFound(in: "2026-11-21T09:00:00+0000 \u{1f388}é\n")
      }
    case .json:
      if let value = try? JSON(parsing: bytes) {
        #expect((try? JSON(parsing: value.serialized())) == value, "\(bytes)")
      }
    case .expression:
      let quoted = JSON.string(text).serialized()
      let line =
        "graphflow: 1\ninputs: {message: string, x: list}\nrequests:\n  a: {get: me}\n"
        + "  feed: {get: me, expect: [\(quoted)]}\n"
      _ = Workflow.reading(SourceFile(path: "fuzz.yaml", bytes: Array(line.utf8)))
    case .csv: readItems(bytes, .csv)
    case .jsonItems: readItems(bytes, .json)
    case .jsonLines: readItems(bytes, .jsonl)
    case .inputs:
      if let sample = Self.sample {
        _ = InputValues.resolving(sample, flags: [], file: source, environment: [:])
      }
    case .curl: readImport(bytes) { try .curl(text) }
    case .archive: readImport(bytes) { try .archive(bytes) }
    case .fixing:
      let (fixed, count) = source.fixed()
      #expect(count > 0 || fixed.bytes == bytes)
      let again = count > 0 ? fixed.fixed().count : 0
      #expect(again == 0, "fixing twice is fixing once: \(bytes)")
    }
  }

  /// What is made a workflow is one that the loader takes, and always the same.
  private func readImport(_ bytes: [UInt8], _ importing: () throws -> ImportedWorkflow) {
    func file() throws -> String { try importing().text(schema: "s") }
    guard let text = try? file() else { return }
    let source = SourceFile(path: "fuzz.yaml", bytes: Array(text.utf8))
    #expect(Workflow.reading(source).workflow != nil, "\(bytes)")
    #expect((try? file()) == text, "\(bytes)")
  }

  private func readWorkflow(_ source: SourceFile) {
    let (workflow, diagnostics) = Workflow.reading(source)
    let isRefused = diagnostics.contains { $0.severity == .error }
    let hasEscape = diagnostics.text(in: source).utf8.contains(0x1b)
    #expect((workflow == nil) == isRefused && !hasEscape, "\(source.bytes)")
    _ = diagnostics.gitHubCommands
    _ = diagnostics.sarif(toolVersion: "1")
  }

  /// Items must not depend on the chunks of the file.
  private func readItems(_ bytes: [UInt8], _ format: ItemReader.Format) {
    let whole = items(bytes, format, chunk: bytes.count + 1)
    let pieces = items(bytes, format, chunk: 1 + bytes.count % 7)
    #expect(whole.items == pieces.items && whole.problem == pieces.problem, "\(bytes)")
  }

  private func items(
    _ bytes: [UInt8], _ format: ItemReader.Format, chunk: Int
  ) -> (items: [JSON], problem: String?) {
    var place = 0
    var reader = ItemReader(format) { _ in
      let end = min(bytes.count, place + chunk)
      defer { place = end }
      return Array(bytes[place..<end])
    }
    var items: [JSON] = []
    do {
      while let item = try reader.next() { items.append(item) }
    } catch { return (items, "\(error)") }
    return (items, nil)
  }
}

extension FuzzReader {
  private static let sample = Workflow.reading(
    SourceFile(path: "sample.yaml", bytes: Array(WorkflowSample.everything.utf8))
  ).workflow

  private static let document: JSON = [
    "data": [["id": "1", "a": [1, 2, 3]], ["id": "2", "b": "c"]], "a": ["b": ["c": .null]], "x": 15,
  ]

  /// The examples of the page about diagnostics, the golden files and the samples.
  private static let files: [String] = {
    let root = SharedFiles.packageRoot(of: #filePath)
    let page = (try? text(of: root + "/docs/reference/diagnostics.md")) ?? ""
    let examples = page.split(separator: "```yaml\n").dropFirst().compactMap {
      $0.split(separator: "```").first.map(String.init)
    }
    return examples + HostileTexts.corpus
  }()

  private static let queries = [
    "$", "$.data[*].id", "$..a[?@.b == 'c' && !@.d || $.e]", "$['a\\u00e9\\n']['b']",
    "$[0:10:-2, 'x']",
    "$[?match(@.a, '[a-z]+.*') && length(@.b) > 3]", "$[?count(@..*) >= 1e2].x", "$[-1,*,?@]",
    "$.a[?value(@..x) != null && search(@.y, \"\\\\p{L}{2,3}\")]",
  ]

  private static let regexps = [
    "a*b", "(a|b)*c", "[a-z\\d]{2,3}x?", "\\p{L}+[^\\P{Nd}]", "(a*)*b", "(a|aa)+$", ".{0,255}",
    "[\\-\\]a-c&&[^b]]", "((a{0,5}){0,5}){0,5}", "[0-9]{4}-[0-9]{2}(T.*)?",
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

  private static let tables = [
    "a,b\n1,2\n3,4\n", "\u{feff}sku,text\r\n1,\"a, \"\"b\"\"\nc\"\r\n2,\r\n", "a\n\n\"\"\n",
    "a;b\n1;2\n", "a,a\n1,2\n", "a,b\n1\n1,2,3\n", "\"a\"x,b\n", "a,b\n\"1\n",
  ]

  private static let documents = [
    "{\"a\": [1, -0.5e+10, true, null, \"\\ud83d\\ude00\\n\"], \"b\": {\"c\": []}}", "\"text\"",
    "12",
    "{\"id\": \"1_2\", \"paging\": {\"next\": \"https://example.com/?after=x\"}}", "[[[[[[1]]]]]]",
  ]
  private static let curlLines = [
    "curl -i -X GET \"https://graph.facebook.com/v25.0/me?fields=id%2Cname&access_token=$T\" | jq",
    "curl -G 'https://graph.facebook.com/{page-id}/feed' -d limit=5 --data-urlencode 'q=a b'",
    "curl -F 'source=@\"a.png\";type=x' -F c=$'\\x41\\u263a\\n' \\\n https://graph.facebook.com/me/photos",
    "curl --json '{\"a\": [1, {\"b\": null}]}' https://graph.facebook.com/me -H 'If-Match: {x}'",
    "curl -d 'batch=[{\"method\":\"GET\",\"name\":\"a b\",\"relative_url\":\"me?a={b}\"},"
      + "{\"relative_url\":\"?ids={result=a b:$.data.*.id}\",\"body\":\"x=%7B\"}]' graph.facebook.com",
    "curl ^\"https://graph.facebook.com/me^\" ^\n --data-raw ^\"m=^%^20x^\"",
  ]

  private static let archives = [
    "{\"log\": {\"entries\": [{\"request\": {\"method\": \"POST\", \"url\": "
      + "\"https://graph.facebook.com/v25.0/me/feed?a=1\", \"headers\": [{\"name\": \"If-Match\", "
      + "\"value\": \"x\"}], \"postData\": {\"mimeType\": \"\", \"text\": \"message=a%20{b}\"}}, "
      + "\"response\": {\"content\": {\"text\": \"{\\\"id\\\": \\\"123456_7\\\"}\"}}}, {\"request\": "
      + "{\"method\": \"DELETE\", \"url\": \"https://graph.facebook.com/123456_7\"}}]}}"
  ]
}
