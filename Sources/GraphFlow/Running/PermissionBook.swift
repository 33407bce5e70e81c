import GraphAPI
import JSONPath

/// What is known of the permissions of the tokens that a run uses.
struct PermissionBook: Sendable {
  /// What is known of one token.
  enum Knowledge: Hashable, Sendable {
    /// The permissions that Graph lists, each with its status.
    case listed([String: String])
    /// The token's node has no list of permissions, so nothing can be checked beforehand.
    case notListed
    /// The look-up failed for good.
    case unreadable(Failure)
  }

  private(set) var known: [String: Knowledge] = [:]

  /// Whether a profile's permissions were asked for.
  func isKnown(_ profile: String) -> Bool {
    known[profile] != nil
  }

  mutating func note(_ knowledge: Knowledge, of profile: String) {
    known[profile] = knowledge
  }

  /// The permissions out of a list that a profile's token lacks, each with what Graph says of it.
  func lacking(_ permissions: [String], profile: String) -> [(permission: String, status: String)] {
    guard case .listed(let statuses) = known[profile] else { return [] }
    return permissions.compactMap { permission in
      let status = statuses[permission] ?? "missing"
      return status == "granted" ? nil : (permission, status)
    }
  }

  /// Why a profile's permissions could not be read, if so.
  func failure(for profile: String) -> Failure? {
    guard case .unreadable(let failure) = known[profile] else { return nil }
    return failure
  }

  /// The statuses in the body of `me/permissions`.
  static func statuses(in body: JSON) -> [String: String]? {
    guard let data = body["data"]?.array else { return nil }
    var statuses: [String: String] = [:]
    for entry in data {
      guard let permission = entry["permission"]?.string, let status = entry["status"]?.string
      else { continue }
      statuses[permission] = status
    }
    return statuses
  }
}
