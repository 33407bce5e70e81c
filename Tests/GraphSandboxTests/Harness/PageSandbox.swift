import JSONPath
import Testing

@testable import GraphSandbox

/// A running world without sockets, and its page.
struct PageSandbox {
  let live: LiveWorld
  let token: String
  let pageToken: String
  /// The user of the token, and the user's page.
  let alex = "122000000000002"
  let page = "122000000000023"

  init(
    _ description: WorldDescription = .standard,
    _ change: (inout Sandbox.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Sandbox.Configuration()
    configuration.world = description
    change(&configuration)
    let world = try configuration.firstWorld()
    live = LiveWorld(world, configuration)
    let tokens = world.access.namedTokens
    token = try #require(tokens.first { $0.name == "default" }).token
    pageToken = try #require(tokens.first { $0.name == "page" }).token
  }

  var world: World { live.present.world }

  /// Sends a call with the token in a header; returns its number.
  @discardableResult
  func send(
    _ method: String, _ path: String, _ parameters: [(String, String)] = [], token: String? = nil,
    headers: [(String, String)] = []
  ) -> Int {
    let form = InProcessSandbox.form(parameters)
    let isPost = method == "POST"
    let query = isPost || form.isEmpty ? "" : (path.contains("?") ? "&" : "?") + form
    let authorization = "Bearer \(token ?? self.token)"
    let call = HTTPCall(
      method: method, target: "/\(path)\(query)", authorization: authorization,
      contentType: "application/x-www-form-urlencoded", body: isPost ? Array(form.utf8) : [])
    return live.answer(
      GraphCall(call), of: call, [("Authorization", authorization)] + headers
    ).call.number
  }

  func batch(_ items: JSON, token: String? = nil) -> Int {
    send("POST", "", [("batch", items.serialized())], token: token)
  }

  /// The HTML of a view.
  func html(_ change: (inout PageView) -> Void = { _ in }) -> String {
    var view = PageView()
    change(&view)
    return Page(state: live.present, view: view, key: "key").answer.text
  }

  /// The HTML of the page with a call open.
  func opened(_ number: Int) -> String { html { $0.call = number } }

  /// What is said about a call.
  func reasons(_ number: Int) throws -> [CallReason] {
    let exchange = try #require(live.present.exchanges[number])
    let answered = AnsweredOperation(
      json: try? JSON(parsing: exchange.answer.body), headers: exchange.answer.headers)
    return CallReasons(world).reasons(
      for: answered, exchange.call.operations.first, fault: exchange.call.fault,
      token: exchange.decoded(takesLists: false)?.token)
  }

  /// Presses the button of a cure.
  func perform(_ cure: Cure) throws {
    let form = InProcessSandbox.form([("do", cure.command), ("key", "key")] + cure.fields)
    guard case .command(let command) = try PageForm(Parameters(form: form.utf8)).action else {
      throw SandboxFailure("it is no command")
    }
    _ = try live.perform(command)
  }
}
