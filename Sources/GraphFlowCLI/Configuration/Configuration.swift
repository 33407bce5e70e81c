import GraphAPI
import GraphFlow

/// The contents of `graphflow/config.yaml`; flags and the environment override it.
struct Configuration: Sendable {
  var profiles: [String: TokenSource] = [:]
  var graphURL: GraphURL?
  var version: GraphVersion?
  /// The path of the certificates that are trusted instead of the system's, as written in the file.
  var certificateFile: String?
  var appID: String?
  var retention = Retention()
  var notifier: Notifier?
  var requestGuard = RequestGuard(file: Configuration.path ?? "")

  /// The XDG config directory, usually `~/.config`.
  ///
  /// `nil` if neither `XDG_CONFIG_HOME` nor `HOME` is set. A relative path is ignored, as the XDG
  /// specification demands.
  static var userFolder: String? {
    if let folder = Environment.value("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
    return Environment.value("HOME").map { $0 + "/.config" }
  }

  /// The folder of the configuration file, where logins and the authority of sandboxes are kept, too.
  static var folder: String? { userFolder.map { $0 + "/graphflow" } }

  static var path: String? { folder.map { $0 + "/config.yaml" } }
}

extension Configuration {
  /// Reads the configuration file; one that does not exist is empty.
  static func load() throws -> Configuration {
    let (configuration, diagnostics) = try read()
    // Without the lines of the file: a secret that was put there by mistake must not be printed.
    Diagnostics.report(diagnostics.sorted { $0.location < $1.location }, of: nil)
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      throw CommandFailure.silent(.misconfigured)
    }
    return configuration
  }

  /// The Graph version of workflows that name none, for advice: a mistake elsewhere in the file is
  /// reported by the commands that need it.
  static var adviceVersion: GraphVersion { (try? read())?.configuration.version ?? .current }

  private static func read() throws -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    guard let path, FileStatus(path) != nil else { return (Configuration(), []) }
    let bytes: [UInt8]
    do { bytes = try FileReading.bytes(of: path) } catch let failure as CommandFailure {
      throw CommandFailure(.misconfigured, failure.message)
    }
    guard !isBlank(bytes) else { return (Configuration(), []) }
    let source = SourceFile(path: path, bytes: bytes)
    let (node, diagnostics) = YAMLNode.reading(source)
    var reader = ConfigurationReader(file: path, diagnostics: diagnostics.map(\.withoutContents))
    if let node { reader.read(node) }
    return (reader.configuration, reader.diagnostics)
  }

  /// Whether a file holds nothing but blank lines and comments.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
      return first == nil || first == UInt8(ascii: "#")
    }
  }
}

/// Turns the located values of the configuration file into a configuration.
private struct ConfigurationReader {
  let file: String
  var diagnostics: [Diagnostic]
  var configuration = Configuration()

  mutating func read(_ node: YAMLNode) {
    for entry in members(of: node, called: "the configuration") {
      switch entry.key {
      case "profiles": readProfiles(entry.value)
      case "graph_url":
        configuration.graphURL = value(
          of: entry.value, GraphURL.init,
          else: "'graph_url' must be https://HOST, or http:// on a loopback address")
      case "version":
        configuration.version = value(
          of: entry.value, GraphVersion.init,
          else: "'version' must be a Graph version, such as v25.0")
      case "app_id": configuration.appID = text(of: entry.value)
      case "ca_file":
        configuration.certificateFile = value(
          of: entry.value, { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil },
          else: "'ca_file' must be a path that begins with / or ~/")
      case "retention": readRetention(entry.value)
      case "notify": readNotifier(entry.value)
      case "allow": configuration.requestGuard.allow = rules(of: entry)
      case "deny": configuration.requestGuard.deny = rules(of: entry)
      default:
        reportUnknownKey(
          entry,
          known: "profiles, graph_url, version, app_id, ca_file, retention, notify, allow, deny")
      }
    }
  }

  private mutating func readProfiles(_ node: YAMLNode) {
    for entry in members(of: node, called: "'profiles'") {
      if case .scalar(let scalar) = entry.value.content, !scalar.text.isEmpty {
        report(
          "a profile is not a token; it names its source: {login: true}, {env: VARIABLE}, "
            + "{file: PATH} or {command: [PROGRAM]}", at: entry.value.location)
        continue
      }
      let members = members(of: entry.value, called: "a profile")
      let sources = members.compactMap { source(of: $0) }
      if members.count == 1 {
        configuration.profiles[entry.key] = sources.first
      } else {
        report(
          "a profile needs exactly one of login, env, file, command", at: entry.value.location)
      }
    }
  }

  private mutating func command(of node: YAMLNode) -> [String]? {
    if case .sequence(let words) = node.content, !words.isEmpty {
      return words.compactMap { text(of: $0) }
    }
    report("'command' must be a list: the program and its arguments", at: node.location)
    return nil
  }

  private mutating func readNotifier(_ node: YAMLNode) {
    var notifier = Notifier(command: [])
    for entry in members(of: node, called: "'notify'") {
      switch entry.key {
      case "command": notifier.command = command(of: entry.value) ?? []
      case "events":
        guard case .sequence(let names) = entry.value.content else {
          report("'events' must be a list", at: entry.value.location)
          continue
        }
        let known = Notifier.Event.allCases.map(\.rawValue).joined(separator: ", ")
        notifier.events = Set(
          names.compactMap { name in
            value(of: name, Notifier.Event.init(rawValue:), else: "an event is one of \(known)")
          })
      default: reportUnknownKey(entry, known: "command, events")
      }
    }
    if notifier.command.isEmpty, diagnostics.isEmpty {
      report("'notify' needs a 'command'", at: node.location)
    }
    configuration.notifier = notifier
  }

  /// The rules of the guard that a list names.
  private mutating func rules(of list: YAMLNode.Entry) -> [RequestGuard.Rule] {
    guard case .sequence(let nodes) = list.value.content else {
      report("'\(list.key)' must be a list of rules", at: list.value.location)
      return []
    }
    return nodes.map { node in
      var (methods, path, host): (Set<OperationMethod>, GuardedPaths?, String?) = ([], nil, nil)
      let entries = members(of: node, called: "a rule")
      if entries.isEmpty { report("a rule needs methods, path or host", at: node.location) }
      for entry in entries {
        switch entry.key {
        case "methods": methods = self.methods(of: entry.value)
        case "path":
          path = value(
            of: entry.value, GuardedPaths.init,
            else: "'path' must be a pattern such as me/feed, */comments or 123/**, without a "
              + "version and a query")
        case "host":
          host = value(
            of: entry.value, { GraphURL("https://" + $0)?.host },
            else: "'host' must be the name of a host, such as graph.facebook.com")
        default: reportUnknownKey(entry, known: "methods, path, host")
        }
      }
      return RequestGuard.Rule(
        methods: methods, path: path, host: host, place: "\(file):\(node.location.line)")
    }
  }

  private mutating func methods(of node: YAMLNode) -> Set<OperationMethod> {
    guard case .sequence(let names) = node.content, !names.isEmpty else {
      report("'methods' must be a list: get, post, delete", at: node.location)
      return []
    }
    return Set(
      names.compactMap { name in
        value(
          of: name,
          { text in OperationMethod.allCases.first { $0.rawValue.lowercased() == text } },
          else: "a method is one of get, post, delete")
      })
  }

  private mutating func readRetention(_ node: YAMLNode) {
    for entry in members(of: node, called: "'retention'") {
      let ages: [String: WritableKeyPath<Retention, RunAge?>] = [
        "succeeded": \.succeeded, "failed": \.failed, "sandbox": \.sandbox,
      ]
      guard let age = ages[entry.key] else {
        reportUnknownKey(entry, known: "succeeded, failed, sandbox")
        continue
      }
      configuration.retention[keyPath: age] = value(
        of: entry.value, RunAge.init(argument:),
        else: "this must be an age, such as 12h, 30d or 8w")
    }
  }

  private mutating func source(of entry: YAMLNode.Entry) -> TokenSource? {
    switch entry.key {
    case "login":
      if text(of: entry.value) == "true" { return .login }
      report("'login' must be true, or left out", at: entry.value.location)
    case "env": return text(of: entry.value).map { .environment($0) }
    case "file": return text(of: entry.value).map { .file($0) }
    case "command": return command(of: entry.value).map { .command($0) }
    default: reportUnknownKey(entry, known: "login, env, file, command")
    }
    return nil
  }

  private mutating func members(of node: YAMLNode, called what: String) -> [YAMLNode.Entry] {
    switch node.content {
    case .mapping(let entries): return entries
    case .scalar(let scalar) where scalar.text.isEmpty: break
    case .invalid: break
    case .scalar, .sequence: report("\(what) must be a map", at: node.location)
    }
    return []
  }

  /// Converts a text into a value; reports the message if that fails.
  private mutating func value<Value>(
    of node: YAMLNode, _ read: (String) -> Value?, else message: String
  ) -> Value? {
    guard let text = text(of: node) else { return nil }
    let value = read(text)
    if value == nil { report(message, at: node.location) }
    return value
  }

  private mutating func text(of node: YAMLNode) -> String? {
    if case .scalar(let scalar) = node.content, !scalar.text.isEmpty { return scalar.text }
    report("this must be a string", at: node.location)
    return nil
  }

  private mutating func reportUnknownKey(_ entry: YAMLNode.Entry, known: String) {
    // Anything but a word may be a secret without its key, and is not shown.
    let isWord =
      entry.key.utf8.count <= 32
      && entry.key.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
    report(
      "unknown key" + (isWord ? " '\(entry.key)'" : ""), at: entry.keyLocation,
      rule: "unknown-key", hint: "the keys are \(known)")
  }

  private mutating func report(
    _ message: String, at location: SourceLocation, rule: String = "invalid-value",
    hint: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(rule: rule, message: message, file: file, location: location, hint: hint))
  }
}

extension Diagnostic {
  /// The diagnostic without text quoted from the file; quoted signs such as ':' stay.
  fileprivate var withoutContents: Diagnostic {
    func blanked(_ text: String, between quote: String) -> String {
      text.split(separator: quote, omittingEmptySubsequences: false).enumerated()
        .map { $0.offset % 2 == 1 && $0.element.utf8.count > 3 ? "…" : $0.element }
        .joined(separator: quote)
    }
    return Diagnostic(
      severity: severity, rule: rule, message: blanked(message, between: "'"), file: file,
      location: location, hint: hint.map { blanked(blanked($0, between: "\""), between: "'") })
  }
}
