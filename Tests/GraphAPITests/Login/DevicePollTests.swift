import GraphAPI
import JSONPath
import Testing

/// The answers to a device that polls.
struct DevicePollTests {
  private static func poll(_ body: String, status: Int = 400) throws -> DevicePoll {
    let client = try #require(AccessToken("1|client"))
    let request = DeviceCode.request(by: client, scopes: [], version: .current)
    let response = WireResponse(status: status, body: Array(body.utf8))
    return DevicePoll(request.answer(from: response))
  }

  @Test(arguments: [
    ("31,\"error_subcode\":1349174", DevicePoll.pending),
    ("17,\"error_subcode\":1349172", .slowDown),
    ("31,\"error_subcode\":1349173", .declined),
    ("463,\"error_subcode\":1349152", .expired),
    ("190,\"error_subcode\":1349174", .pending),
  ])
  func `the subcode decides, whatever the code`(_ code: String, _ wanted: DevicePoll) throws {
    #expect(try Self.poll("{\"error\":{\"message\":\"x\",\"code\":\(code)}}") == wanted)
  }

  @Test(arguments: [
    ("authorization_pending", DevicePoll.pending), ("slow_down", .slowDown),
    ("authorization_declined", .declined), ("code_expired", .expired),
  ])
  func `the messages of older versions are recognized`(
    _ message: String, _ wanted: DevicePoll
  ) throws {
    #expect(try Self.poll("{\"error\":{\"message\":\"\(message)\",\"code\":1}}") == wanted)
  }

  @Test(arguments: [
    (500, #"{"error":{"message":"An unknown error","code":2}}"#),
    (400, #"{"error":{"message":"User request limit reached","code":17}}"#),
    (502, "<html>Bad gateway</html>"), (200, "{}"), (200, "[]"), (200, ""), (302, "{}"),
    (200, #"{"access_token":""}"#), (200, #"{"access_token":"two words"}"#), (200, "\u{0}"),
  ])
  func `a temporary error is polled again`(_ status: Int, _ body: String) throws {
    guard case .temporaryError = try Self.poll(body, status: status) else {
      Issue.record("\(status) \(body) is not asked again")
      return
    }
  }

  @Test func `any other error ends the login`() throws {
    let body = #"{"error":{"message":"Invalid OAuth access token","code":190}}"#

    guard case .refused(let error, let status) = try Self.poll(body) else {
      Issue.record("it is no refusal")
      return
    }
    #expect(error.code == 190)
    #expect(status == 400)
  }

  @Test(arguments: [
    (#"5183996"#, 5_183_996), (#""5183996""#, 5_183_996), ("0", nil), ("-5", nil), ("1e99", nil),
    ("null", nil), (#""soon""#, nil), ("9223372036854775807", nil),
  ])
  func `a token has a lifetime, as a number or a string`(_ written: String, _ lifetime: Int?) throws
  {
    let poll = try Self.poll(#"{"access_token":"EAAx","expires_in":\#(written)}"#, status: 200)

    guard case .granted(let grant) = poll else {
      Issue.record("no token is granted")
      return
    }
    #expect(grant.token.exposed == "EAAx")
    #expect(grant.lifetime == lifetime)
    #expect(grant.expiry(grantedAt: 1000) == (lifetime.map { .at(1000 + $0) } ?? .unknown))
    #expect(!"\(grant)".contains("EAAx"))
  }
}
