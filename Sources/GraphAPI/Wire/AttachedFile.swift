/// A file that an operation sends beside its parameters (`attached_files`).
///
/// Source: Graph API, "Batch Requests", uploading binary data.
public struct AttachedFile: Hashable, Sendable {
  /// The name of the multipart part: letters, digits and underscores, none of the protocol's own.
  ///
  /// Graph turns dots in part names into underscores and then does not find the file.
  public let partName: String

  /// The file name that is sent along; quotes and control characters are encoded on the wire.
  public let fileName: String

  /// The media type.
  public let contentType: String

  /// The bytes.
  public let contents: [UInt8]

  /// Makes a file; nil if the part's name or the media type cannot stand in a multipart body.
  public init?(partName: String, fileName: String, contentType: String, contents: [UInt8]) {
    let isValid = partName.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    guard !partName.isEmpty, isValid, !Self.reservedNames.contains(partName) else { return nil }
    let isPrintable = contentType.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard isPrintable, contentType.utf8.contains(UInt8(ascii: "/")) else { return nil }
    self.partName = partName
    self.fileName = fileName
    self.contentType = contentType
    self.contents = contents
  }

  /// The form fields of a batch, which no file may replace.
  static let reservedNames: Set<String> = [
    "access_token", "appsecret_proof", "batch", "include_headers", "method",
  ]
}

extension AttachedFile: Confidential {
  /// The part's name and the size, never the contents.
  public var description: String { "\(partName) (\(contents.count) bytes)" }
}
