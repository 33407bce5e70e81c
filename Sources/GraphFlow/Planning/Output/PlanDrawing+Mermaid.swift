extension PlanDrawing {
  /// The most rows of a drawing for Mermaid, which rejects texts of more than 50,000 characters.
  package static let mermaidRowLimit = 500

  /// The drawing in Mermaid's language (https://mermaid.js.org/syntax/flowchart.html).
  package var mermaid: String {
    var lines = [
      "---", "title: \(yamlText(plan.title))",
      // A call's heading may need two lines; Mermaid leaves room for one.
      "config: {flowchart: {subGraphTitleMargin: {bottom: 24}}}", "---", "flowchart TB",
    ]
    for band in bands {
      for index in band.boxes {
        let card = boxes[index].card
        let heading = "\(band.title) · \(title(of: card))"
        lines.append("  subgraph c\(index)[\(mermaidText(heading))]")
        for (place, row) in card.rows.enumerated() {
          let items = plan.items(of: row).map { ", \($0)" } ?? ""
          let label =
            "\(plan.name(of: row)): \(plan.target(of: row.request).cut(to: 40))\(items)"
          lines.append("    o\(index)_\(place)[\(mermaidText(label))]")
        }
        for line in softLines(of: card) {
          let arrow = line.isOrder ? "-.->" : "-->"
          lines.append("    o\(index)_\(line.from) \(arrow) o\(index)_\(line.to)")
        }
        lines.append("  end")
      }
      if let omission = band.omission {
        lines.append("  more\(band.rounds.lowerBound)[\(mermaidText(omission))]")
      }
    }
    for index in boxes.indices {
      for before in boxes[index].after { lines.append("  c\(before) ==> c\(index)") }
    }
    if let omission { lines.append("  more[\(mermaidText(omission))]") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Quotes a text; characters that could have a meaning in Mermaid are written as entity codes.
  private func mermaidText(_ text: String) -> String {
    let escaped = PlanDrawing.escaped(text) { "#\($0.value);" }
    // In a line with one of these words, Mermaid removes the last semicolon.
    let unstyled = escaped.replacing("style", with: "#115;tyle")
      .replacing("classDef", with: "#99;lassDef")
    return "\"\(unstyled)\""
  }

  /// Quotes a text for the heading, which is YAML.
  private func yamlText(_ text: String) -> String {
    let escaped = PlanDrawing.escaped(text) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
    return "\"\(escaped)\""
  }

  private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
    DisplayText.safe(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "/", "_", "-", ":", "=", "·", "×", "–",
        "…", "?", "$", "(", ")", "'":
        escaped.unicodeScalars.append(scalar)
      default: escaped += escape(scalar)
      }
    }
  }
}
