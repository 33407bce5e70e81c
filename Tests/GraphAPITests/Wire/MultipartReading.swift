import GraphAPI
import Testing

/// A part of a multipart body as a server sees it.
struct ReceivedPart: Equatable {
  let head: String
  let content: [UInt8]

  var name: String { head.between("name=\"", "\"") }
}

/// Splits a multipart body only by its boundary, as a server does.
func multipartParts(of request: WireRequest) throws -> [ReceivedPart] {
  let type = try #require(request.headers["Content-Type"])
  let boundary = type.between("boundary=", "")
  #expect(boundary.utf8.count <= 70)
  let delimiter = Array("--\(boundary)".utf8)
  var positions: [Int] = []
  var index = 0
  while index + delimiter.count <= request.body.count {
    if request.body[index..<(index + delimiter.count)].elementsEqual(delimiter) {
      positions.append(index)
      index += delimiter.count
    } else {
      index += 1
    }
  }
  let last = try #require(positions.last)
  #expect(request.body[(last + delimiter.count)...].elementsEqual(Array("--\r\n".utf8)))
  return try zip(positions, positions.dropFirst()).map { start, end in
    let bytes = Array(request.body[(start + delimiter.count + 2)..<(end - 2)])
    let split = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
    let head = String(decoding: bytes[..<split.lowerBound], as: UTF8.self)
    return ReceivedPart(head: head, content: Array(bytes[split.upperBound...]))
  }
}

extension String {
  /// The text between two texts; an empty end means the rest.
  func between(_ start: String, _ end: String) -> String {
    guard let from = firstRange(of: start) else { return "" }
    let rest = self[from.upperBound...]
    guard !end.isEmpty, let to = rest.firstRange(of: end) else { return String(rest) }
    return String(rest[..<to.lowerBound])
  }
}
