import GraphAPI

/// The positions of the parts of a drawing, in pixels.
///
/// Widths are known without font metrics, because the font has a fixed width.
struct PlanLayout {
  /// A rectangle.
  struct Frame {
    var x = 0
    var y = 0
    var width: Int
    let height: Int

    var bottom: Int { y + height }

    /// The horizontal position at which one of several lines touches it.
    func port(_ number: Int, of count: Int) -> Int { x + width * number / (count + 1) }
  }

  /// A thick line from the bottom of one box to the top of another.
  struct Line {
    let from: (x: Int, y: Int)
    let to: (x: Int, y: Int)
  }

  /// A box with its texts.
  struct Box {
    var frame: Frame
    /// The space for lines inside the box.
    let gutter: Int
    let nameColumns: Int
    /// The text after each request's name.
    let details: [String]
    /// Why it holds no more operations, in lines.
    let closeReason: [String]

    func baseline(_ row: Int) -> Int { frame.y + 38 + row * PlanLayout.rowHeight }
  }

  static let margin = 20
  /// The width of a character, in tenths of a pixel: 0.6 em of 12 pixels.
  static let columnTenths = 72
  static let rowHeight = 16
  static let labelWidth = 110
  static let nameColumns = 32
  private static let gap = 24
  private static let lineWidth = 1400
  /// A box with more rows than this shows no paths.
  private static let detailedRows = 16

  private(set) var boxes: [Box]
  private(set) var bands: [Frame] = []
  private(set) var lines: [Line] = []
  private(set) var width = 0
  private(set) var height = 0

  init(of drawing: PlanDrawing) {
    boxes = drawing.boxes.map { PlanLayout.box(of: $0.card, drawing) }
    var y = 64
    for band in drawing.bands {
      let bottom = place(band, from: y + 12)
      bands.append(Frame(y: y, width: 0, height: bottom + 16 - y))
      y = bottom + 16 + PlanLayout.gap
    }
    let right = boxes.map { $0.frame.x + $0.frame.width }.max() ?? 0
    let heading = max(drawing.plan.title.columns * 84, drawing.subtitle.columns * 72) / 10
    width = max(right, heading + PlanLayout.margin, 320) + PlanLayout.margin
    for index in bands.indices { bands[index].width = width }
    height = y + (drawing.omission == nil ? 0 : 24)
    connect(drawing.boxes)
  }

  /// Places a band's boxes side by side, in as many lines as they need; returns the band's bottom.
  private mutating func place(_ band: PlanDrawing.Band, from top: Int) -> Int {
    var (x, y, lineHeight) = (PlanLayout.labelWidth, top, 0)
    for index in band.boxes {
      let size = boxes[index].frame
      if x > PlanLayout.labelWidth, x + size.width > PlanLayout.lineWidth {
        (x, y, lineHeight) = (PlanLayout.labelWidth, y + lineHeight + PlanLayout.gap, 0)
      }
      (boxes[index].frame.x, boxes[index].frame.y) = (x, y)
      x += size.width + PlanLayout.gap
      lineHeight = max(lineHeight, size.height)
    }
    return y + lineHeight + (band.omittedCalls > 0 ? 24 : 0)
  }

  /// Adds the thick lines, side by side if several start or end at one box.
  private mutating func connect(_ drawn: [PlanDrawing.Box]) {
    var leaving = [Int](repeating: 0, count: boxes.count)
    for before in drawn.flatMap(\.after) { leaving[before] += 1 }
    var left = [Int](repeating: 0, count: boxes.count)
    for (box, frame) in zip(drawn, boxes.map(\.frame)) {
      for (place, before) in box.after.enumerated() {
        left[before] += 1
        let start = boxes[before].frame
        lines.append(
          Line(
            from: (start.port(left[before], of: leaving[before]), start.bottom),
            to: (frame.port(place + 1, of: box.after.count), frame.y)))
      }
    }
  }

  private static func box(of card: PlanOutline.Card, _ drawing: PlanDrawing) -> Box {
    let plan = drawing.plan
    let isTall = card.rows.count > detailedRows
    let gutter = drawing.softLines(of: card).isEmpty ? 0 : 30
    let names = card.rows.map { min(plan.name(of: $0).columns, nameColumns + 1) }.max() ?? 0
    let details = card.rows.map { detail(of: $0, isBrief: isTall, plan).cut(to: 56) }
    let reason = "ends: " + drawing.closeReason(of: card)
    let columns = [
      gutter * 10 / columnTenths + 1 + names + 2 + (details.map(\.columns).max() ?? 0),
      drawing.title(of: card).columns + 1, isTall ? 0 : min(reason.columns, 58), 26,
    ]
    let width = (columns.max() ?? 0) * columnTenths / 10 + 22
    let reasonLines = reason.wrapped(to: (width - 20) * 10 / 66, lines: 3)
    let height = 38 + card.rows.count * rowHeight + 14 * reasonLines.count - 2
    return Box(
      frame: Frame(width: width, height: height), gutter: gutter, nameColumns: names,
      details: details, closeReason: reasonLines)
  }

  private static func detail(of row: PlanOutline.Row, isBrief: Bool, _ plan: Plan) -> String {
    let method = plan.workflow.requests[row.request].verb
    let target = isBrief ? method : plan.target(of: row.request)
    guard let items = plan.items(of: row) else { return target }
    return "\(target.cut(to: 30)) (\(items))"
  }
}

extension String {
  /// The text in at most `limit` lines of `columns` columns, broken at spaces; the rest is cut.
  fileprivate func wrapped(to columns: Int, lines limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var words = split(separator: " ").map(String.init)[...]
    while let word = words.popFirst() {
      let longer = line.isEmpty ? word : line + " " + word
      if line.isEmpty || longer.columns <= columns {
        line = longer
      } else if lines.count + 1 < limit {
        lines.append(line)
        line = word
      } else {
        line = ([longer] + words).joined(separator: " ")
        words = []
      }
    }
    return lines + [line.cut(to: columns - 1)]
  }
}
