import JSONPath

/// Why an answer is as it is, for a person, and what changes it.
struct CallReason: Hashable, Sendable {
  let text: String
  var cures: [Cure] = []
}

/// A command that removes the reason of an error.
enum Cure: Hashable, Sendable {
  case grant(permission: String, user: String)
  case restoreToken(handle: String)
  case switchOff(fault: String)
  case advance(seconds: Int)

  /// The name of the command.
  var command: String {
    switch self {
    case .grant, .restoreToken: "trigger"
    case .switchOff: "faults"
    case .advance: "advance"
    }
  }

  var fields: [(String, String)] {
    switch self {
    case .grant(let permission, let user):
      [("event", "permission_granted"), ("permission", permission), ("user", user)]
    case .restoreToken(let handle): [("event", "token_restored"), ("token", handle)]
    case .switchOff(let fault): [("name", fault), ("on", "false")]
    case .advance(let seconds): [("by", "\(seconds)")]
    }
  }

  /// The text of its button.
  var label: String {
    switch self {
    case .grant(let permission, _): "Grant \(permission)"
    case .restoreToken: "Restore the token"
    case .switchOff(let fault): "Switch off \(fault)"
    case .advance(let seconds) where seconds.isMultiple(of: 60):
      "Advance the clock by \(seconds / 60) min"
    case .advance(let seconds): "Advance the clock by \(seconds) s"
    }
  }
}

/// The answer to an operation, as far as it is kept.
struct AnsweredOperation: Sendable {
  var json: JSON?
  var headers: [(name: String, value: String)] = []

  init(json: JSON?, headers: [(name: String, value: String)]) {
    (self.json, self.headers) = (json, headers)
  }

  /// The answer in an item of a batch's answer.
  init(item: JSON?) {
    json = (item?["body"]?.string).flatMap { try? JSON(parsing: $0) }
    headers = (item?["headers"]?.array ?? []).compactMap { header in
      guard let name = header["name"]?.string, let value = header["value"]?.string else {
        return nil
      }
      return (name, value)
    }
  }

  /// What the sandbox says about itself in the header `X-GraphFlow-Sandbox`.
  var marks: [String] {
    headers.filter { $0.name.lowercased() == SandboxNote.header.lowercased() }
      .flatMap { SandboxNote.parts(of: $0.value) }
  }

  var error: JSON? { json?["error"] }
}

/// Finds the reasons of an answer in the present world.
struct CallReasons {
  private let world: World

  init(_ world: World) { self.world = world }

  /// The reasons, those that a person can change first: `operation` is what was logged, nil for a
  /// batch as a whole, `fault` that of the whole call, `token` what the operation was sent with.
  func reasons(
    for answered: AnsweredOperation, _ operation: SandboxCall.Operation?, fault: String?,
    token: String?
  ) -> [CallReason] {
    let labels = [fault, operation?.fault].compactMap(\.self)
    let faults = labels.isEmpty ? [] : [reason(ofFaults: labels)]
    // The log has the note of an operation whose headers the client did not want.
    let noted = operation?.note.map(SandboxNote.parts)
    let marks = (noted ?? answered.marks).map(reason(ofMark:))
    guard labels.isEmpty, let error = answered.error else { return faults + marks }
    let ended = Self.retired(error, operation?.relativeURL ?? "")
    let reasons = errors(error, token).compactMap(\.self) + ended + marks
    guard reasons.isEmpty, let message = error["message"]?.string else { return reasons }
    return [CallReason(text: TokenMask(world).text(message))]
  }

  private func reason(ofFaults labels: [String]) -> CallReason {
    let switches = world.faults.injector.switches.filter {
      $0.isOn && labels.contains($0.rule.effect.label)
    }
    return CallReason(
      text: "A fault happened on demand: \(labels.joined(separator: ", ")).",
      cures: switches.map { .switchOff(fault: $0.name) })
  }

  private func reason(ofMark mark: String) -> CallReason {
    if mark == "invented" {
      return CallReason(
        text: "Invented: how Graph answers here is not known, or the call is the sandbox's own.")
    }
    if mark == "not served" {
      return CallReason(text: "Not served: Graph has this, the sandbox does not.")
    }
    if mark.hasPrefix("ignored ") {
      let names = mark.dropFirst("ignored ".count).replacing(",", with: ", ")
      return CallReason(text: "Ignored: Graph obeys \(names), the sandbox does not.")
    }
    return CallReason(text: "The sandbox says: \(mark)")
  }

  // MARK: - Errors

  private func errors(_ error: JSON, _ token: String?) -> [CallReason?] {
    let code = error["code"]?.integer ?? 0
    let message = error["message"]?.string ?? ""
    switch code {
    case 190: return [ended(token)]
    case 10, 200...299: return missing(in: message, token)
    case 4, 17, 32, 341, 613, 80_000...80_099: return [blocked()]
    case 104: return [CallReason(text: "No token was sent.")]
    case 2_500 where message.hasPrefix("An active access token"):
      return [CallReason(text: token == nil ? "No token was sent." : "An app has no ‘me’.")]
    case 803, 100:
      guard code == 803 || error["error_subcode"]?.integer == 33 else { return [] }
      return [CallReason(text: "No object of this world has this id or name.")]
    case 9_007:
      return [
        CallReason(
          text: "The container is not finished yet; that takes a second of the world's time.",
          cures: [.advance(seconds: 1)])
      ]
    case 31: return [CallReason(text: "A person has to decide about the device first.")]
    default: return []
    }
  }

  /// The metrics in a path that Graph has ended, if the error is about metrics.
  private static func retired(_ error: JSON, _ path: String) -> [CallReason] {
    guard error["code"]?.integer == 100, error["message"]?.string?.contains("metric") == true else {
      return []
    }
    let words = path.replacing("%2C", with: ",").split {
      !($0.isLetter || $0.isNumber || $0 == "_")
    }.map(String.init)
    return words.compactMap { name in
      AudienceMetric.retirement(of: name).map { retirement in
        let successor = retirement.successor.map { " \($0) replaces it." } ?? ""
        return CallReason(text: "Graph has ended \(name) on \(retirement.day).\(successor)")
      }
    }
  }

  private func ended(_ token: String?) -> CallReason {
    guard let token, let grant = world.access.grants[token] else {
      return CallReason(text: "This world has no such token. Those below are valid here.")
    }
    let isOver = grant.expires.map { $0 <= world.now } ?? false
    guard grant.state != .valid || isOver else {
      return CallReason(text: "The token was not valid then. It is now.")
    }
    let state = grant.state == .valid ? TokenState.expired : grant.state
    return CallReason(
      text: "The token is \(state.rawValue.replacing("_", with: " ")).",
      cures: switchesOff(.world(.token(state)))
        + [.restoreToken(handle: AccessTable.handle(of: token))])
  }

  /// The faults that are on and do this to the world.
  private func switchesOff(_ effect: FaultRule.Effect) -> [Cure] {
    world.faults.injector.switches.filter { $0.isOn && $0.rule.effect == effect }
      .map { .switchOff(fault: $0.name) }
  }

  /// The permissions that a message names and the token's user has not granted.
  private func missing(in message: String, _ token: String?) -> [CallReason] {
    guard let token, let grant = world.access.grants[token], let user = grant.user else {
      return [CallReason(text: "The token of an app has no permissions.")]
    }
    let list = world.access.permissions[user] ?? []
    let words = message.split { !($0.isLetter || $0 == "_") }.map(String.init)
    // The message about posts names one of groups, which the sandbox has not.
    let names = words.filter { $0.contains("_") && $0 == $0.lowercased() }
      .filter { $0 != "publish_to_groups" }
      .filter { name in !list.contains { $0.name == name && $0.status == .granted } }
    let name = world.objects[user]?.name ?? user
    guard !names.isEmpty else {
      return [
        CallReason(
          text: "\(name) has granted the permissions, but this token may not: it belongs to a "
            + "\(grant.kind.rawValue.lowercased()), or the task on the page is missing.")
      ]
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.map { permission in
      let status = list.first { $0.name == permission }?.status.rawValue ?? "not been asked for"
      return CallReason(
        text: "\(name) has \(status == "expired" ? "let expire" : status): \(permission).",
        cures: switchesOff(.world(.declined(permission: permission)))
          + [.grant(permission: permission, user: user)])
    }
  }

  private func blocked() -> CallReason {
    let minutes = world.meter.usage(at: world.now).map(\.minutes).max() ?? 0
    guard minutes > 0 else {
      return CallReason(text: "A limit was used up then. It is not any more.")
    }
    return CallReason(
      text: "A limit is used up, for about \(minutes) minutes.",
      cures: [.advance(seconds: minutes * 60)])
  }
}
