/// Services of Graph that the sandbox does not have (docs/reference/sandbox.md, What still differs
/// from Graph), and that the catalogue does not know as edges of its types.
extension GraphRequest {
  /// First path segments that are not nodes.
  private static let services: Set = [
    "ads_archive", "ig-api-upload", "ig_hashtag_search", "instagram_oembed", "oembed_page",
    "oembed_post", "oembed_video", "pages",
  ]

  /// Whether Graph would have served a request that failed with this error.
  func isUnserved(_ error: GraphFault) -> Bool {
    guard [100, 324, 803, 2500].contains(error.code) else { return false }
    let name = path.first ?? ""
    if name == "search" { return parameters["type"]?.hasPrefix("ad") == true }
    // A web page is named by its address: how often it was shared, what was said about it.
    let hasURL = (try? names())?.contains(where: \.isURL) ?? false
    if Self.services.contains(name) || hasURL { return true }
    switch path.dropFirst().first {
    // Resumable uploads.
    case "media"?: return parameters["upload_type"] == "resumable"
    // Threads, WhatsApp, the Conversions API, catalogues and custom audiences.
    case "threads"?, "threads_publish"?: return true
    case "messages"?: return parameters.contains("messaging_product")
    case "events"?, "items_batch"?: return method == .post
    case "users"?, "usersreplace"?: return parameters.contains("payload")
    default: return false
    }
  }
}

extension String {
  fileprivate var isURL: Bool { hasPrefix("http://") || hasPrefix("https://") }
}
