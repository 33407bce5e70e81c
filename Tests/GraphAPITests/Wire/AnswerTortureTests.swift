import GraphAPI
import JSONPath
import Testing

/// A valid answer to a batch, damaged at every byte: nothing traps, no answer is assigned to another
/// operation, and nothing counts as certain that the damage may have caused.
struct AnswerTortureTests {
  /// Four items in Graph's format: two successful writes, a rejected one, and a read.
  private static let items = [
    #"{"code":200,"headers":[{"name":"ETag","value":"\"a1\""},{"name":"Expires","#
      + #""value":"Sat, 01 Jan 2000 00:00:00 GMT"}],"body":"{\"id\":\"111_1111\"}"}"#,
    #"{"code":200,"body":"{\n   \"id\": \"222_2222\",\n   \"success\": true\n}"}"#,
    #"{"code":400,"body":"{\"error\":{\"message\":\"(#100) Missing message\",\"type\":"#
      + #"\"OAuthException\",\"code\":100,\"fbtrace_id\":\"AbCd3\"}}"}"#,
    #"{"code":200,"body":"{\"data\":[{\"name\":\"Zo\\u00eb \\ud83d\\ude00\",\"id\":\"444\"}],"#
      + #"\"paging\":{\"next\":\"https:\\\/\\\/graph.facebook.com\\\/v25.0\\\/4\"}}"}"#,
  ]

  private static let answer = Array("[\(items.joined(separator: ","))]".utf8)

  /// The item that a byte belongs to; nil for brackets and commas around items.
  private static let owners: [Int?] = {
    var owners: [Int?] = [nil]
    for (number, item) in items.enumerated() {
      owners += [Int?](repeating: number, count: item.utf8.count) + [nil]
    }
    return owners
  }()

  private let request: BatchRequest

  init() throws {
    let methods: [OperationMethod] = [.post, .post, .post, .get]
    let operations = methods.map { BatchOperation(method: $0, path: "me/feed") }
    let token = try #require(AccessToken("t"))
    request = try #require(
      BatchRequest(operations: operations, accessToken: token, version: .current))
  }

  private func answers(to bytes: [UInt8], status: Int = 200) -> [OperationAnswer]? {
    guard case .items(let items) = request.answer(from: WireResponse(status: status, body: bytes))
    else { return nil }
    return items
  }

  /// The conclusion from an answer to a write.
  private enum Certainty: Hashable {
    case happened, didNotHappen, unknown
  }

  private func certainty(of answer: OperationAnswer) -> Certainty {
    guard case .response(let response) = answer else { return .unknown }
    guard let error = response.error else { return .happened }
    let judgement = ErrorTable.standard.classification(of: error, status: response.code)
    return judgement.provesNothingHappened ? .didNotHappen : .unknown
  }

  /// A byte's replacements: each of its bits inverted, and JSON's special characters.
  private static func damage(to byte: UInt8) -> Set<UInt8> {
    Set((0..<8).map { byte ^ (1 << $0) } + Array("\"\\{}[],: 0149null".utf8) + [0, 0xFF])
      .subtracting([byte])
  }

  @Test func `the undamaged answer is read correctly`() throws {
    let items = try #require(answers(to: Self.answer))

    #expect(items.map(certainty) == [.happened, .happened, .didNotHappen, .happened])
    #expect(Self.owners.count == Self.answer.count)
  }

  @Test func `an answer truncated at any byte is unreadable`() {
    for count in 0..<Self.answer.count {
      #expect(answers(to: Array(Self.answer[..<count])) == nil, "cut at \(count)")
    }
  }

  @Test func `with any byte changed no answer is assigned to another operation`() throws {
    let good = try #require(answers(to: Self.answer))
    var readable = 0
    for (index, owner) in Self.owners.enumerated() {
      for byte in Self.damage(to: Self.answer[index]) {
        var damaged = Self.answer
        damaged[index] = byte
        guard let items = answers(to: damaged) else { continue }
        readable += 1
        let changed = items.indices.filter { items[$0] != good[$0] }
        #expect(changed.allSatisfy { $0 == owner }, "byte \(index) as \(byte)")
        for (item, original) in zip(items, good) {
          let now = certainty(of: item)
          let isMadeUp = now != .unknown && now != certainty(of: original)
          #expect(!isMadeUp, "byte \(index) as \(byte) makes \(original) \(now)")
        }
      }
    }
    // Most damaged strings are still strings.
    #expect(readable > 1000)
  }

  @Test func `with any byte missing or doubled no answer is assigned to another operation`() throws
  {
    let good = try #require(answers(to: Self.answer))
    for (index, owner) in Self.owners.enumerated() {
      var shorter = Self.answer
      shorter.remove(at: index)
      var longer = Self.answer
      longer.insert(Self.answer[index], at: index)
      for items in [shorter, longer].compactMap({ answers(to: $0) }) {
        let changed = items.indices.filter { items[$0] != good[$0] }
        #expect(changed.allSatisfy { $0 == owner }, "byte \(index)")
      }
    }
  }

  @Test(arguments: [
    "null", "{}", "true", "[]", "\"\"", "0", "{\"code\":null}", "{\"code\":\"200\"}",
  ])
  func `an invalid item leaves its own operation unknown`(_ replacement: String) throws {
    let good = try #require(answers(to: Self.answer))
    for number in Self.items.indices {
      var items = Self.items
      items[number] = replacement
      let all = try #require(answers(to: Array("[\(items.joined(separator: ","))]".utf8)))

      #expect(certainty(of: all[number]) == .unknown)
      #expect(all.indices.allSatisfy { $0 == number || all[$0] == good[$0] })
    }
  }

  @Test func `a body truncated at any byte leaves its own operation unknown`() throws {
    for (number, body) in [#"{"id":"111_1111"}"#, #"{"id": "222_2222", "success": true}"#]
      .enumerated()
    {
      for count in 0..<body.utf8.count {
        var items = Self.items
        let cut = JSON.string(String(body.prefix(count))).serialized()
        items[number] = #"{"code":200,"body":\#(cut)}"#
        let all = try #require(answers(to: Array("[\(items.joined(separator: ","))]".utf8)))
        #expect(certainty(of: all[number]) == .unknown, "cut at \(count)")
      }
    }
  }

  @Test func `an item too few or too many leaves all unknown`() {
    for number in Self.items.indices {
      var fewer = Self.items
      fewer.remove(at: number)
      var more = Self.items
      more.insert("null", at: number)
      for items in [fewer, more, more + more] {
        #expect(answers(to: Array("[\(items.joined(separator: ","))]".utf8)) == nil)
      }
    }
  }

  @Test(arguments: [
    "", " \n", "null", "<html><body>502 Bad Gateway</body></html>", "{}", "[", "[]", "[[]]", "OK",
    "\u{FEFF}[null,null,null,null]", "[null,null,null,null,]", "[null,null,null,null]]",
    "[null null,null,null]", "[nul,null,null,null]", "{\"0\":null}", "\"[null]\"", "\0", "[\u{FF}]",
  ])
  func `anything but a batch's answer is unreadable`(_ text: String) {
    for status in [200, 201, 299, 300, 304, 307, 400, 404, 429, 500, 502, 503, 100, 700] {
      #expect(answers(to: Array(text.utf8), status: status) == nil)
    }
  }

  @Test func `a valid answer with any other status is unreadable`() {
    for status in Array(100...199) + Array(300...650) {
      #expect(answers(to: Self.answer, status: status) == nil, "\(status)")
    }
  }

  @Test(.enabled(if: !KoalaRecording.all.isEmpty, "the shared fixtures are absent"))
  func `a recorded answer truncated at any byte is unreadable`() throws {
    for recording in KoalaRecording.all {
      let text = Array(recording.answer.utf8)
      guard text.first == UInt8(ascii: "[") else { continue }
      guard let count = (try? JSON(parsing: text))?.array?.count else { continue }
      let operations = (0..<count).map { _ in BatchOperation(method: .post, path: "me/feed") }
      let token = try #require(AccessToken("t"))
      let request = try #require(
        BatchRequest(operations: operations, accessToken: token, version: .current))
      for length in text.indices {
        let response = WireResponse(status: 200, body: Array(text[..<length]))
        if case .unreadable = request.answer(from: response) { continue }
        Issue.record("\(recording) cut at \(length)")
      }
    }
  }
}
