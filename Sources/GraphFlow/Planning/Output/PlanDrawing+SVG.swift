extension PlanDrawing {
  /// The drawing as a self-contained SVG without scripts, fonts or other external resources.
  ///
  /// It follows the reader's light or dark color scheme, and has a title and a description.
  package var svg: String {
    let layout = PlanLayout(of: self)
    let description =
      "\(subtitle). Rounds follow one another from top to bottom; a box is one HTTP call or several "
      + "similar ones. Thin lines inside a box: Graph fills in a result, or keeps an order (dashed). "
      + "Thick lines between boxes: a call waits for an answer."
    var svg = SVGText(
      width: layout.width, height: layout.height, title: "Plan of \(plan.title)",
      description: description)
    svg.text(plan.title, x: PlanLayout.margin, y: 30, style: "h")
    svg.text(subtitle, x: PlanLayout.margin, y: 48, style: "d")
    for (band, frame) in zip(bands, layout.bands) {
      svg.rectangle(frame, style: "r", radius: 0)
      svg.text(band.title, x: PlanLayout.margin, y: frame.y + 22, style: "n")
      if let omission = band.omission {
        svg.text(omission, x: frame.x + PlanLayout.labelWidth, y: frame.bottom - 8, style: "d")
      }
    }
    for line in layout.lines { svg.curve(line) }
    for (drawn, box) in zip(boxes, layout.boxes) {
      svg.group(title: "\(title(of: drawn.card)); ends: \(closeReason(of: drawn.card))") { svg in
        draw(drawn.card, box, in: &svg)
      }
    }
    if let omission { svg.text(omission, x: PlanLayout.margin, y: layout.height - 14, style: "d") }
    return svg.finished()
  }

  private func draw(_ card: PlanOutline.Card, _ box: PlanLayout.Box, in svg: inout SVGText) {
    let frame = box.frame
    svg.rectangle(frame, style: "b", radius: 5)
    svg.text(title(of: card), x: frame.x + 10, y: frame.y + 18, style: "n")
    for line in softLines(of: card) {
      svg.arc(
        x: frame.x + box.gutter + 6, from: box.baseline(line.from) - 4,
        to: box.baseline(line.to) - 4,
        bulge: min(8 + 2 * abs(line.to - line.from), box.gutter - 4),
        style: line.isOrder ? "o" : "t")
    }
    let x = frame.x + box.gutter + 10
    for (place, row) in card.rows.enumerated() {
      let y = box.baseline(place)
      svg.text(plan.name(of: row).cut(to: PlanLayout.nameColumns), x: x, y: y, style: "m")
      svg.text(
        box.details[place], x: x + (box.nameColumns + 2) * PlanLayout.columnTenths / 10, y: y,
        style: "d", full: "\(plan.target(of: row.request)) \(plan.items(of: row) ?? "")")
    }
    for (place, line) in box.closeReason.enumerated() {
      let y = frame.bottom - 9 - 14 * (box.closeReason.count - 1 - place)
      svg.text(line, x: frame.x + 10, y: y, style: "e")
    }
  }
}
