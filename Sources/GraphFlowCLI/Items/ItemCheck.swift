import GraphFlow
import JSONPath

/// Checks the items that are known before a run; if one of them is invalid, nothing is sent.
struct ItemCheck {
  private let workflow: Workflow
  private let folder: WorkflowFolder
  private let keys: ItemKeys
  /// The part of the items that is the run's own; nil for all.
  private let shard: Shard?
  private var digests: [String: String] = [:]
  private var failures: [(path: String, failure: CommandFailure)] = []

  private init(
    of workflow: Workflow, inputs: InputValues?, shard: Shard?, given: [String: String],
    datesFrom: Timestamp
  ) {
    self.workflow = workflow
    self.shard = shard
    folder = WorkflowFolder(of: workflow.source.path, given: given)
    keys = ItemKeys(of: workflow, inputs: inputs, run: Self.placeholderRun(datesFrom: datesFrom))
  }

  /// A placeholder for checks without a run; it can only show in keys that use the run.
  static func placeholderRun(datesFrom: Timestamp = WallClock.now()) -> RunIdentity {
    let start = Timestamp(milliseconds: 0)
    var generator = SystemRandomNumberGenerator()
    return RunIdentity(
      id: RunID(startedAt: start, using: &generator), startedAt: start, datesFrom: datesFrom)
  }

  /// The items of larger files are only counted for a plan: their keys would not fit into memory.
  private static let maximumKeyCount = 1000

  /// The items of all groups, for a plan, and the digests of their files.
  ///
  /// Reads every file once, checks for duplicate keys, and prints a problem of each file. A shard gets
  /// its own items.
  static func items(
    of workflow: Workflow, inputs: InputValues?, shard: Shard? = nil, given: [String: String] = [:],
    datesFrom: Timestamp = WallClock.now()
  ) throws -> (items: [Plan.Items], digests: [String: String]) {
    guard !workflow.groups.isEmpty else { return ([], [:]) }
    var check = ItemCheck(
      of: workflow, inputs: inputs, shard: shard, given: given, datesFrom: datesFrom)
    let items = workflow.groups.indices.map { group in
      var (found, count): ([String], Int) = ([], 0)
      let isKnown = check.checkItems(of: group) { key in
        count += 1
        if count <= ItemCheck.maximumKeyCount { found.append(key) }
      }
      guard isKnown else { return Plan.Items.unknown }
      return count == found.count ? .known(found) : .counted(count)
    }
    var outcome = CommandOutcome()
    for (_, failure) in check.failures { outcome.recordFailure(failure) }
    try outcome.status.throwUnlessSucceeded()
    return (items, check.digests)
  }

  /// Refuses to continue a run if a file of items without keys has changed.
  ///
  /// Such items are identified by their indices, which may now be those of other items.
  static func refuseChanges(
    of workflow: Workflow, inputs: InputValues, from start: RunStart, to digests: [String: String]
  ) throws {
    let keys = ItemKeys(of: workflow, inputs: inputs, run: start.identity)
    for group in workflow.groups.indices where !keys.hasKeys(group) {
      guard case .file(let path) = try? keys.items(of: group),
        let old = start.itemFiles[path], old != digests[path]
      else { continue }
      throw CommandFailure(
        .invalid,
        "'\(path)' has changed since the run \(start.id) was started, and its items have no `key`",
        hint: "restore the old file, or start a new run; only items with a `key` are found again")
    }
  }

  /// Checks the items of a group and passes their keys to a closure; returns false if they are unknown.
  private mutating func checkItems(of group: Int, _ body: (String) -> Void) -> Bool {
    var place = workflow.source.path
    do {
      switch try keys.items(of: group) {
      case .unknown: return false
      case .values(let values): try check(values, of: group, body)
      case .file(let path):
        place = path
        guard !failures.contains(where: { $0.path == path }) else { return true }
        try check(try ItemFile(path, in: folder), named: path, of: group, body)
      }
    } catch let failure as CommandFailure {
      failures.append((place, failure))
    } catch let problem as ItemsUnreadable {
      let group = workflow.groups[group]
      let at = workflow.source.place(of: group.location)
      let subject = "\(at.path):\(at.line): the items of '\(group.name)'"
      failures.append((place, CommandFailure(.invalid, "\(subject): \(problem.message)")))
    } catch {
      failures.append((place, CommandFailure(error)))
    }
    return true
  }

  private func check(_ values: [JSON], of group: Int, _ body: (String) -> Void) throws {
    var seen: [String: Int] = [:]
    for (index, value) in values.enumerated() {
      let key = try keys.key(of: value, at: index, in: group)
      if let earlier = seen.updateValue(index, forKey: key) {
        throw ItemsUnreadable(
          message: "items \(earlier + 1) and \(index + 1) have the same key, '\(key)'")
      }
      if isOwn(key) { body(key) }
    }
  }

  /// Whether an item with this key is the run's own; equal keys are in one shard.
  private func isOwn(_ key: String) -> Bool { shard?.holds(key: key) ?? true }

  private mutating func check(
    _ file: ItemFile, named path: String, of group: Int, _ body: (String) -> Void
  ) throws {
    // A copy of their own: the closures would copy those of this value for each item.
    let (keys, shard) = (keys, shard)
    let hasKeys = keys.hasKeys(group) && keys.isKnown(keyOf: group)
    let columns = keys.columns(of: group)
    var hashes = KeyHashes()
    var bad: (index: Int, problem: String)?
    var missing: [MissingColumn] = []
    let digest = try file.visit(needing: columns) { index, item in
      let value: JSON
      do throws(ItemsUnreadable) {
        value = try keys.typed(item, in: group)
      } catch {
        bad = (index, error.message)
        return false
      }
      if index == 0 {
        missing = MissingColumn.all(of: group, in: workflow, without: item, isTable: file.isTable)
        guard missing.isEmpty else { return false }
      }
      do throws(ItemsUnreadable) {
        let key = try keys.key(ofTyped: value, at: index, in: group)
        guard shard?.holds(key: key) != false else { return true }
        if hasKeys { hashes.append(key) }
        body(key)
      } catch {
        bad = (index, "this item has no key: \(error.message)")
      }
      return bad == nil
    }
    if let bad {
      let line = try file.lines(of: [bad.index])[bad.index] ?? 1
      throw CommandFailure(.invalid, "\(file.shownPath):\(line): \(bad.problem)")
    }
    failures += missing.map { column in
      let at = workflow.source.place(of: column.location)
      let place = "\(at.path):\(at.line):\(column.location.column)"
      let what = file.isTable ? "no column is named" : "the first item has no"
      return (
        path,
        CommandFailure(
          .invalid, "\(place): in '\(file.shownPath)' \(what) '\(column.name)'",
          hint: column.hint)
      )
    }
    digests[path] = digest
    while hashes.needsAnotherPass() {
      try file.visit(needing: columns) { index, item in
        let key = try keys.key(of: item, at: index, in: group)
        if isOwn(key) { hashes.append(key) }
        return true
      }
    }
    if !hashes.repeated.isEmpty { try checkRepeatedKeys(in: file, of: group, for: hashes) }
  }

  /// Distinguishes duplicate keys from different keys with the same hash.
  private func checkRepeatedKeys(in file: ItemFile, of group: Int, for hashes: KeyHashes) throws {
    var seen: [String: Int] = [:]
    var found: (key: String, first: Int, second: Int)?
    try file.visit(needing: keys.columns(of: group)) { index, item in
      let key = try keys.key(of: item, at: index, in: group)
      guard hashes.isRepeated(key) else { return true }
      if let first = seen[key] { found = (key, first, index) }
      seen[key] = index
      return found == nil
    }
    guard let found else { return }
    let lines = try file.lines(of: [found.first, found.second])
    throw CommandFailure(
      .invalid,
      "\(file.shownPath):\(lines[found.second] ?? 1): duplicate key '\(found.key)', "
        + "first on line \(lines[found.first] ?? 1)")
  }
}
