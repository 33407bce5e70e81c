import JSONPath

/// A form of the page.
struct PageForm: Sendable {
  /// What a form asks for.
  enum Action: Sendable {
    case command(ControlCommand)
    /// A token, to be copied: alone, or in lines for a shell.
    case copy(token: String, asExport: Bool)
    /// A request as the owner of a token.
    case explore(HTTPCall, token: String)
  }

  private let fields: Parameters

  init(_ fields: Parameters) { self.fields = fields }

  var key: String? { fields["key"] }

  /// What the page shows afterwards.
  var view: PageView { PageView(query: Parameters(form: (fields["view"] ?? "").utf8)) }

  var action: Action {
    get throws(ControlFailure) {
      switch fields["do"] {
      case "token"?: .copy(token: fields["token"] ?? "", asExport: fields["as"] == "export")
      case "explore"?:
        .explore(
          HTTPCall(
            method: fields["method"] ?? "GET", target: "/" + (fields["address"] ?? "").trimmed),
          token: fields["token"] ?? "")
      case let name:
        .command(try ControlCommand(name ?? "", method: nil, ControlFields(form: fields)))
      }
    }
  }
}

extension LiveWorld.State {
  /// The revision and the time, for a page that shows an earlier one.
  var change: JSON {
    [
      "revision": .string("\(revision)"),
      "time": .string("\(GraphTime.day(world.now)) \(GraphTime.clock(world.now)) UTC"),
    ]
  }

  /// The value of `Authorization` for a token of the page; nil for no token.
  func authorization(_ handle: String) throws(ControlFailure) -> String? {
    handle.isEmpty ? nil : "Bearer \(try text(ofToken: handle, asExport: false))"
  }

  /// A token that the user asks for.
  func text(ofToken handle: String, asExport: Bool) throws(ControlFailure) -> String {
    guard let token = world.access.token(named: handle) else {
      throw ControlFailure("there is no such token any more")
    }
    guard asExport else { return token }
    return "export GRAPHFLOW_GRAPH_URL=\(world.origin)\nexport GRAPHFLOW_ACCESS_TOKEN=\(token)\n"
  }
}

extension Page {
  /// A document that the browser saves.
  static func download(_ json: JSON, named name: String) -> HTTPAnswer {
    var answer = HTTPAnswer(.success(json))
    answer.headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
    return answer
  }
}
