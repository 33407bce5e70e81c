package import GraphAPI
import JSONPath

/// A machine's guard: which requests may be sent from it, whatever a workflow says.
///
/// A request is judged by its method and by the paths that it leads to. If a rule needs the path, and
/// the path cannot be read with certainty, the request is refused.
package struct RequestGuard: Hashable, Sendable {
  /// Some requests: those that meet all of its conditions.
  package struct Rule: Hashable, Sendable {
    /// The methods; empty for all.
    let methods: Set<OperationMethod>
    /// The paths; nil for all.
    let path: GuardedPaths?
    /// The host; nil for all.
    let host: String?
    /// Where it was written, such as `config.yaml:4`.
    let place: String

    package init(
      methods: Set<OperationMethod>, path: GuardedPaths?, host: String?, place: String
    ) {
      self.methods = methods
      self.path = path
      self.host = host
      self.place = place
    }

    fileprivate func concerns(_ method: OperationMethod) -> Bool {
      methods.isEmpty || methods.contains(method)
    }
  }

  /// What may be sent; nil for everything.
  package var allow: [Rule]?
  /// What may not be sent, even if it is allowed.
  package var deny: [Rule]
  /// The file with the rules, for messages.
  package var file: String

  package init(allow: [Rule]? = nil, deny: [Rule] = [], file: String = "") {
    self.allow = allow
    self.deny = deny
    self.file = file
  }

  /// Whether everything may be sent.
  private var isOpen: Bool { allow == nil && deny.isEmpty }

  /// The rules that concern the requests to a host.
  package func at(_ url: GraphURL) -> RequestGuard {
    func concerns(_ rule: Rule) -> Bool { rule.host == nil || rule.host == url.host }
    return RequestGuard(
      allow: allow?.filter(concerns), deny: deny.filter(concerns), file: file)
  }

  /// Whether the verdict about a method depends on the path.
  func readsPath(of method: OperationMethod) -> Bool {
    deny.contains { $0.concerns(method) && $0.path != nil }
      || allow?.contains { $0.concerns(method) && $0.path == nil } == false
  }

  /// Why an operation must not be sent; nil if it may be.
  package func refusal(of operation: BatchOperation) -> String? {
    if isOpen { return nil }
    guard !RequestTarget.namesMethod(operation) else {
      return "\(operation.method.rawValue) \(operation.path) names another method (\(file))"
    }
    return refusal(of: operation.method, to: operation.path) {
      RequestTarget(of: operation)
    }
  }

  /// Why a request must not be sent, whatever its unknown values are; nil if it may be.
  ///
  /// The target is what the request leads to; nil if that is not known yet.
  func refusal(
    of method: OperationMethod, to path: String, _ target: () -> RequestTarget?
  ) -> String? {
    let denied = deny.filter { $0.concerns(method) }
    let allowed = allow?.filter { $0.concerns(method) }
    func matches(_ rule: Rule) -> String {
      "a rule of 'deny' matches \(method.rawValue) \(path) (\(rule.place))"
    }
    let noMatch = "no rule of 'allow' matches \(method.rawValue) \(path) (\(file))"
    if let rule = denied.first(where: { $0.path == nil }) { return matches(rule) }
    if allowed?.isEmpty == true { return noMatch }
    guard readsPath(of: method), let target = target() else { return nil }
    guard let paths = target.paths else {
      return "it is not clear where \(method.rawValue) \(path) leads, and a rule needs to know "
        + "(\(file))"
    }
    let read = paths + target.expansions
    for rule in denied where read.contains(where: { rule.path?.matches($0) ?? true }) {
      return matches(rule)
    }
    let areAllowed =
      allowed?.contains { $0.path == nil } ?? true
      || paths.allSatisfy { path in
        allowed?.contains { $0.path?.matches(path, byCase: true) ?? true } ?? true
      }
    return areAllowed ? nil : noMatch
  }
}

/// A pattern for paths: `*` is any part of a segment, and `**` any number of segments.
package struct GuardedPaths: Hashable, Sendable {
  private let segments: [String]

  /// Reads a pattern; nil if no path could match it.
  package init?(_ text: String) {
    let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.allSatisfy(RequestTarget.isClear), !GraphVersion.isNamed(by: segments[0][...])
    else { return nil }
    self.segments = segments
  }

  /// Whether a path matches.
  ///
  /// Graph does not promise to read names by case. So what is denied is denied in any case, and what
  /// is allowed only as written.
  func matches(_ path: [String], byCase: Bool = false) -> Bool {
    byCase
      ? Self.matches(path[...], segments[...])
      : Self.matches(path.map { $0.lowercased() }[...], segments.map { $0.lowercased() }[...])
  }

  private static func matches(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    let rest = pattern.dropFirst()
    if first == "**" {
      return matches(path, rest) || !path.isEmpty && matches(path.dropFirst(), pattern)
    }
    guard let segment = path.first, isMatch(segment.utf8[...], first.utf8[...]) else {
      return false
    }
    return matches(path.dropFirst(), rest)
  }

  private static func isMatch(_ text: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == UInt8(ascii: "*") {
      return isMatch(text, rest) || !text.isEmpty && isMatch(text.dropFirst(), pattern)
    }
    return text.first == first && isMatch(text.dropFirst(), rest)
  }
}

/// The nodes and edges that a request leads to, as Graph could read it.
struct RequestTarget {
  /// The paths, in segments; nil if they cannot be read with certainty.
  private(set) var paths: [[String]]?
  /// What it may also lead to, if in doubt: the edges that the `fields` of a GET name.
  private(set) var expansions: [[String]] = []

  /// Reads the path, and the parameters that change where it leads.
  ///
  /// `ids`, and `id` where the path has no node of its own, name nodes.
  init(of operation: BatchOperation) {
    let path = operation.path.prefix { $0 != "?" }
    guard let segments = Self.segments(of: String(path)) else { return }
    var (nodes, words, isOwn): ([String], Set<String>, Bool) = ([], [], segments.count > 1)
    for (name, value) in Self.parameters(of: operation) {
      switch name {
      case "ids": nodes += value.split { ",[]\"' ".contains($0) }.map(String.init)
      case "id" where segments.count < 2:
        nodes.append(value)
        isOwn = !segments.isEmpty
      case "fields" where operation.method == .get:
        guard !value.contains("{result=") else { return }
        words.formUnion(value.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
      default: break
      }
    }
    let heads = nodes.compactMap(Self.segments)
    guard heads.count == nodes.count else { return }
    // An edge without a node is one of the nodes that `ids` names; otherwise both may be meant.
    let paths = (heads.isEmpty || isOwn ? [segments] : []) + heads.map { $0 + segments }
    self.paths = paths
    expansions = [segments]
    for path in paths {
      for word in words.sorted() {
        expansions += [path + [word]] + path.suffix(1).map { [$0, word] }
      }
    }
  }

  /// The segments of a path, decoded, without a version; nil if it is not clear what they are.
  private static func segments(of path: String) -> [String]? {
    var text = path
    var decoded = PercentEncoding.decoded(text)
    // A path that was encoded twice may be decoded twice.
    while decoded != text { (text, decoded) = (decoded, PercentEncoding.decoded(decoded)) }
    var segments = text.split(separator: "/").map(String.init)
    while let first = segments.first, GraphVersion.isNamed(by: first[...]) {
      segments.removeFirst()
    }
    return segments.allSatisfy(isClear) ? segments : nil
  }

  /// Whether a segment is a name, and nothing that a server could read in another way.
  static func isClear(_ segment: String) -> Bool {
    !segment.isEmpty && segment != "." && segment != ".."
      && segment.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
      && !segment.contains { "?#\\;{}".contains($0) }
  }

  /// Whether a server could take another method than the operation's.
  static func namesMethod(_ operation: BatchOperation) -> Bool {
    parameters(of: operation).contains { $0.name == "method" }
      || operation.headers.contains { $0.name.lowercased().contains("method") }
  }

  /// The parameters of the path's query and of the operation; `ids[0]` may be read as `ids`.
  private static func parameters(of operation: BatchOperation) -> [(name: String, value: String)] {
    let query = operation.path.drop { $0 != "?" }.dropFirst()
    let fields = FormFields.fields(ofForm: String(query)).map { ($0.name, $0.value) }
    return (fields + operation.parameters.map { ($0.name, $0.value) }).map { name, value in
      (name.prefix { $0 != "[" && $0 != " " }.lowercased(), value)
    }
  }
}

extension RequestGuard {
  /// The requests of a workflow that are refused whatever their values are, with the reasons.
  package func refusals(of workflow: Workflow) -> [(request: Workflow.Request, reason: String)] {
    if isOpen { return [] }
    return workflow.requests.compactMap { request in
      var reason = refusal(of: request.method, to: request.path.text) {
        Self.target(of: request.method, request.path, request.params)
      }
      if reason == nil, let check = request.confirmation {
        reason = refusal(of: .get, to: check.path.text) {
          Self.target(of: .get, check.path, check.params)
        }
      }
      return reason.map { (request, $0) }
    }
  }

  /// What a request leads to; nil if that depends on values of the run.
  private static func target(
    of method: OperationMethod, _ path: Template, _ params: [Workflow.Parameter]
  ) -> RequestTarget? {
    let leading = params.filter { ["fields", "id", "ids"].contains($0.name.lowercased()) }
    guard path.placeholders.isEmpty, leading.allSatisfy(\.value.placeholders.isEmpty) else {
      return nil
    }
    let text = path.parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    return RequestTarget(
      of: BatchOperation(
        method: method, path: PercentEncoding.repaired(text),
        parameters: leading.map { parameter in
          guard case .literal(.string(let text)) = parameter.value else {
            return .init(name: parameter.name, value: parameter.value.writtenText)
          }
          return .init(name: parameter.name, value: text)
        }))
  }
}
