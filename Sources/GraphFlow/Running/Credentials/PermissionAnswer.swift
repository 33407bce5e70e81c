import GraphAPI
import JSONPath

/// What the answer to a look-up of permissions means.
enum PermissionAnswer {
  /// The permissions, each with its status.
  case listed([String: String])
  /// This way leads nowhere: there is no user, or Graph does not tell.
  case notListed
  /// The token is dead.
  case invalid(Failure)
  /// No answer, or none to the token that asked.
  case failed(Failure)

  /// Reads the answer to `GET me/permissions`.
  init(list answered: AnsweredCall, operation: Int) {
    if let body = PermissionAnswer.body(of: answered, operation), let data = body["data"]?.array {
      var statuses: [String: String] = [:]
      for entry in data {
        guard let permission = entry["permission"]?.string, let status = entry["status"]?.string
        else { continue }
        // What is not one of the three known states is none of a grant.
        statuses[permission] = PermissionAnswer.states.contains(status) ? status : "missing"
      }
      self = .listed(statuses)
    } else {
      self.init(failure: answered, operation: operation)
    }
  }

  /// Reads the answer to `GET debug_token`, which has the status 200 for dead tokens too.
  init(inspection answered: AnsweredCall, operation: Int, at now: Timestamp) {
    guard let data = PermissionAnswer.body(of: answered, operation)?["data"], data.object != nil
    else {
      self.init(failure: answered, operation: operation)
      return
    }
    guard data["is_valid"]?.bool != false else {
      self = .invalid(answered.failure(statedAs: PermissionAnswer.error(in: data["error"])))
      return
    }
    guard let scopes = data["scopes"]?.array else {
      self = .notListed
      return
    }
    // After 90 days without the person, what was granted is not in force; 0 is never.
    let end = data["data_access_expires_at"]?.number?.integer ?? 0
    let status = end > 0 && Int64(end) < now.milliseconds / 1000 ? "expired" : "granted"
    let statuses = scopes.compactMap(\.string).map { ($0, status) }
    self = .listed(Dictionary(statuses, uniquingKeysWith: { first, _ in first }))
  }

  private init(failure answered: AnsweredCall, operation: Int) {
    do throws(AnsweredCall.Rejection) {
      _ = try answered.response(ofOperation: operation)
      self = .notListed
    } catch {
      // These mean that there is no such list, also where a rule has them retried for requests.
      switch error.reasonByTable {
      case .parameter, .notFound, .permission: self = .notListed
      default: self = .failed(error.failure)
      }
    }
  }

  private static let states: Set<String> = ["granted", "declined", "expired"]

  private static func body(of answered: AnsweredCall, _ operation: Int) -> JSON? {
    try? answered.response(ofOperation: operation).body.json()
  }

  /// The error inside the facts about a token, whose subcode has a name of its own there.
  private static func error(in facts: JSON?) -> GraphError {
    GraphError(
      message: facts?["message"]?.string ?? "The token is not valid",
      code: facts?["code"]?.number?.integer ?? 190,
      subcode: facts?["subcode"]?.number?.integer
    )
  }
}
