/// A file part of a multipart body.
struct UploadedFile: Sendable {
  /// The part's name as Graph's form parser changes it: dots and spaces become underscores.
  ///
  /// That is why a part named `file1.jpg` counts as not attached (docs/internals/graph-api.md,
  /// Uploads).
  let partName: String
  let contents: ArraySlice<UInt8>

  init(partName: String, contents: ArraySlice<UInt8>) {
    self.partName = String(
      decoding: partName.utf8.map {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0
      }, as: UTF8.self)
    self.contents = contents
  }
}
