import GraphAPI
import GraphFlow

extension RunSession {
  /// The state of a job's run before its first step.
  func state(
    of job: RunJob, _ options: RunOptions, _ settings: Settings,
    _ bookmarks: [Int: Bookmarks], seed: UInt64, as identity: RunIdentity
  ) -> RunState {
    var context = context(of: job, with: settings)
    context.bookmarks = bookmarks
    return RunState(
      workflow: job.workflow.under(settings.requestGuard), inputs: job.inputs, options: options,
      context: context, id: identity.id, startedAt: identity.startedAt,
      datesFrom: identity.datesFrom, seed: seed)
  }

  private func context(of job: RunJob, with settings: Settings) -> RunContext {
    let workflow = job.workflow
    let folder = job.folder
    var context = RunContext(
      graphURL: settings.graphURL, version: workflow.version ?? settings.version ?? .current,
      appSecret: settings.appSecret, appToken: settings.appToken, profile: settings.profile,
      isSandboxRun: settings.isSandbox, itemFiles: job.itemFiles,
      token: { profile async throws(TokenUnavailable) in
        try settings.tokens.token(forRunWith: profile)
      }, readFile: { path in try folder.bytes(of: path) },
      openItems: { path in try ItemFile(path, in: folder).stream() })
    context.noted.workingFolder = WorkflowFolder.current
    context.noted.runKey = job.key
    context.noted.job = job.id(isSandbox: settings.isSandbox)
    context.noted.total = job.total.isComplete ? job.total.known : nil
    context.secrets = ProcessRedactor.known
    context.registerSecrets = { ProcessRedactor.record($0) }
    return context
  }
}
