internal import Crypto

/// The body of a POST: a form, or a multipart body (RFC 7578) if there are files.
struct PostBody {
  /// The media type, with the boundary of a multipart body.
  let contentType: String
  private(set) var bytes: [UInt8] = []

  private typealias Part = (head: String, content: [UInt8])

  /// Encodes fields, and files with the names of their parts.
  init(
    _ fields: some Sequence<(String, some Collection<UInt8>)>, files: [(AttachedFile, String)]
  ) {
    guard !files.isEmpty else {
      contentType = "application/x-www-form-urlencoded"
      PercentEncoding.append(fields, to: &bytes)
      return
    }
    let parts =
      fields.map { Self.part(name: $0, value: $1) }
      + files.map { Self.part(file: $0, name: $1) }
    let boundary = "graphflow-\(Self.digest(of: parts))"
    contentType = "multipart/form-data; boundary=\(boundary)"
    bytes.reserveCapacity(parts.reduce(128) { $0 + $1.content.count + $1.head.utf8.count + 96 })
    for part in parts {
      bytes += "--\(boundary)\r\n\(part.head)\r\n".utf8
      bytes += part.content
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
  }

  private static func part(name: String, value: some Collection<UInt8>) -> Part {
    ("Content-Disposition: form-data; name=\"\(quoted(name))\"\r\n", Array(value))
  }

  private static func part(file: AttachedFile, name: String) -> Part {
    let names = "name=\"\(name)\"; filename=\"\(quoted(file.fileName))\""
    let head =
      "Content-Disposition: form-data; \(names)\r\nContent-Type: \(file.contentType)\r\n"
    return (head, file.contents)
  }

  /// A digest of all parts: no content can contain it, and the same parts give the same bytes.
  private static func digest(of parts: [Part]) -> String {
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
