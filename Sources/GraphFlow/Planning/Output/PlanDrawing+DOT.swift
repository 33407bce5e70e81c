extension PlanDrawing {
  /// The drawing in Graphviz's language (https://graphviz.org/doc/info/lang.html).
  package var dot: String {
    var lines = [
      "digraph plan {",
      "  label=\(dotText("\(plan.title)\n\(subtitle)")); labelloc=t; compound=true; rankdir=TB;",
      "  fontname=\"monospace\"; node [shape=plaintext, fontname=\"monospace\", fontsize=10];",
      "  edge [color=gray50, arrowsize=0.6];",
    ]
    for band in bands {
      for index in band.boxes { lines += cluster(index, in: band) }
      if let omission = band.omission {
        lines.append("  more_\(band.rounds.lowerBound) [label=\(dotText(omission))];")
      }
    }
    for index in boxes.indices {
      for before in boxes[index].after {
        lines.append(
          "  o\(before)_\(boxes[before].card.rows.count - 1) -> o\(index)_0 [ltail=cluster_\(before), lhead=cluster_\(index), "
            + "penwidth=2.5, color=black];")
      }
    }
    if let omission { lines.append("  more [label=\(dotText(omission))];") }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func cluster(_ index: Int, in band: Band) -> [String] {
    let card = boxes[index].card
    let heading = "\(band.title) · \(title(of: card))\n\(closeReason(of: card).cut(to: 70))"
    var lines = [
      "  subgraph cluster_\(index) {",
      "    label=\(dotText(heading)); fontsize=10; color=gray60;",
    ]
    for (place, row) in card.rows.enumerated() {
      let items = plan.items(of: row).map { "\n\($0)" } ?? ""
      let label = plan.name(of: row) + "\n" + plan.target(of: row.request).cut(to: 48) + items
      lines.append("    o\(index)_\(place) [label=\(dotText(label))];")
    }
    for line in softLines(of: card) {
      let style = line.isOrder ? " [style=dashed]" : ""
      lines.append("    o\(index)_\(line.from) -> o\(index)_\(line.to)\(style);")
    }
    return lines + ["  }"]
  }

  /// Quotes a text; backslashes and ampersands start escapes in plan.
  private func dotText(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // By scalar: a quote with a combining mark is another character, but ends the text all the same.
      DisplayText.safe(String(line)).unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\"": escaped += "\\\""
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
    return "\"\(lines.joined(separator: "\\n"))\""
  }
}
