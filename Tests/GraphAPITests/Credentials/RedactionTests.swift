import GraphAPI
import JSONPath
import Testing

struct RedactionTests {
  @Test(arguments: [
    (#"{"access_token":"EAAB","id":"1"}"#, #"{"access_token":"***","id":"1"}"#),
    (
      #"{"data":[{"page_token":"EAAB"},{"x":{"client_secret":7}}]}"#,
      #"{"data":[{"page_token":"***"},{"x":{"client_secret":"***"}}]}"#
    ),
    (#"{"appsecret_proof":["a","b"]}"#, #"{"appsecret_proof":"***"}"#),
    (#"{"ACCESS_TOKEN":"EAAB"}"#, #"{"ACCESS_TOKEN":"***"}"#),
    (#"{"access\u005ftoken":"EAAB"}"#, #"{"access_token":"***"}"#),
    (#"{"\u0061ccess_tok\u0065n":"EAAB"}"#, #"{"access_token":"***"}"#),
    (
      #"{"next":"https://graph.facebook.com/v25.0/1/feed?access_token=EAA%7CB&limit=25"}"#,
      #"{"next":"https://graph.facebook.com/v25.0/1/feed?access_token=***&limit=25"}"#
    ),
    (
      #"{"next":"https:\/\/g\/?limit=1&access_token=EAAB"}"#,
      #"{"next":"https://g/?limit=1&access_token=***"}"#
    ),
    (
      #"{"u":"a?_fb_url=b%3Faccess_token%3DEAAB%26limit%3D1&c=d"}"#,
      #"{"u":"a?_fb_url=b%3Faccess_token%3D***%26limit%3D1&c=d"}"#
    ),
    (
      #"{"error_data":"{\"access_token\":\"EAAB\",\"n\":1}"}"#,
      #"{"error_data":"{\"access_token\":\"***\",\"n\":1}"}"#
    ),
    (
      #"{"message":"bad appsecret_proof=abc, access_token=EAAB."}"#,
      #"{"message":"bad appsecret_proof=***, access_token=***"}"#
    ),
    (
      #"{"big":12345678901234567890123,"access_token":"x"}"#,
      #"{"big":12345678901234567890123,"access_token":"***"}"#
    ),
  ])
  func `secrets in JSON become stars`(_ text: String, _ expected: String) throws {
    let result = try #require(SecretMask().redacted(Array(text.utf8)))

    #expect(String(decoding: result, as: UTF8.self) == expected)
    #expect(SecretMask().redacted(try JSON(parsing: text))?.serialized() == expected)
  }

  @Test(arguments: [
    ("access_token=EAAB&expires=5184000", "access_token=***&expires=5184000"),
    (
      #"[{"code":200,"body":"{\"access_token\":\"EAAB"#,
      #"[{"code":200,"body":"{\"access_token\":\"***"#
    ),
    (#"{"access_token": "EAAB", "#, #"{"access_token": "***", "#),
    ("<a href='x?access_token=EAAB'>", "<a href='x?access_token=***'>"),
  ])
  func `secrets in text that is not JSON become stars`(_ text: String, _ expected: String) throws {
    let result = try #require(SecretMask().redacted(Array(text.utf8)))

    #expect(String(decoding: result, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    "", "{}", #"{ "id" : "1_2", "message":"a\u0040b \/ _tokens" }"#, #"{"access_token":null}"#,
    #"{"access_token":"***"}"#, #"{"next":"x?access_token=***&a=b"}"#, #"{"token":"EAAB"}"#,
    #"{"message":"the access_token is missing"}"#, "\u{FEFF}not json", "access_token=",
    #"{"a":"\u0041lpha"}"#,
  ])
  func `texts without secrets are unchanged`(_ text: String) {
    #expect(SecretMask().redacted(Array(text.utf8)) == nil)
  }

  @Test func `redacting twice changes nothing more`() throws {
    let text = Array(#"{"access_token":"a","next":"?access_token=b","t":[{"x_token":1}]}"#.utf8)

    let once = try #require(SecretMask().redacted(text))

    #expect(SecretMask().redacted(once) == nil)
  }

  @Test func `invalid UTF-8 is accepted`() {
    let text: [UInt8] = [0xFF, 0xC0] + Array("access_token=EAAB".utf8) + [0x20, 0xFE]

    #expect(
      SecretMask().masked(text) == [0xFF, 0xC0] + Array("access_token=***".utf8) + [0x20, 0xFE])
  }
}
