import GraphAPI

/// The positions of the parts of a drawing, in pixels.
///
/// Widths are known without font metrics, because the font has a fixed width.
struct PlanLayout {
  /// A rectangle.
  struct Frame {
    var x: Int
    var y: Int
    let width: Int
    var height: Int

    var bottom: Int { y + height }
  }

  /// A thick line from the bottom of one box to the top of another.
  struct Line {
    let from: (x: Int, y: Int)
    let to: (x: Int, y: Int)
  }

  /// The size and the texts of a box, independent of its position.
  struct Shape {
    let width: Int
    let height: Int
    /// The space for lines inside the box.
    let gutter: Int
    let nameColumns: Int
    /// The text after each request's name.
    let details: [String]
    /// Why the box holds no more operations, in lines.
    let closeReason: [String]

    /// The distance from the box's top to the baseline of a row.
    func baseline(_ row: Int) -> Int { 38 + row * PlanLayout.rowHeight }
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

  private(set) var shapes: [Shape] = []
  private(set) var boxes: [Frame] = []
  private(set) var bands: [Frame] = []
  private(set) var lines: [Line] = []
  private(set) var width = 0
  private(set) var height = 0

  init(of drawing: PlanDrawing) {
    shapes = drawing.boxes.map { PlanLayout.shape(of: $0.card, drawing) }
    var y = 64
    for band in drawing.bands {
      let bottom = place(band, from: y + 12)
      bands.append(Frame(x: 0, y: y, width: 0, height: bottom + 16 - y))
      y = bottom + 16 + PlanLayout.gap
    }
    let right = boxes.map { $0.x + $0.width }.max() ?? 0
    let heading = max(drawing.plan.title.columns * 84, drawing.subtitle.columns * 72) / 10
    width = max(right, heading + PlanLayout.margin, 320) + PlanLayout.margin
    bands = bands.map { Frame(x: 0, y: $0.y, width: width, height: $0.height) }
    height = y + (drawing.omission == nil ? 0 : 24)
    draw(drawing)
  }

  /// Places a band's boxes side by side, in as many lines as they need; returns the band's bottom.
  private mutating func place(_ band: PlanDrawing.Band, from top: Int) -> Int {
    var (x, y, lineHeight) = (PlanLayout.labelWidth, top, 0)
    for index in band.boxes {
      let shape = shapes[index]
      if x > PlanLayout.labelWidth, x + shape.width > PlanLayout.lineWidth {
        (x, y, lineHeight) = (PlanLayout.labelWidth, y + lineHeight + PlanLayout.gap, 0)
      }
      boxes.append(Frame(x: x, y: y, width: shape.width, height: shape.height))
      x += shape.width + PlanLayout.gap
      lineHeight = max(lineHeight, shape.height)
    }
    return y + lineHeight + (band.omittedCalls > 0 ? 24 : 0)
  }

  /// Adds the thick lines, side by side if several start or end at one box.
  private mutating func draw(_ drawing: PlanDrawing) {
    var leaving = [Int](repeating: 0, count: boxes.count)
    for box in drawing.boxes { for before in box.after { leaving[before] += 1 } }
    var left = [Int](repeating: 0, count: boxes.count)
    for (index, box) in drawing.boxes.enumerated() {
      for (place, before) in box.after.enumerated() {
        left[before] += 1
        lines.append(
          Line(
            from: (boxes[before].port(left[before], of: leaving[before]), boxes[before].bottom),
            to: (boxes[index].port(place + 1, of: box.after.count), boxes[index].y)))
      }
    }
  }

  private static func shape(of card: PlanOutline.Card, _ drawing: PlanDrawing) -> Shape {
    let plan = drawing.plan
    let isTall = card.rows.count > detailedRows
    let gutter = drawing.softLines(of: card).isEmpty ? 0 : 30
    let names = card.rows.map { min(plan.name(of: $0).columns, nameColumns + 1) }.max() ?? 0
    let details = card.rows.map { detail(of: $0, isBrief: isTall, plan).cut(to: 56) }
    let title = drawing.title(of: card).columns
    let reason = "ends: " + drawing.closeReason(of: card)
    let columns = [
      gutter * 10 / columnTenths + 1 + names + 2 + (details.map(\.columns).max() ?? 0),
      title + 1, isTall ? 0 : min(reason.columns, 58), 26,
    ]
    let width = (columns.max() ?? 0) * columnTenths / 10 + 22
    let reasonLines = reason.wrapped(to: (width - 20) * 10 / 66, lines: 3)
    return Shape(
      width: width, height: 38 + card.rows.count * rowHeight + 14 * reasonLines.count - 2,
      gutter: gutter, nameColumns: names, details: details, closeReason: reasonLines)
  }

  private static func detail(of row: PlanOutline.Row, isBrief: Bool, _ plan: Plan) -> String {
    let target =
      isBrief
      ? plan.workflow.requests[row.request].method.rawValue : plan.target(of: row.request)
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

extension PlanLayout.Frame {
  /// The horizontal position at which one of several lines touches the box.
  fileprivate func port(_ number: Int, of count: Int) -> Int { x + width * number / (count + 1) }
}
