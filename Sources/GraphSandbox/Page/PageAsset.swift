import Crypto

/// A part of the page that is the same for everybody.
enum PageAsset: Sendable {
  case style, script
  /// The image that all addresses of images lead to.
  case picture

  var bytes: [UInt8] {
    switch self {
    case .style: PackageResources.page_css
    case .script: PackageResources.page_js
    case .picture: PackageResources.picture_jpg
    }
  }

  /// The digest with which a policy allows it (Content Security Policy Level 3, 2.3.1).
  var source: String { self == .style ? Self.styleSource : Self.scriptSource }

  private static let styleSource = digest(of: .style)
  private static let scriptSource = digest(of: .script)

  private static func digest(of asset: PageAsset) -> String {
    "'sha256-\(Base64Text.text(of: Array(SHA256.hash(data: asset.bytes))))'"
  }
}

/// Bytes in base64 (RFC 4648 section 4).
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[bits >> (18 - 6 * place) & 63]
        output.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
