import ArgumentParser
import GraphFlow
import JSONPath
import Synchronization

/// `graphflow permissions`: what permissions allow, and which of them a token has.
struct PermissionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permissions", abstract: "List, explain, request and revoke permissions.",
    discussion: """
      Without a subcommand it lists all permissions.

      Example: what is there, what is one for, and how to get it:

        graphflow permissions list --kind pages
        graphflow permissions explain pages_manage_posts post.yaml
        graphflow permissions request pages_manage_posts
      """,
    subcommands: [
      PermissionsListCommand.self, PermissionsExplainCommand.self, PermissionsRequestCommand.self,
      PermissionsRevokeCommand.self,
    ],
    defaultSubcommand: PermissionsListCommand.self)
}

extension KnownPermission.Family: ExpressibleByArgument {}

/// `graphflow permissions list`: a table for people, a list of objects for programs.
struct PermissionsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List permissions, and which of them the token has.",
    discussion: """
      Without a token for the profile nothing is sent, and no status is shown. With one, Graph is \
      asked which permissions were granted, declined, or have expired; all others are missing.

      Example: what may this token do with pages?

        graphflow permissions list --kind pages

      Example: the names of all permissions that were declined:

        graphflow permissions list --format json | graphflow query '$[?@.status == "declined"].name'
      """)

  @Option(help: "Only permissions of this kind.")
  var kind: KnownPermission.Family?

  @OptionGroup var options: ProfileOptions

  @Option(help: "A table (text) or a list of objects (json).")
  var format: OutputFormat = .text

  func run() throws {
    var outcome = CommandOutcome()
    var scopes: GrantedScopes?
    outcome.attempt { scopes = try options.facts()?.scopes }
    let rows = KnownPermissions.rows.filter { kind == nil || $0.kind == kind }
    switch format {
    case .json: try Terminal.printJSON(list: rows.map { .object($0.json(scopes)) })
    case .text:
      let width = rows.map(\.name.count).max() ?? 0
      let lines = rows.map { row in
        let status = scopes.map { $0.status(of: row.name).padded(to: 10) } ?? ""
        return row.name.padded(to: width + 2) + row.kind.rawValue.padded(to: 11) + status
          + row.allows
      }
      try Terminal.printResult(lines.joined(separator: "\n"))
    }
    try outcome.status.throwUnlessSucceeded()
  }
}

/// `graphflow permissions explain`: what a permission allows, and what needs it.
struct PermissionsExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain a permission, and draft the words for app review.",
    discussion: """
      Shows what the permission allows, what it needs beside it, and which edges need it. With \
      files also which of their requests need it, and a draft of the words that Meta's app review \
      asks for, made from these requests. Sends nothing, and needs no token.

      Example: why does this file need it, and what to write into the form?

        graphflow permissions explain pages_manage_posts post.yaml
      """)

  @Argument(help: .value("name", "The permission."), completion: .permissions)
  var name: String

  @Argument(help: .value("file", "Workflows whose requests are searched."), completion: .workflows)
  var files: [String] = []

  @Option(help: "How to print the explanation.")
  var format: OutputFormat = .text

  func run() throws {
    guard let permission = KnownPermissions.row(name) else {
      let mistake = KnownPermissions.mistake(in: name)
      let shown = String(name.prefix(60))
      throw CommandFailure(
        .usage, mistake?.problem ?? "the table has no permission '\(shown)'",
        hint: mistake?.hint ?? "graphflow permissions list shows all that it has")
    }
    let workflows = try files.map { try WorkflowFiles.workflow(at: $0, needsFiles: false) }
    let explanation = PermissionExplanation(of: permission, in: workflows)
    switch format {
    case .text: try Terminal.printText(explanation.text)
    case .json: try Terminal.printJSON(explanation.json, pretty: true)
    }
  }
}

extension ProfileOptions {
  /// What Graph reports about the profile's token; nil without a token.
  func facts() throws -> TokenFacts? {
    let settings = try settings()
    let profile = settings.profile ?? "default"
    guard settings.tokens.source(of: profile) != nil else { return nil }
    let token = try settings.tokens.token(for: profile)
    let facts = Mutex<TokenFacts?>(nil)
    try Foreground.run { _ in
      let reported = try await GraphClient.with(settings) {
        try await TokenFacts(of: token, by: $0, settings)
      }
      facts.withLock { $0 = reported }
      return .succeeded
    }
    .throwUnlessSucceeded()
    return facts.withLock(\.self)
  }
}

extension KnownPermission {
  /// Its row for programs; without the scopes of a token its status is not known.
  func json(_ scopes: GrantedScopes?) -> JSON.Object {
    [
      "name": .string(name), "kind": .string(kind.rawValue),
      "status": scopes.map { .string($0.status(of: name)) } ?? .null,
      "allows": .string(allows), "needs": .array(needs.map(JSON.string)),
      "probably_needs": .array(probablyNeeds.map(JSON.string)),
      "page_task": PageTask.needed[name].map { .string($0.rawValue) } ?? .null,
      "app_review": .bool(needsReview), "source": .string(KnownPermissions.source),
    ]
  }
}

extension GrantedScopes {
  /// `granted`, `declined`, `expired` or `missing`.
  func status(of name: String) -> String {
    byStatus.first { $0.names.contains(name) }?.status ?? "missing"
  }
}
