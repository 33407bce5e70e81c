/// Writes an SVG element by element, and escapes every text.
struct SVGText {
  private var text: String
  /// The beginning of all ids; those of several drawings on one page differ.
  private let id: String

  /// Colors for both color schemes: light, and dark if the reader's system prefers it.
  ///
  /// It does not use variables, because not all SVG renderers support them.
  private static let style = """
    <style>
    text{font:12px "DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1c2733;white-space:pre}
    .h{font-size:14px;font-weight:bold}.n{font-weight:bold}.d{fill:#5a6772}
    .e{fill:#5a6772;font-size:11px}.g{fill:#fff}.r{fill:#f1f4f7}
    .b{fill:#fff;stroke:#8c98a4}.t,.o{fill:none;stroke:#2f6fbb}.o{stroke-dasharray:3 2}
    .p{fill:#2f6fbb}.s{fill:none;stroke:#b4451f;stroke-width:2.5}.a{fill:#b4451f}
    @media(prefers-color-scheme:dark){
    text{fill:#e4eaf0}.d,.e{fill:#9aa8b5}.g{fill:#14181d}.r{fill:#1b2129}
    .b{fill:#232b35;stroke:#5d6b7a}.t,.o{stroke:#7cb2f0}.p{fill:#7cb2f0}
    .s{stroke:#f08a5d}.a{fill:#f08a5d}}
    </style>

    """

  /// Begins a drawing; one that is embedded in a page has the page's style.
  init(
    width: Int, height: Int, title: String, description: String, embeddedAs page: String? = nil
  ) {
    id = page ?? "plan"
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="\(id)-title \(id)-desc">
      <title id="\(id)-title">\(SVGText.escaped(title))</title>
      <desc id="\(id)-desc">\(SVGText.escaped(description))</desc>

      """
    if page == nil {
      text += SVGText.style
      text += "<rect class=\"g\" width=\"\(width)\" height=\"\(height)\"/>\n"
    }
    text += """
      <marker id="\(id)-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="12" \
      markerHeight="12" markerUnits="userSpaceOnUse" orient="auto"><path class="a" \
      d="M0 0L8 4L0 8z"/></marker>

      """
  }

  mutating func text(_ line: String, x: Int, y: Int, style: String, full: String? = nil) {
    let tip = full.map { "<title>\(SVGText.escaped($0))</title>" } ?? ""
    let content = SVGText.escaped(line)
    guard !content.isEmpty else { return }
    text += "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(tip)\(content)</text>\n"
  }

  mutating func rectangle(_ frame: PlanLayout.Frame, style: String, radius: Int) {
    let rounding = radius > 0 ? " rx=\"\(radius)\"" : ""
    text += "<rect class=\"\(style)\" x=\"\(frame.x)\" y=\"\(frame.y)\" width=\"\(frame.width)\" "
    text += "height=\"\(frame.height)\"\(rounding)/>\n"
  }

  mutating func curve(_ line: PlanLayout.Line) {
    let (from, to) = (line.from, line.to)
    let bend = max(18, min((to.y - from.y) / 2, 60))
    text += "<path class=\"s\" marker-end=\"url(#\(id)-arrow)\" d=\"M\(from.x) \(from.y)"
    text += "C\(from.x) \(from.y + bend) \(to.x) \(to.y - bend) \(to.x) \(to.y)\"/>\n"
  }

  /// Adds a thin line between two rows, to the left of them, with a dot at its end.
  mutating func arc(x: Int, from: Int, to: Int, bulge: Int, style: String) {
    text += "<path class=\"\(style)\" d=\"M\(x) \(from)C\(x - bulge) \(from) \(x - bulge) \(to) "
    text += "\(x) \(to)\"/><circle class=\"p\" cx=\"\(x)\" cy=\"\(to)\" r=\"2\"/>\n"
  }

  mutating func group(title: String, _ content: (inout SVGText) -> Void) {
    text += "<g><title>\(SVGText.escaped(title))</title>\n"
    content(&self)
    text += "</g>\n"
  }

  consuming func finished() -> String { text + "</svg>\n" }

  /// Escapes text for XML, and replaces characters that XML 1.0 (§2.2) does not allow.
  static func escaped(_ text: String) -> String {
    DisplayText.safe(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
