/// The requests of a workflow as boxes in the order of their dependencies, with their outcomes.
struct RequestDrawing: Sendable {
  /// A workflow of more requests is drawn with one box for each step.
  private static let nodeLimit = 200
  private static let nodesInLine = 5
  private static let (width, height, gap) = (210, 46, 26)
  private let requests: [RequestFacts]
  private var outcomes: [Report.Summary]

  init(_ requests: [RequestFacts]) {
    self.requests = requests
    outcomes = Array(repeating: Report.Summary(), count: requests.count)
  }

  mutating func count(_ request: Report.Request) {
    if outcomes.indices.contains(request.index) { outcomes[request.index].count(request) }
  }

  private struct Node {
    let name: String
    var outcome: Report.Summary
    let layer: Int
    let after: [Int]
  }

  /// The drawing; nil without requests.
  func svg(id: Int) -> String? {
    let nodes = nodes
    guard let last = nodes.map(\.layer).max() else { return nil }
    var frames = nodes.map { _ in
      PlanLayout.Frame(width: RequestDrawing.width, height: RequestDrawing.height)
    }
    var y = 10
    for layer in 0...last {
      for (place, index) in nodes.indices.filter({ nodes[$0].layer == layer }).enumerated() {
        let (line, column) = place.quotientAndRemainder(dividingBy: RequestDrawing.nodesInLine)
        if column == 0, line > 0 { y += RequestDrawing.height + 10 }
        frames[index].x = 10 + column * (RequestDrawing.width + 16)
        frames[index].y = y
      }
      y += RequestDrawing.height + RequestDrawing.gap
    }
    let right = frames.map { $0.x + $0.width }.max() ?? 0
    var svg = SVGText(
      width: right + 10, height: y, title: "Requests and their dependencies",
      description: "\(requests.count) requests in \(last + 1) steps, from top to bottom.",
      embeddedAs: "drawing-\(id)")
    for (node, frame) in zip(nodes, frames) {
      for before in node.after {
        let start = frames[before]
        svg.curve(
          PlanLayout.Line(
            from: (start.port(1, of: 1), start.bottom), to: (frame.port(1, of: 1), frame.y)))
      }
    }
    for (node, frame) in zip(nodes, frames) {
      svg.group(title: "\(node.name): \(RequestDrawing.text(of: node.outcome))") { svg in
        svg.rectangle(frame, style: "b", radius: 5)
        svg.rectangle(
          PlanLayout.Frame(x: frame.x, y: frame.y, width: 6, height: frame.height),
          style: RequestDrawing.style(of: node.outcome), radius: 2)
        svg.text(node.name.cut(to: 25), x: frame.x + 14, y: frame.y + 19, style: "n")
        svg.text(
          RequestDrawing.text(of: node.outcome).cut(to: 26), x: frame.x + 14, y: frame.y + 36,
          style: "d")
      }
    }
    return svg.finished()
  }

  /// The requests with the lengths of the longest paths to them, or the steps of a large workflow.
  private var nodes: [Node] {
    let places = Dictionary(
      zip(requests.map(\.name), requests.indices), uniquingKeysWith: { first, _ in first })
    let after = requests.map { $0.dependsOn.compactMap { places[$0] } }
    var waiting = after.map(\.count)
    var followers: [[Int]] = Array(repeating: [], count: requests.count)
    for (index, before) in after.enumerated() {
      for place in before { followers[place].append(index) }
    }
    var layers = Array(repeating: 0, count: requests.count)
    var ready = requests.indices.filter { waiting[$0] == 0 }
    while let index = ready.popLast() {
      for next in followers[index] {
        layers[next] = max(layers[next], layers[index] + 1)
        waiting[next] -= 1
        if waiting[next] == 0 { ready.append(next) }
      }
    }
    guard requests.count > RequestDrawing.nodeLimit else {
      return requests.indices.map {
        Node(name: requests[$0].name, outcome: outcomes[$0], layer: layers[$0], after: after[$0])
      }
    }
    let last = min(layers.max() ?? 0, RequestDrawing.nodeLimit)
    return (0...last).map { layer in
      let members = requests.indices.filter { min(layers[$0], last) == layer }
      return Node(
        name: "\(members.count) requests",
        outcome: members.reduce(into: Report.Summary()) { $0.add(outcomes[$1]) }, layer: layer,
        after: layer == 0 ? [] : [layer - 1])
    }
  }

  private static func text(of outcome: Report.Summary) -> String {
    let parts = outcome.statuses.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
    return parts.isEmpty ? "no items" : parts.joined(separator: ", ")
  }

  /// The class of the most urgent status.
  private static func style(of outcome: Report.Summary) -> String {
    let name = outcome.statuses.first { $0.count > 0 }?.name ?? "skipped"
    return name == "in doubt" ? "in-doubt" : name
  }
}
