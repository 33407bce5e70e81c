import GraphAPI
import GraphFlow
import JSONPath

/// Texts like those that Graph and its users write, the same in every bench.
enum BenchData {
  /// A list of posts with escapes, nested objects and edges; about 400 bytes each.
  static func posts(count: Int) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for index in 0..<count {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += Array(post(index).utf8)
    }
    text.append(UInt8(ascii: "]"))
    return text
  }

  /// A page of an edge: `data` and `paging`.
  static func page(of count: Int) -> [UInt8] {
    Array(#"{"data":"#.utf8) + posts(count: count)
      + Array(#","paging":{"cursors":{"before":"QVFI","after":"QVFJ"}}}"#.utf8)
  }

  /// A batch of 50 reads and its answer, in which every body is a page in a string.
  static func batch(postsPerBody: Int) throws -> (request: BatchRequest, response: WireResponse) {
    let operation = BatchOperation(method: .get, path: "me/feed")
    guard let token = AccessToken("bench"),
      let request = BatchRequest(
        operations: Array(repeating: operation, count: 50),
        accessToken: token,
        version: .current
      )
    else { throw CommandFailure(.internalError, "the bench has no batch") }
    let body = String(decoding: page(of: postsPerBody), as: UTF8.self)
    var item = Array(
      #"{"code":200,"headers":[{"name":"Content-Type","value":"text\/javascript"}],"body":"#.utf8
    )
    JSON.writeString(body, to: &item)
    item.append(UInt8(ascii: "}"))
    let answer = Array(repeating: item, count: 50).joined(separator: [UInt8(ascii: ",")])
    return (request, WireResponse(status: 200, body: [UInt8(ascii: "[")] + answer + [93]))
  }

  /// A workflow of independent reads; about 100 bytes each.
  static func workflow(requests count: Int) -> SourceFile {
    var text = "graphflow: 1\nname: bench\nrequests:\n"
    text.reserveCapacity(count * 110)
    for index in 0..<count {
      text += """
          read-\(index):
            get: "me"
            params:
              fields: id,name  # the request number \(index)
            idempotent: true

        """
    }
    return SourceFile(path: "bench.yaml", bytes: Array(text.utf8))
  }

  /// Writes a CSV file of so many rows; about 45 bytes each.
  static func writeRows(_ count: Int, to path: String) throws {
    let file = try AtomicFile(at: path)
    try file.append(Array("id,note\n".utf8))
    for index in 0..<count {
      try file.append(Array("row-\(index),some text of row number \(index)\n".utf8))
    }
    try file.finish()
  }

  private static func post(_ index: Int) -> String {
    """
    {"id":"100044123456789_\(1_000_000 + index)","created_time":"2026-11-20T09:00:00+0000",\
    "message":"Caf\\u00e9 \\"number\\" \(index) is open today, come in \\ud83d\\ude00",\
    "permalink_url":"https:\\/\\/www.facebook.com\\/100044123456789\\/posts\\/\(index)",\
    "from":{"name":"Alex Example","id":"100044123456789"},"is_published":true,\
    "likes":{"data":[{"id":"1","name":"Sam"}],"summary":{"total_count":\(index % 40)}},\
    "shares":{"count":\(index % 7)},"place":null,"score":\(index).25}
    """
  }
}
