/// How the options of a run are kept in its first event.
extension RunOptions {
  /// Writes the members.
  func write(to writer: inout EventWriter) {
    writer.member("batch_size", limits.width)
    writer.member("batch_unsafe_writes", limits.unsafeWrites)
    writer.member("strategy", limits.strategy)
    writer.member("concurrency", concurrency)
    writer.member("max_unsafe_writes", maxUnsafeWrites)
    if requiresPermissions { writer.member("require_permissions", true) }
    if let calls = budget.calls { writer.member("budget_calls", calls) }
    if let usage = budget.usage { writer.member("budget_usage", usage) }
  }

  /// Reads the members.
  init(_ reader: EventReader) throws(EventFault) {
    var budget = RunBudget()
    budget.calls = try reader.integer("budget_calls")
    budget.usage = try reader.integer("budget_usage")
    self.init(
      limits: BatchLimits(
        width: try reader.required("batch_size", reader.integer),
        unsafeWrites: try reader.required("batch_unsafe_writes", reader.integer),
        strategy: try reader.requiredChoice("strategy")
      ),
      concurrency: try reader.required("concurrency", reader.integer),
      maxUnsafeWrites: try reader.required("max_unsafe_writes", reader.integer),
      requiresPermissions: try reader.flag("require_permissions") ?? false,
      budget: budget
    )
  }
}
