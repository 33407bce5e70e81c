internal import GraphAPI
internal import JSONPath

/// A request that was written in another notation than a workflow file.
///
/// Its texts hold marked references (`MarkedReference`).
struct ImportedRequest: Hashable {
  var name = ""
  var method: OperationMethod
  var version: String?
  /// The path, percent-encoded, without slashes around it.
  var path: String
  /// The parts of the query that stay in the path, percent-encoded.
  var query: [String] = []
  var parameters: JSON.Object = [:]
  /// Parts of a multipart body and the paths of their files.
  var files: JSON.Object = [:]
  var headers: JSON.Object = [:]
  var dependsOn: [String] = []
  /// The reference to the token, if another answer holds it.
  var token: String?

  /// The keys of the request in a workflow file.
  func keys(version common: String?) -> JSON.Object {
    let whole = path + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
    var keys: JSON.Object = [
      method.rawValue.lowercased(): .string(MarkedReference.template(whole))
    ]
    if let version, version != common { keys["version"] = .string(version) }
    if let token { keys["token"] = .string(MarkedReference.template(token)) }
    for (key, members) in [("params", parameters), ("files", files), ("headers", headers)]
    where !members.isEmpty { keys[key] = Self.templates(.object(members)) }
    if !dependsOn.isEmpty { keys["depends_on"] = .array(dependsOn.map { .string($0) }) }
    return keys
  }

  private static func templates(_ value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(MarkedReference.template(text))
    case .array(let elements): .array(elements.map(templates))
    case .object(let members): .object(JSON.Object(members.map { ($0.name, templates($0.value)) }))
    default: value
    }
  }

  /// A name made from method and path, such as `post-me-feed`.
  var suggestedName: String {
    let place = path.isEmpty ? query.first.map { String($0.prefix { $0 != "=" }) } ?? "" : path
    let words = PercentEncoding.decoded(place).split { !$0.utf8.allSatisfy(WorkflowName.isPart) }
    let parts =
      [method.rawValue.lowercased()] + (words.isEmpty ? ["object"] : words.map(String.init))
    return String(parts.joined(separator: "-").prefix(48))
  }
}

/// Why something cannot be made a workflow.
package struct ImportFailure: Error {
  package let message: String
  package let hint: String?
  /// Whether the request holds a secret other than its own token; of an archive it is left out.
  var isAboutSecret = false

  init(_ message: String, hint: String? = nil) { (self.message, self.hint) = (message, hint) }
}
