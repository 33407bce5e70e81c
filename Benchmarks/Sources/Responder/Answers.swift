/// Answers with the structure and size of Graph's, different for each operation.
///
/// An item has the headers of RestFB's recording of a batch, in that order, and the one for strict
/// transport security that Graph sends today: ten headers of 600 bytes. With its body an item has
/// about 1,050 bytes. One of 200 operations gets a recorded error: an object that does not exist.
struct Answers {
  private let headers: [UInt8]
  private let errorHeaders: [UInt8]
  private let messages: [[UInt8]]
  private let authors: [[UInt8]]

  /// - Parameter hasItemHeaders: whether the items of a batch have their headers.
  init(hasItemHeaders: Bool) {
    headers = hasItemHeaders ? Self.written(Self.recorded) : []
    errorHeaders = hasItemHeaders ? Self.written(Self.recordedWithError) : []
    messages = Self.messages
    authors = ["Caf\\\\u00e9 Central", "Alex Example", "Bakery on the Corner", "City Library"]
      .map { Array($0.utf8) }
  }

  /// An answer with its head to a batch of reads.
  ///
  /// - Parameter ids: the objects that are read, in the batch's order.
  /// - Returns: the bytes to send.
  func batch(_ ids: [ArraySlice<UInt8>]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(ids.count * 1100 + 2)
    body.append(UInt8(ascii: "["))
    for (index, id) in ids.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      append(id, to: &body)
    }
    body.append(UInt8(ascii: "]"))
    return Self.head(length: body.count) + body
  }

  private func append(_ id: ArraySlice<UInt8>, to body: inout [UInt8]) {
    let number = (id.reduce(0) { $0 &* 31 &+ UInt64($1) } &* 0x9E37_79B9_7F4A_7C15) >> 33
    guard number % 200 != 0 else {
      body += #"{"code":400,"#.utf8
      body += errorHeaders
      body += Self.errorStart
      body += id
      body += Self.errorEnd
      return
    }
    let message = messages[Int(number % UInt64(messages.count))]
    let author = authors[Int((number >> 8) % UInt64(authors.count))]
    body += #"{"code":200,"#.utf8
    body += headers
    body += #""body":"{\"id\":\"100044123456789_"#.utf8
    body += id
    body += #"\",\"message\":\""#.utf8
    body += message
    body += id
    body += #"\",\"created_time\":\"2026-11-20T09:"#.utf8
    body += [48 + UInt8(number % 6), 48 + UInt8(number % 10)]
    body += #":07+0000\",\"from\":{\"name\":\""#.utf8
    body += author
    body += #"\",\"id\":\"100044123456789\"}}"}"#.utf8
  }

  /// The head of an answer, with the headers for the usage of limits.
  private static func head(length: Int) -> [UInt8] {
    Array(
      """
      HTTP/1.1 200 OK\r
      Vary: Origin, Accept-Encoding\r
      x-app-usage: {"call_count":2,"total_cputime":1,"total_time":2}\r
      Content-Type: application/json; charset=UTF-8\r
      facebook-api-version: v25.0\r
      Strict-Transport-Security: max-age=15552000; preload\r
      Pragma: no-cache\r
      Cache-Control: private, no-cache, no-store, must-revalidate\r
      Expires: Sat, 01 Jan 2000 00:00:00 GMT\r
      x-fb-request-id: AjPj2sQoTXXAjPj2sQoTXX\r
      x-fb-trace-id: AjPj2sQoTXX\r
      x-fb-rev: 1029384756\r
      Date: Fri, 20 Nov 2026 09:00:07 GMT\r
      Connection: keep-alive\r
      Content-Length: \(length)\r
      \r

      """.utf8
    )
  }

  private static func written(_ headers: [(name: String, value: String)]) -> [UInt8] {
    let members = headers.map { header in
      let value = header.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("/", with: "\\/")
      return "{\"name\":\"\(header.name)\",\"value\":\"\(value)\"}"
    }
    return Array("\"headers\":[\(members.joined(separator: ","))],".utf8)
  }

  private static let common = [
    ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
    ("Facebook-API-Version", "v25.0"),
    ("Content-Type", "text/javascript; charset=UTF-8"),
    ("X-App-Usage", #"{"call_count":2,"total_cputime":2,"total_time":2}"#),
  ]
  private static let recorded: [(name: String, value: String)] =
    [
      ("Access-Control-Allow-Origin", "*"),
      ("ETag", #""bbf9cb99fcd98ba6c16300aa5c925306d0ab8636""#),
    ] + common + [
      ("Cache-Control", "private, no-cache, no-store, must-revalidate"),
      ("Vary", "Accept-Encoding"), ("Pragma", "no-cache"),
      ("Strict-Transport-Security", "max-age=15552000; preload"),
    ]
  private static let missing =
    "Unsupported get request. Object with ID does not exist, cannot be loaded due to missing "
    + "permissions, or does not support this operation. Please read the Graph API documentation at "
    + "https://developers.facebook.com/docs/graph-api"
  private static let recordedWithError: [(name: String, value: String)] =
    [("WWW-Authenticate", #"OAuth "Facebook Platform" "invalid_request" "\#(missing)""#)] + common
    + [
      ("Cache-Control", "no-store"), ("Vary", "Accept-Encoding"), ("Pragma", "no-cache"),
      ("Access-Control-Allow-Origin", "*"),
    ]

  private static let errorStart = Array(
    #""body":"{\"error\":{\"message\":\"Unsupported get request. Object with ID '"#.utf8
  )
  private static let errorEnd = Array(
    (#"' does not exist, cannot be loaded due to missing permissions, or does not support this "#
      + #"operation. Please read the Graph API documentation at https:\\\/\\\/developers.facebook.com"#
      + #"\\\/docs\\\/graph-api\",\"type\":\"GraphMethodException\",\"code\":100,"#
      + #"\"error_subcode\":33,\"fbtrace_id\":\"AjPj2sQoTXX\"}}"}"#).utf8
  )

  /// Texts like those of pages, escaped twice, because an item's body is a string.
  private static var messages: [[UInt8]] {
    let sentences = [
      #"We are open today until 8 pm, come in! \\ud83d\\ude00"#,
      #"Caf\\u00e9, cake & a \\\"secret\\\" recipe since 1921"#,
      #"Read more: https:\\\/\\\/example.com\\\/news?id=1&ref=page"#,
      #"Gr\\u00fc\\u00dfe aus K\\u00f6ln und vielen Dank f\\u00fcr alles"#,
      #"New opening hours from Monday on, see the notice at the door"#,
      #"Thank you for 10,000 likes, you are the best readers of all"#,
    ]
    return (0..<36).map { index in
      let (first, second) = (sentences[index / 6], sentences[index % 6])
      return Array("\(first) \(second) \(sentences[(index + 3) % 6]) - number ".utf8)
    }
  }
}
