/// The media types of files that Graph takes, by the ending of their names.
enum MediaType {
  /// The type of a file; `application/octet-stream` for endings that are not known here.
  static func ofFile(named name: String) -> String {
    let ending = name.split(separator: ".").last.map { $0.lowercased() }
    return ending.flatMap { types[$0] } ?? "application/octet-stream"
  }

  private static let types = [
    "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "mov": "video/quicktime", "mp4": "video/mp4", "png": "image/png",
    "tiff": "image/tiff", "webp": "image/webp",
  ]
}
