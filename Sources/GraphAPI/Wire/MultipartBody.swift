internal import Crypto

/// A `multipart/form-data` body under construction (RFC 7578).
struct MultipartBody {
  private struct Part {
    let head: String
    let content: [UInt8]
  }

  private var parts: [Part] = []

  /// Appends a form field.
  mutating func append(_ name: String, _ value: some Sequence<UInt8>) {
    let head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\"\r\n"
    parts.append(Part(head: head, content: Array(value)))
  }

  /// Appends a file under a part name.
  mutating func append(_ file: AttachedFile, as partName: String) {
    let names = "name=\"\(partName)\"; filename=\"\(Self.quoted(file.fileName))\""
    let head =
      "Content-Disposition: form-data; \(names)\r\nContent-Type: \(file.contentType)\r\n"
    parts.append(Part(head: head, content: file.contents))
  }

  /// The media type with the boundary, and the body.
  ///
  /// The boundary is a digest of all parts, so no content can contain it, and the same parts give the
  /// same bytes.
  func encoded() -> (contentType: String, bytes: [UInt8]) {
    let boundary = "graphflow-\(digest())"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(128) { $0 + $1.content.count + $1.head.utf8.count + 96 })
    for part in parts {
      bytes += Array("--\(boundary)\r\n\(part.head)\r\n".utf8)
      bytes += part.content
      bytes += Array("\r\n".utf8)
    }
    bytes += Array("--\(boundary)--\r\n".utf8)
    return ("multipart/form-data; boundary=\(boundary)", bytes)
  }

  private func digest() -> String {
    var hash = SHA256()
    for part in parts {
      hash.update(data: Array("\(part.head.utf8.count) \(part.content.count) \(part.head)".utf8))
      hash.update(data: part.content)
    }
    // Twenty bytes in hexadecimal keep the boundary below the 70 characters of RFC 2046.
    return Hexadecimal.text(of: hash.finalize().prefix(20))
  }

  /// A quoted name as browsers write it: characters that could end it are percent-encoded.
  private static func quoted(_ name: String) -> String {
    var output = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": output += "%22"
      case "\\": output += "%5C"
      case _ where scalar.properties.generalCategory == .control:
        output += PercentEncoding.encoded(String(scalar))
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
