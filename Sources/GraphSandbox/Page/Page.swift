import Crypto

/// The sandbox's page: renders a world, without tokens.
struct Page {
  let world: World
  /// Newest first.
  let lastCalls: [SandboxCall]
  /// The key that the page's forms send back, so that forms of other pages are refused.
  let key: String

  var answer: HTTPAnswer {
    var body = Array("<!DOCTYPE html>\n".utf8)
    document.write(to: &body)
    return HTTPAnswer(status: 200, headers: Self.headers, body: body)
  }

  private var document: HTML {
    .tag(
      "html", at: ["lang": "en"],
      .tag(
        "head", .tag("meta", at: ["charset": "utf-8"]),
        .tag("meta", at: ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        // Without an icon, browsers request one from the Graph API.
        .tag("link", at: ["rel": "icon", "href": "data:,"]),
        .tag("title", .text("Sandbox · \(application)")), .tag("style", .verbatim(PageStyle.sheet)),
        .tag("noscript", .tag("meta", at: ["http-equiv": "refresh", "content": "10"]))),
      .tag("body", header, main, .tag("script", .verbatim(PageStyle.script))))
  }

  private var header: HTML {
    .tag(
      "header", .tag("h1", "GraphFlow ", .tag("b", "Sandbox")),
      .tag(
        "p", .tag("span", .text(application)), .tag("span", .tag("code", .text(world.origin))),
        .tag("span", .text("\(GraphTime.clock(world.now)) UTC")),
        .tag("span", .text("\(lastCalls.first?.number ?? 0) calls"))))
  }

  private var main: HTML {
    .tag(
      "main",
      .tag(
        "div", at: ["class": "column"], holding: [devices, permissions, tokens].compactMap(\.self)),
      .tag("div", at: ["class": "column"], holding: [limits, objects].compactMap(\.self)), calls)
  }

  func section(
    _ title: String, note: String = "", class style: String? = nil, _ parts: [HTML]
  ) -> HTML {
    .tag(
      "section", at: ["class": style ?? ""],
      holding: [.tag("h2", .text(title), .small(note))] + parts)
  }

  /// A form; its buttons choose the action.
  func form(_ action: String, _ fields: [(String, String)], _ parts: HTML...) -> HTML {
    let hidden = ([("do", action), ("key", key)] + fields).map { name, value in
      HTML.tag("input", at: ["type": "hidden", "name": name, "value": value])
    }
    return .tag(
      "form", at: ["method": "post", "action": PageRequest.formPath], holding: hidden + parts)
  }

  func button(_ text: String, _ name: String, _ value: String, class style: String? = nil) -> HTML {
    .tag("button", at: ["class": style ?? "", "name": name, "value": value], .text(text))
  }

  private var application: String { name(of: world.access.application) }

  /// The name of a profile, or else its id.
  func name(of id: String) -> String { world.objects[id]?.name ?? id }

  static func refusal(_ reason: String, status: Int = 403) -> HTTPAnswer {
    HTTPAnswer(
      status: status,
      headers: [
        ("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff"),
        invented,
      ], body: Array((reason + "\n").utf8))
  }

  static let redirect = HTTPAnswer(
    status: 303, headers: [("Location", "/"), ("Cache-Control", "no-store"), invented], body: [])

  static let invented = (name: "X-GraphFlow-Sandbox", value: "invented")

  /// The policy allows only this style sheet, this script, and forms to this server.
  private static let headers: [(name: String, value: String)] = [
    ("Content-Type", "text/html; charset=utf-8"),
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src '\(source(PageStyle.sheet))'; "
        + "script-src '\(source(PageStyle.script))'; img-src data:; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    // Browsers send the origin of forms only if the page allows it for the same origin.
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
    invented,
  ]

  /// The digest with which a policy allows a text.
  private static func source(_ text: StaticString) -> String {
    let digest = text.withUTF8Buffer { SHA256.hash(data: Array($0)) }
    return "sha256-" + Base64Text.text(of: Array(digest))
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
