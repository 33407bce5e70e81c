import GraphAPI
import GraphFlow

extension RunSession {
  /// Refuses a run whose tokens end too soon, before anything else is sent; warns of a login that
  /// ends before the run's deadline.
  func checkTokenLife(
    of job: RunJob, _ settings: Settings, over transport: any Transport
  ) async throws {
    let profiles = settings.profiles(of: job.workflow).sorted()
    await settings.refreshLogins(of: profiles, over: transport, quietly: output.options.quiet)
    if let minTokenLife {
      let client = GraphClient(
        transport: transport, url: settings.graphURL, version: settings.version ?? .current)
      let demand = TokenDemand(scopes: [], seconds: Int(minTokenLife.components.seconds))
      for profile in profiles {
        try await Identity(of: profile, settings, by: client)
          .satisfy(demand, now: WallClock.seconds())
      }
    } else if !output.options.quiet, !settings.isSandbox,
      let deadline = job.options.deadline ?? job.workflow.conduct.deadline
    {
      let (now, url) = (WallClock.seconds(), settings.graphURL)
      for profile in profiles {
        guard case .login? = settings.tokens.source(of: profile),
          let facts = try? LoginStore.required().login(of: profile, at: url, now: now).facts
        else { continue }
        let demand = TokenDemand(scopes: [], seconds: Int(deadline.components.seconds))
        for lack in demand.shortage(of: facts, now: now) where facts.end != .unknown {
          Terminal.warn("profile '\(profile)': \(lack), before the deadline of the run")
        }
      }
    }
  }
}
