import GraphAPI
import JSONPath
import Testing

/// Koala's recorded batches, encoded and decoded by this library.
@Suite(.enabled(if: !KoalaRecording.all.isEmpty, "the shared fixtures are absent"))
struct KoalaTests {
  @Test func `all recorded batches are read from the file`() {
    #expect(KoalaRecording.all.count == 15)
    #expect(KoalaRecording.all.map(\.line) == KoalaTests.expected.keys.sorted())
  }

  @Test(arguments: KoalaRecording.all)
  func `encoded operations equal the recorded ones`(_ recording: KoalaRecording) throws {
    let request = try #require(try batch(for: recording))

    let wire = request.wireRequest(to: .standard)

    let sent: String
    if recording.parts.isEmpty {
      sent = try #require(formFields(wire.body)["batch"])
    } else {
      let parts = try multipartParts(of: wire)
      sent = try #require(
        parts.first { $0.name == "batch" }.map { String(decoding: $0.content, as: UTF8.self) })
      #expect(parts.filter { $0.head.contains("filename") }.map(\.name) == recording.parts)
    }
    #expect(try lowerCasedMethods(sent) == JSON(parsing: recording.batch))
    #expect(wire.method == "POST")
    #expect(wire.url == "https://graph.facebook.com/v25.0/")
  }

  @Test(arguments: KoalaRecording.all)
  func `recorded answers mean what Koala's tests expect`(_ recording: KoalaRecording) throws {
    let request = try #require(try batch(for: recording))
    let response = WireResponse(status: recording.status, body: Array(recording.answer.utf8))

    let answer = request.answer(from: response)

    #expect(try summary(of: answer) == Self.expected[recording.line]?.answer)
  }

  @Test func `the picture's redirect is an item with a location and no body`() throws {
    let recording = try #require(KoalaRecording.all.first { $0.answer.contains("302") })
    let request = try #require(try batch(for: recording))

    let answer = request.answer(
      from: WireResponse(status: recording.status, body: Array(recording.answer.utf8)))

    guard case .items(let items) = answer, case .response(let item) = items.first else {
      Issue.record("no item")
      return
    }
    #expect(item.headers["location"] == "https://google.com")
    #expect(item.body.isAbsent)
    #expect(item.error == nil)
  }

  private func batch(for recording: KoalaRecording) throws -> BatchRequest? {
    let expected = try #require(Self.expected[recording.line])
    let token = try #require(AccessToken("user-token"))
    return BatchRequest(operations: expected.operations, accessToken: token, version: .current)
  }

  private func lowerCasedMethods(_ text: String) throws -> JSON {
    let operations = try #require(try JSON(parsing: text).array)
    return .array(
      operations.map { operation in
        guard var members = operation.object else { return operation }
        members["method"] = .string((members["method"]?.string ?? "").lowercased())
        return .object(members)
      })
  }

  /// One line for each item: code and body, or the kind of answer.
  private func summary(of answer: BatchAnswer) throws -> [String] {
    switch answer {
    case .refused(let error, let status): ["refused \(status) \(error.code ?? 0) \(error.message)"]
    case .unreadable(let status, _): ["unreadable \(status)"]
    case .items(let items):
      items.map { item in
        switch item {
        case .omitted: "omitted"
        case .notExecuted: "not executed"
        case .response(let response):
          "\(response.code) \(response.error?.message ?? String(decoding: response.body.text, as: UTF8.self))"
        }
      }
    }
  }
}
