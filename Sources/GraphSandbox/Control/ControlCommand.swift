import JSONPath

/// What a person or a test asks of a sandbox apart from Graph's calls.
///
/// `docs/reference/sandbox.md` (Control) describes the interface.
enum ControlCommand: Sendable {
  /// The time and the number of calls.
  case health
  /// Moves the clock ahead by a number of seconds.
  case advance(by: Int)
  /// Moves the clock ahead to a time.
  case advanceTo(Int)
  /// Returns the world as a document, or keeps it in the sandbox under a name.
  case snapshot(name: String?)
  case restore(Snapshot)
  /// Restores the world that was kept under a name.
  case restoreKept(name: String)
  /// Restores the world of the start.
  case reset
  case trigger(WorldEvent)
  /// The faults, and which of them are on.
  case faults
  case fault(FaultSwitch)
  /// The deliveries of webhooks.
  case webhooks
}

extension ControlCommand {
  /// The commands by their names, and the methods of requests for them.
  private static let methods: [(name: String, methods: [String])] = [
    ("health", ["GET"]), ("advance", ["POST"]), ("snapshot", ["POST"]), ("restore", ["POST"]),
    ("reset", ["POST"]), ("trigger", ["POST"]), ("faults", ["GET", "POST"]),
    ("webhooks", ["GET"]),
  ]

  /// Reads a command.
  ///
  /// - Parameters:
  ///   - name: The last segment of its path.
  ///   - method: That of the request; nil for a form of the page.
  ///   - fields: The values that come with it.
  /// - Throws: why there is no such command, or which value is missing or wrong.
  init(_ name: String, method: String?, _ fields: ControlFields) throws(ControlFailure) {
    guard let methods = Self.methods.first(where: { $0.name == name })?.methods else {
      let names = Self.methods.map { "/sandbox/\($0.name)" }.joined(separator: ", ")
      throw ControlFailure(
        "there is no /sandbox/\(name.excerpt)", status: 404, hint: "there are: \(names)")
    }
    let word = method == "HEAD" ? "GET" : method ?? "POST"
    guard methods.contains(word) else {
      throw ControlFailure(
        "/sandbox/\(name) takes \(methods.joined(separator: " and "))", status: 405)
    }
    switch name {
    case "advance": self = try Self.advance(fields)
    case "snapshot":
      try fields.check(["name"])
      self = .snapshot(name: try fields.text("name")?.trimmed.nonEmpty?.excerpt)
    case "restore": self = try Self.restore(fields)
    case "trigger": self = .trigger(try WorldEvent(fields))
    case "faults" where word == "POST": self = .fault(try FaultSwitch(fields))
    default:
      try fields.check([])
      self =
        switch name {
        case "reset": .reset
        case "faults": .faults
        case "webhooks": .webhooks
        default: .health
        }
    }
  }

  /// Reads `by`, a length of time, or `to`, a time.
  private static func advance(_ fields: ControlFields) throws(ControlFailure) -> ControlCommand {
    try fields.check(["by", "to"])
    let hint = #"send {"by": "1h"} or {"to": "2026-02-01T12:00:00Z"}"#
    switch (try fields.text("by"), try fields.text("to")) {
    case (let by?, nil):
      guard let seconds = seconds(by) else {
        throw ControlFailure("'\(by.excerpt)' is no length of time", hint: hint)
      }
      return .advance(by: seconds)
    case (nil, let to?):
      guard let time = GraphTime.seconds(to) else {
        throw ControlFailure("'\(to.excerpt)' is no time", hint: hint)
      }
      return .advanceTo(time)
    default: throw ControlFailure("either 'by' or 'to' must be there", hint: hint)
    }
  }

  /// A length of time: a number of seconds, or a number and `s`, `m`, `h` or `d`.
  private static func seconds(_ text: String) -> Int? {
    let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let unit = text.last.flatMap { units[String($0)] }
    let digits = unit == nil ? text : String(text.dropLast())
    guard let number = Int(digits), (0...GraphTime.latest).contains(number) else { return nil }
    return number * (unit ?? 1)
  }

  /// Reads the `name` of a kept world, or a document.
  private static func restore(_ fields: ControlFields) throws(ControlFailure) -> ControlCommand {
    let hint = #"send {"name": …} of a kept world, or what /sandbox/snapshot has returned"#
    if fields.contains("name") {
      try fields.check(["name"])
      return .restoreKept(name: try fields.required("name", hint: hint))
    }
    guard let json = fields.json else { throw ControlFailure("the body is empty", hint: hint) }
    do {
      return .restore(try Snapshot(json))
    } catch {
      throw ControlFailure("\(error)", hint: hint)
    }
  }
}

extension String {
  /// The text, or nil if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
