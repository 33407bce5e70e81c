import GraphAPI
import JSONPath
import Testing

/// Requests and answers of logins, as they are on the wire.
struct LoginWireTests {
  private static func form(_ request: SingleRequest) throws -> String {
    let url = try #require(GraphURL("https://graph.facebook.com"))
    let wire = request.wireRequest(to: url)
    return "\(wire.method) \(wire.url) " + String(decoding: wire.body, as: UTF8.self)
  }

  @Test func `a device requests codes and its token with the client token in the body`() throws {
    let client = try #require(AccessToken("42|client"))
    let body = #"{"code":"long","user_code":"ABCD1234","expires_in":420,"interval":5}"#
    let code = try #require(DeviceCode(body: JSON(parsing: body)))

    let begin = DeviceCode.request(by: client, scopes: ["email", "a_b"], version: .current)
    #expect(
      try Self.form(begin) == "POST https://graph.facebook.com/v25.0/device/login "
        + "scope=email%2Ca_b&access_token=42%7Cclient")
    let again = DeviceCode.request(by: client, scopes: [], asksAgain: true, version: .current)
    #expect(try Self.form(again).hasSuffix("auth_type=rerequest&access_token=42%7Cclient"))
    #expect(
      try Self.form(code.poll(by: client, version: .current))
        == "POST https://graph.facebook.com/v25.0/device/login_status "
        + "code=long&access_token=42%7Cclient")
    #expect(!"\(code)".contains("long"))
  }

  @Test(arguments: [
    (#"{"code":"c","user_code":"U","expires_in":"300","interval":"7"}"#, 300, 7),
    (#"{"code":"c","user_code":"U"}"#, 420, 5),
    (#"{"code":"c","user_code":"U","expires_in":1e30,"interval":0}"#, 420, 5),
    (#"{"code":"c","user_code":"U","expires_in":0,"interval":-1}"#, 1, 5),
    (#"{"code":"c","user_code":"U","expires_in":99999999,"interval":99999999}"#, 86_400, 600),
  ])
  func `invalid numbers in the codes are corrected`(
    _ body: String, _ lifetime: Int, _ interval: Int
  ) throws {
    let code = try #require(DeviceCode(body: JSON(parsing: body)))

    #expect(code.lifetime == lifetime)
    #expect(code.interval == interval)
    #expect(code.directURI == "https://www.facebook.com/device?user_code=U")
  }

  @Test(arguments: ["{}", "[]", #"{"code":"c"}"#, #"{"code":"c","user_code":""}"#, "null"])
  func `an answer without codes is rejected`(_ body: String) throws {
    #expect(try DeviceCode(body: JSON(parsing: body)) == nil)
  }

  @Test func `an exchange shows neither token nor secret in its URL`() throws {
    let token = try #require(AccessToken("EAAshort"))
    let secret = try #require(AppSecret("s3cret"))

    let request = try #require(
      TokenExchange.request(for: token, appID: "42", secret: secret, version: .current))

    #expect(
      try Self.form(request) == "POST https://graph.facebook.com/v25.0/oauth/access_token "
        + "client_id=42&client_secret=s3cret&grant_type=fb_exchange_token"
        + "&fb_exchange_token=EAAshort&access_token=42%7Cs3cret")
    #expect(TokenExchange.request(for: token, appID: "", secret: secret, version: .current) == nil)
  }

  @Test func `facts about a token are parsed, also about an invalid one`() throws {
    let good = try #require(
      TokenInspection(
        body: JSON(
          parsing: """
            {"data":{"app_id":42,"application":"App","type":"USER","is_valid":true,
            "expires_at":0,"data_access_expires_at":1800000000,"scopes":["email"],"user_id":"7"}}
            """)))
    let dead = try #require(
      TokenInspection(
        body: JSON(
          parsing: #"{"data":{"is_valid":false,"error":{"code":190,"subcode":463,"message":"x"}}}"#)
      ))

    #expect((good.appID, good.appName, good.userID) == ("42", "App", "7"))
    #expect((good.expiry, good.dataAccessExpiry) == (.never, .at(1_800_000_000)))
    #expect(good.scopes == ["email"])
    #expect(good.error == nil)
    #expect(dead.error?.subcode == 463)
    #expect(dead.expiry == .unknown)
    #expect(try TokenInspection(body: JSON(parsing: #"{"data":[]}"#)) == nil)
  }
}
