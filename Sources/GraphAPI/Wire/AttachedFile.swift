/// A file to upload with an operation (`attached_files`).
///
/// Source: Graph API, "Batch Requests", uploading binary data.
public struct AttachedFile: Hashable, Sendable {
  /// The name of the multipart part: letters, digits and underscores, but not a reserved name.
  ///
  /// Graph replaces dots in part names by underscores, and then does not find the file.
  public let partName: String
  /// The file name to send; quotes and control characters are percent-encoded on the wire.
  public let fileName: String
  /// The media type, such as `image/png`.
  public let contentType: String
  /// The contents.
  public let contents: [UInt8]

  /// Makes a file; nil if the part name or the media type is invalid.
  ///
  /// The reserved part names are `access_token`, `appsecret_proof`, `batch`, `include_headers` and
  /// `method`.
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

  /// The form fields of a batch; no file may replace them.
  static let reservedNames: Set<String> = [
    "access_token", "appsecret_proof", "batch", "include_headers", "method",
  ]
}

extension AttachedFile: Confidential {
  /// The part's name and the size, never the contents.
  public var description: String { "\(partName) (\(contents.count) bytes)" }
}
