import GraphAPI
import GraphFlow

/// Asks Graph about the tokens of a job, with one call for each, and judges what it learns.
struct Doctor: Sendable {
  /// The workflow whose needs are checked; nil for the profile alone.
  let workflow: Workflow?
  let settings: Settings
  let recorders: [ExchangeRecorder]

  /// What is asked with a profile's token.
  private enum Answer {
    case known(Identity)
    case refused(CommandFailure)
  }

  /// The checks that send something.
  static let checks = ["version", "proxy", "network", "clock", "token", "permissions", "quota"]

  func findings() async throws -> [Finding] {
    try await HTTPClientTransport.withTransport(route: settings.route) { transport in
      let observed = ObservedTransport(transport.recorded(by: recorders))
      let version = oldestVersion
      let client = GraphClient(transport: observed, url: settings.graphURL, version: version)
      var answers: [(profile: String, answer: Answer)] = []
      for profile in profiles where observed.failure == nil {
        answers.append((profile, try await answer(about: profile, client)))
      }
      if observed.answers.isEmpty, observed.failure == nil {
        // Without a token Graph refuses, which is an answer.
        let probe = WireRequest(method: "GET", url: "\(settings.graphURL)/\(version)/")
        _ = try? await observed.send(probe, timeout: .seconds(30))
      }
      if observed.failure?.kind == .cancelled { throw CancellationError() }
      return judged(answers, observed, version)
    }
  }

  private func answer(about profile: String, _ client: GraphClient) async throws -> Answer {
    do {
      return .known(try await Identity(of: profile, settings, by: client))
    } catch let failure as CommandFailure {
      return .refused(failure)
    }
  }

  private func judged(
    _ answers: [(profile: String, answer: Answer)], _ observed: ObservedTransport,
    _ version: GraphVersion
  ) -> [Finding] {
    let (now, answer) = (WallClock.seconds(), observed.answers.first)
    var findings = [
      Finding.version(version, answeredAs: answer?.headers["facebook-api-version"], now: now),
      .proxy(settings.route, to: settings.graphURL), network(observed),
      answer.map { .clock(date: $0.headers.date, clock: $0.clock) }
        ?? .skipped("clock", "Graph has not answered"),
    ]
    var usage = observed.answers.reduce(Usage()) { $0.merged(with: Usage(headers: $1.headers)) }
    var permissions: [Finding] = []
    var throttle: CommandFailure?
    for (profile, answer) in answers {
      switch answer {
      case .known(let identity):
        usage = usage.merged(with: identity.facts.usage)
        findings.append(.token(identity, now: now))
        if workflow != nil { permissions.append(.permissions(needs(of: profile), identity)) }
      case .refused(let failure) where failure.status == .tryAgainLater:
        throttle = failure
        findings.append(.skipped("token", "\(profile): Graph answers no calls now"))
      case .refused(let failure)
      where observed.failure != nil && ![.notPermitted, .misconfigured].contains(failure.status):
        findings.append(.skipped("token", "\(profile): Graph cannot be reached"))
      case .refused(var failure):
        failure.message = "\(profile): \(failure.message)"
        findings.append(.failed("token", failure))
      }
    }
    if permissions.isEmpty {
      let reason = workflow == nil ? "name a workflow: graphflow doctor FILE" : "no token works"
      permissions = [.skipped("permissions", reason)]
    }
    findings += permissions
    findings.append(throttle.map { .failed("quota", $0) } ?? .quota(usage))
    return findings
  }

  private func network(_ observed: ObservedTransport) -> Finding {
    let url = settings.graphURL
    if let failure = observed.failure {
      // What is in the way of TLS is usually a proxy that inspects it.
      let hint =
        failure.message.contains("certificate")
        ? "if a proxy here inspects TLS, name its certificates: SSL_CERT_FILE, or ca_file"
        : failure.classification.hint
      return .failed(
        "network", CommandFailure(.unreachable, "\(url): \(failure.message)", hint: hint))
    }
    let time = observed.answers.first?.time ?? .zero
    let text = "\(url) answered in \(time.milliseconds) ms, connecting included"
    guard time > .seconds(5) else { return .ok("network", text) }
    return .warning("network", text, hint: "a request's `timeout` has to leave room for that")
  }

  /// The profiles whose tokens the workflow uses, in its order.
  private var profiles: [String] {
    guard let workflow else { return [settings.profile ?? "default"] }
    let all = workflow.requests.compactMap { settings.profile(behind: $0, in: workflow) }
    return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
  }

  /// The permissions that requests with the profile's token need, each with the first of them.
  private func needs(of profile: String) -> [(permission: String, request: String)] {
    var needs: [(permission: String, request: String)] = []
    for request in workflow?.requests ?? []
    where workflow.flatMap({ settings.profile(behind: request, in: $0) }) == profile {
      for permission in request.permissions where !needs.contains(where: { $0.0 == permission }) {
        needs.append((permission, request.displayName))
      }
    }
    return needs
  }

  /// The oldest version that the workflow uses; it ends first.
  private var oldestVersion: GraphVersion {
    let standard = settings.version ?? .current
    return workflow?.requests.map { $0.version ?? standard }.min() ?? standard
  }
}

extension Settings {
  /// The profile whose token a request is sent with, or that its token comes from; nil if it comes
  /// from an input or an item.
  fileprivate func profile(behind request: Workflow.Request, in workflow: Workflow) -> String? {
    workflow.profile(behind: request).map { $0 == workflow.token ? profile ?? $0 : $0 }
  }
}
