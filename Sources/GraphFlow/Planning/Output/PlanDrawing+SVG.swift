extension PlanDrawing {
  /// The drawing as a self-contained SVG without scripts, fonts or other external resources.
  ///
  /// It follows the reader's light or dark color scheme, and has a title and a description.
  package var svg: String {
    let layout = PlanLayout(of: self)
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
    for (index, frame) in layout.boxes.enumerated() { draw(index, frame, layout, in: &svg) }
    if let omission { svg.text(omission, x: PlanLayout.margin, y: layout.height - 14, style: "d") }
    return svg.finished()
  }

  private func draw(
    _ index: Int, _ frame: PlanLayout.Frame, _ layout: PlanLayout, in svg: inout SVGText
  ) {
    let card = boxes[index].card
    let shape = layout.shapes[index]
    svg.group(title: "\(title(of: card)); ends: \(closeReason(of: card))") { svg in
      svg.rectangle(frame, style: "b", radius: 5)
      svg.text(title(of: card), x: frame.x + 10, y: frame.y + 18, style: "n")
      for line in softLines(of: card) {
        let (from, to) = (shape.baseline(line.from) - 4, shape.baseline(line.to) - 4)
        let bulge = min(8 + 2 * abs(line.to - line.from), shape.gutter - 4)
        svg.arc(
          x: frame.x + shape.gutter + 6, from: frame.y + from, to: frame.y + to, bulge: bulge,
          style: line.isOrder ? "o" : "t")
      }
      for (place, row) in card.rows.enumerated() {
        let y = frame.y + shape.baseline(place)
        let name = plan.name(of: row).cut(to: PlanLayout.nameColumns)
        let x = frame.x + shape.gutter + 10
        svg.text(name, x: x, y: y, style: "m")
        svg.text(
          shape.details[place], x: x + (shape.nameColumns + 2) * PlanLayout.columnTenths / 10, y: y,
          style: "d", full: "\(plan.target(of: row.request)) \(plan.items(of: row) ?? "")")
      }
      for (place, line) in shape.closeReason.enumerated() {
        let y = frame.bottom - 9 - 14 * (shape.closeReason.count - 1 - place)
        svg.text(line, x: frame.x + 10, y: y, style: "e")
      }
    }
  }

  private var description: String {
    "\(subtitle). Rounds follow one another from top to bottom; a box is one HTTP call or several "
      + "similar ones. Thin lines inside a box: Graph fills in a result, or keeps an order (dashed). "
      + "Thick lines between boxes: a call waits for an answer."
  }
}
