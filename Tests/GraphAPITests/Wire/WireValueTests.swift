import GraphAPI
import Testing

struct WireValueTests {
  @Test(arguments: ["v25.0", "v2.12", "v1.0", "v999.999"])
  func `a version is parsed and printed alike`(_ text: String) {
    #expect(GraphVersion(text)?.description == text)
  }

  @Test(arguments: [
    "", "v", "25.0", "v25", "v25.", "v.0", "V25.0", "v25.0.1", "v025.0", "v25.00", "v1000.0",
    "v25.0 ", "v-1.0", "v٢.0", "v25,0",
  ])
  func `an invalid version is rejected`(_ text: String) { #expect(GraphVersion(text) == nil) }

  @Test func `versions are ordered by number`() throws {
    let old = try #require(GraphVersion("v2.12"))
    let newer = try #require(GraphVersion("v9.0"))

    #expect(old < newer)
    #expect(newer < .current)
    #expect(GraphVersion.known.map(\.version) == GraphVersion.known.map(\.version).sorted(by: >))
    #expect(GraphVersion.known.contains { $0.version == .current })
  }

  @Test(arguments: [
    ("https://graph.facebook.com", "https://graph.facebook.com"),
    ("https://graph.facebook.com/", "https://graph.facebook.com"),
    ("HTTPS://Graph.Facebook.com:443/", "https://graph.facebook.com:443"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://127.9.9.9", "http://127.9.9.9"),
    ("http://localhost:1/", "http://localhost:1"),
    ("http://[::1]:65535", "http://[::1]:65535"),
    ("https://[2001:db8::1]", "https://[2001:db8::1]"),
  ])
  func `a base URL is a host, with TLS or on loopback`(_ text: String, _ expected: String) {
    #expect(GraphURL(text)?.description == expected)
  }

  @Test(arguments: [
    "", "graph.facebook.com", "http://graph.facebook.com", "http://127.0.0.1.evil.example",
    "http://127.0.0.256", "https://user@graph.facebook.com", "https://user:pw@host",
    "https://host/path", "https://host//", "https://host?x", "https://host#x", "https://",
    "https://host:", "https://host:0", "https://host:65536", "https://host:8a", "https://ho st",
    "https://-host", "https://host..x", "https://[::1", "https://[]", "https://[::1]x",
    "ftp://localhost", "https://host\r\nX: y", "https://höst", "http://localhost.evil.example",
  ])
  func `other URLs are rejected`(_ text: String) { #expect(GraphURL(text) == nil) }

  @Test(arguments: [
    ("", "v"), ("a b", "v"), ("a:", "v"), ("a\r\n", "v"), ("ä", "v"), ("HTTP/1.1", "v"),
    ("A", "v\r\nB: c"), ("A", "v\n"), ("A", "\u{0}"), ("A", "\u{7F}"),
  ])
  func `a header cannot break out of its line`(_ name: String, _ value: String) {
    #expect(HeaderField(name, value) == nil)
  }

  @Test func `headers are found case-insensitively`() throws {
    let fields = [HeaderField("ETag", "\"a\""), HeaderField("etag", "\"b\"")].compactMap(\.self)

    #expect(fields["eTaG"] == "\"a\"")
    #expect(fields["ETa"] == nil)
  }

  @Test(arguments: [
    ("120", 120), ("0", 0), ("-1", nil), ("1.5", nil), ("99999999999", nil), ("", nil),
    // 2015-10-21 07:28:00, in the three formats of a date, a minute after `Date`.
    ("Wed, 21 Oct 2015 07:28:00 GMT", 60), ("Wednesday, 21-Oct-15 07:28:00 GMT", 60),
    ("Wed Oct 21 07:28:00 2015", 60), ("Wed, 21 Oct 2015 06:28:00 GMT", 0),
    ("Thu, 31 Dec 2015 23:59:60 GMT", 6_193_980), ("Wed, 21 Oct 2015 07:28:00 CET", nil),
    ("Wed, 21 Okt 2015 07:28:00 GMT", nil), ("Wed, 41 Oct 2015 07:28:00 GMT", nil),
    ("Wed, 21 Oct 2015 24:28:00 GMT", nil), ("Wed, 21 Oct 15 07:28:00 GMT GMT", nil),
    ("tomorrow", nil),
  ])
  func `Retry-After counts in whole seconds, or is a date of the server's clock`(
    _ value: String, _ seconds: Int?
  ) {
    let date = HeaderField("date", "Wed, 21 Oct 2015 07:27:00 GMT")
    let fields = [HeaderField("retry-after", value), date].compactMap(\.self)

    #expect(fields.retryAfter() == seconds.map { .seconds($0) })
    #expect(fields.retryAfter(at: HTTPDate(seconds: 0)) == seconds.map { .seconds($0) })
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Wed, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Friday, 01-Jan-70 00:00:00 GMT", 0),
  ])
  func `a date is a number of seconds`(_ text: String, _ seconds: Int64) {
    #expect([HeaderField("Date", text)].compactMap(\.self).date?.seconds == seconds)
  }

  @Test func `a date is relative to the given clock if the answer has no Date`() {
    let fields = [HeaderField("Retry-After", "Thu, 01 Jan 1970 00:01:40 GMT")].compactMap(\.self)

    #expect(fields.retryAfter() == nil)
    #expect(fields.retryAfter(at: HTTPDate(seconds: 40)) == .seconds(60))
  }

  @Test(arguments: ["", "a.b", "a b", "a\"", "ä", "batch", "access_token", "a-b"])
  func `a part name has letters, digits and underscores`(_ name: String) {
    #expect(
      AttachedFile(partName: name, fileName: "x", contentType: "image/png", contents: []) == nil)
  }

  @Test(arguments: ["", "image", "image/png\r\nX: y", "imäge/png"])
  func `a media type is printable`(_ type: String) {
    #expect(AttachedFile(partName: "a", fileName: "x", contentType: type, contents: []) == nil)
  }
}
