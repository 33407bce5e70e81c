/// The media types of files that Graph accepts, by the extensions of their names.
enum MediaType {
  static func ofFile(named name: String) -> String {
    let fileExtension = name.split(separator: ".").last.map { $0.lowercased() }
    return fileExtension.flatMap { types[$0] } ?? "application/octet-stream"
  }

  private static let types = [
    "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "mov": "video/quicktime", "mp4": "video/mp4", "png": "image/png",
    "tiff": "image/tiff", "webp": "image/webp",
  ]
}
