/// How the options of a run are kept in its first event; journals of version 1 have none of them.
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

  /// Reads the members; what is not there is what it is by default.
  init(_ reader: EventReader) throws(EventFault) {
    var budget = RunBudget()
    budget.calls = try reader.integer("budget_calls")
    budget.usage = try reader.integer("budget_usage")
    self.init(
      batchSize: try reader.integer("batch_size"),
      batchUnsafeWrites: try reader.integer("batch_unsafe_writes"),
      strategy: try reader.choice("strategy"),
      concurrency: try reader.integer("concurrency"),
      maxUnsafeWrites: try reader.integer("max_unsafe_writes"),
      requiresPermissions: try reader.flag("require_permissions"),
      budget: budget
    )
  }
}
