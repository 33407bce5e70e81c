import GraphAPI
import JSONPath

/// The result of a permission lookup.
enum PermissionAnswer {
  case listed([String: String])
  /// This endpoint has no list for the token: it has no user, or Graph does not show it.
  case notListed
  case invalid(Failure)
  case failed(Failure)

  /// Reads the answer to `GET me/permissions`.
  init(list answered: AnsweredCall, operation: Int) {
    if let body = PermissionAnswer.body(of: answered, operation), let data = body["data"]?.array {
      var statuses: [String: String] = [:]
      for entry in data {
        guard let permission = entry["permission"]?.string, let status = entry["status"]?.string
        else { continue }
        // An unknown status is not a grant.
        statuses[permission] = PermissionAnswer.states.contains(status) ? status : "missing"
      }
      self = .listed(statuses)
    } else {
      self.init(failure: answered, operation: operation)
    }
  }

  /// Reads the answer to `GET debug_token`, whose status is 200 for invalid tokens too.
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
    // Data access expires 90 days after the person last used the app; 0 means never.
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
      // These mean that there is no such list, even if an error rule retries them for requests.
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

  /// The error in the facts about a token; its subcode has its own member name there.
  private static func error(in facts: JSON?) -> GraphError {
    GraphError(
      message: facts?["message"]?.string ?? "The token is not valid",
      code: facts?["code"]?.number?.integer ?? 190, subcode: facts?["subcode"]?.number?.integer)
  }
}
