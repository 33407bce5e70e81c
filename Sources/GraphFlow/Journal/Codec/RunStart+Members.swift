internal import JSONPath

extension RunStart: MemberRecord {
  init<C: MemberCoder>(_ value: RunStart?, _ coder: inout C) throws(C.Fault) {
    self.init(
      id: try coder.required("id", value?.id),
      workflow: try coder.required("workflow", value?.workflow),
      file: try coder.required("file", value?.file),
      fileDigest: try coder.required("file_sha256", value?.fileDigest),
      startedAt: try coder.required("at", value?.startedAt),
      datesFrom: try coder.optional("dates_from", value?.datesFrom),
      graphVersion: try coder.required("version", value?.graphVersion),
      graphURL: try coder.required("url", value?.graphURL),
      profile: try coder.required("profile", value?.profile),
      isSandboxRun: try coder.flag("rehearsal", value?.isSandboxRun),
      inputs: try coder.values("inputs", value?.inputs),
      requests: try coder.list("requests", value?.requests),
      itemFiles: Dictionary(
        try coder.list("item_files", value?.itemDigests).map { ($0.file, $0.digest) },
        uniquingKeysWith: { first, _ in first }),
      folder: try coder.optional("folder", value?.folder),
      options: try coder.required("options", value?.options),
      key: try coder.optional("key", value?.key), job: try coder.optional("job", value?.job),
      total: try coder.optional("total", value?.total))
  }

  /// The files of items, by name.
  private var itemDigests: [ItemFileDigest] {
    itemFiles.sorted { $0.key < $1.key }.map { ItemFileDigest(file: $0.key, digest: $0.value) }
  }
}

/// The digest of a file of items when a run started.
private struct ItemFileDigest {
  var file: String
  var digest: String
}

extension ItemFileDigest: MemberRecord {
  init<C: MemberCoder>(_ value: ItemFileDigest?, _ coder: inout C) throws(C.Fault) {
    self.init(
      file: try coder.required("file", value?.file),
      digest: try coder.required("sha256", value?.digest))
  }
}

extension RunOptions: MemberRecord {
  init<C: MemberCoder>(_ value: RunOptions?, _ coder: inout C) throws(C.Fault) {
    self.init(
      limits: BatchLimits(
        width: try coder.required("batch_size", value?.limits.width),
        unsafeWrites: try coder.required("batch_unsafe_writes", value?.limits.unsafeWrites),
        strategy: try coder.required("strategy", value?.limits.strategy)),
      concurrency: try coder.optional("concurrency", value?.concurrency),
      maxUnsafeWrites: try coder.required("max_unsafe_writes", value?.maxUnsafeWrites),
      requiresPermissions: try coder.flag("require_permissions", value?.requiresPermissions),
      budget: RunBudget(
        calls: try coder.optional("budget_calls", value?.budget.calls),
        usage: try coder.optional("budget_usage", value?.budget.usage)),
      deadline: try coder.optional("deadline_ms", value?.deadline?.milliseconds)
        .map { .milliseconds($0) },
      maxWrites: try coder.optional("max_writes", value?.maxWrites),
      writes: try coder.optional("approved_writes", value?.approval)
        .map(WriteMode.approved) ?? .sent,
      recovers: try !coder.flag("no_recovery", value.map { !$0.recovers }),
      shard: try coder.optional("shard", value?.shard),
      only: try coder.list("only", value?.only), from: try coder.optional("from", value?.from))
    windows.backfill = try coder.optional("backfill", value?.windows.backfill?.text)
      .flatMap { WindowSelection.Backfill($0) }
    windows.reprocessing =
      try coder.optional(
        "reprocess", value.map(\.windows.reprocessing).flatMap { $0 == .failed ? nil : $0.rawValue }
      )
      .flatMap { WindowSelection.Reprocessing(rawValue: $0) } ?? .failed
    windows.isNewestFirst = try coder.flag("newest_first", value?.windows.isNewestFirst)
  }
}

extension EarlierOutcomes: MemberRecord {
  init<C: MemberCoder>(_ value: EarlierOutcomes?, _ coder: inout C) throws(C.Fault) {
    self.init(
      names: try coder.list("names", value?.names), run: try coder.required("run", value?.run))
  }
}

extension RequestFacts: MemberRecord {
  init<C: MemberCoder>(_ value: RequestFacts?, _ coder: inout C) throws(C.Fault) {
    self.init(
      name: try coder.required("name", value?.name),
      method: try coder.required("method", value?.method),
      path: try coder.required("path", value?.path), line: try coder.required("line", value?.line),
      dependsOn: try coder.list("depends_on", value?.dependsOn),
      isIdempotent: try coder.flag("idempotent", value?.isIdempotent),
      isRepeated: try coder.flag("repeated", value?.isRepeated),
      part: try coder.optional("part", value?.part),
      definition: try coder.optional("definition", value?.definition),
      file: try coder.optional("file", value?.file))
  }
}
