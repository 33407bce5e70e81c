import FoundationEssentials
import GraphAPI
import Testing

/// A recorded secret is replaced in every form that docs/reference/language.md lists ("Secrets").
struct SecretMaskTests {
  private static let secrets = ["EAAGm0PX4ZCpsBA/x+y=z", "123456789|s3cr\"t\\abc-DEF_~"]

  private func mask(_ secrets: [String]) throws -> SecretMask {
    var mask = SecretMask()
    for secret in secrets { mask.record(try #require(AccessToken(secret))) }
    return mask
  }

  /// The encodings in which a text may contain a secret.
  private static func writings(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let escapes = bytes.map { byte in
      let isPlain = (48...57).contains(byte) || (97...122).contains(byte | 0x20)
      let digits = String(byte, radix: 16)
      return isPlain || "-._~".utf8.contains(byte)
        ? String(decoding: [byte], as: UTF8.self)
        : "%" + (digits.count == 1 ? "0" : "") + digits
    }
    let lower = escapes.map { $0.count == 1 ? $0 : $0.lowercased() }.joined()
    let upper = escapes.map { $0.count == 1 ? $0 : $0.uppercased() }.joined()
    let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return [
      secret, upper, lower, upper.replacing("%", with: "%25"), json,
      json.replacing("/", with: "\\/"), hex, hex.uppercased(),
    ]
  }

  @Test(arguments: secrets, ["", "before "])
  func `a secret is masked in every encoding`(_ secret: String, _ before: String) throws {
    let mask = try mask([secret])
    for writing in Self.writings(of: secret) {
      #expect(mask.masked(before + writing + " after") == before + "*** after")
    }
  }

  /// The encoders of Graph, PHP, Python and Go.
  @Test(arguments: [
    #"p\u0040ss+w\u00f6rd\/<"#, #"p@ss+w\u00f6rd/<"#, #"p@ss+w\u00F6rd\/\u003C"#,
    #"p@ss+wörd/\u003c"#, #"p\u0040ss+wörd\/\u003c"#,
  ])
  func `a secret is masked as JSON encoders write it`(_ writing: String) throws {
    let mask = try mask(["p@ss+wörd/<"])
    #expect(mask.masked("before \(writing) after") == "before *** after")
  }

  @Test(arguments: secrets, 0..<6)
  func `a secret is masked in base64 at any offset`(_ secret: String, _ shift: Int) throws {
    let mask = try mask([secret])
    for behind in ["", "!", "~~", "???"] {
      let text = String(repeating: "~", count: shift) + secret + behind
      let encoded = Data(text.utf8).base64EncodedString()
      for form in [encoded, encoded.replacing("+", with: "-").replacing("/", with: "_")] {
        let masked = mask.masked(form)
        #expect(masked.contains("***"))
        // Less than a byte of the secret remains at either end.
        let rest = masked.split(separator: "***", omittingEmptySubsequences: false)
        #expect(rest.count == 2)
        #expect(rest[0].utf8.count <= (shift * 8 + 5) / 6)
        #expect(rest[1].utf8.count <= (behind.utf8.count + 2) / 3 * 4 + 4)
      }
    }
  }

  @Test func `the longest of several secrets with the same prefix is masked`() throws {
    let mask = try mask(["EAAtoken", "EAAtoken-and-more"])
    #expect(mask.masked("a EAAtoken-and-more b EAAtoken c") == "a *** b *** c")
  }

  @Test func `adjacent secrets are masked one by one`() throws {
    let mask = try mask(["EAAone1", "EAAtwo2"])
    #expect(mask.masked("EAAone1EAAtwo2EAAone") == "******EAAone")
  }

  @Test func `an app's secret is masked`() throws {
    var mask = SecretMask()
    mask.record(try #require(AppSecret("0123456789abcdef")))
    #expect(mask.masked("secret 0123456789abcdef.") == "secret ***.")
  }

  @Test func `nil is returned for a text without secrets`() throws {
    let empty = SecretMask()
    #expect(empty.redactedByValue(Array("EAAone1".utf8)) == nil)
    let mask = try mask(["EAAone1"])
    #expect(mask.redactedByValue(Array("EAAone2 and EAA, E".utf8)) == nil)
    #expect(mask.redactedByValue([]) == nil)
  }

  @Test func `thousands of secrets are searched for at once`() throws {
    let mask = try mask((0..<2_000).map { "EAAB-page-token-\($0)-x" })
    let text = (0..<5_000).map { "EAAB-page-token-\($0)-x" }.joined(separator: " ")
    let masked = mask.masked(text)
    #expect(masked.split(separator: "***", omittingEmptySubsequences: false).count == 2_001)
    #expect(masked.hasSuffix("EAAB-page-token-4999-x"))
  }

  @Test(arguments: [
    (#"{"my-own-secret":1,"b":[{"x my-own-secret":2}]}"#, #"{"***":1,"b":[{"x ***":2}]}"#),
    (#"{"a":"my-own-secret","a":"x"}"#, #"{"a":"x"}"#),
    (#"{"access_token":"unknown","access_token":null}"#, #"{"access_token":null}"#),
    (#"{"a":"\u006dy\u002down\u002dsecret"}"#, #"{"a":"***"}"#),
    (#"{"n":[1234567890123456]}"#, #"{"n":["***"]}"#),
    ("not JSON: my-own-secret", "not JSON: ***"),
  ])
  func `secrets are found in names, in members that are replaced, in escapes and in numbers`(
    _ text: String, _ expected: String
  ) {
    var mask = SecretMask()
    mask.record("my-own-secret")
    mask.record("1234567890123456")

    #expect(String(decoding: mask.masked(Array(text.utf8)), as: UTF8.self) == expected)
  }

  @Test func `proofs are recorded whether the token or the app's secret comes first`() throws {
    let secret = try #require(AppSecret("secret-of-an-app"))
    let token = try #require(AccessToken("token-of-nobody"))
    let proof = secret.proof(for: token)
    var first = SecretMask()
    first.record(token)
    first.record(secret)
    var second = SecretMask()
    second.record(secret)
    second.record(token)

    #expect(first.masked(proof) == "***" && second.masked(proof) == "***")
    #expect(first.takeNewSecrets().count == 3 && first.takeNewSecrets().isEmpty)
  }
}
