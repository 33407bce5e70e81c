import GraphFlow
import JSONPath

/// The keys of items while a plan is written; those of a large file are read as they are needed.
///
/// A class, because it holds positions in files.
final class PlanKeys {
  /// A file that is being read.
  private struct Reading {
    let items: ItemStream
    /// The keys that were read last.
    var keys: ArraySlice<String> = []
  }

  /// How many keys are kept: far more than the items that are open at the same time.
  private static let maximumKeyCount = 10_000

  private let plan: Plan
  private let source: ItemKeys
  private var readings: [Int: Reading] = [:]

  init(of plan: Plan, inputs: InputValues?) {
    self.plan = plan
    source = ItemKeys(of: plan.workflow, inputs: inputs, run: ItemCheck.placeholderRun)
  }

  /// The key of an item; to be called roughly in the order of the items.
  ///
  /// - Throws: a ``CommandFailure`` if the file is not what it was when its items were counted.
  func key(of item: Int, in group: Int) throws -> String {
    guard case .counted = plan.items[group] else {
      if case .known(let keys) = plan.items[group] { return keys[item] }
      return String(item)
    }
    guard source.hasKeys(group) else { return String(item) }
    var reading = try readings[group] ?? Reading(items: try stream(of: group))
    readings[group] = nil
    defer { readings[group] = reading }
    while reading.keys.endIndex <= item {
      let values = try reading.items.next(1000)
      guard !values.isEmpty else {
        throw CommandFailure(.invalid, "a file of items has changed while the plan was made")
      }
      for value in values {
        let index = reading.keys.endIndex
        reading.keys.append(try source.key(of: value, at: index, in: group))
      }
      if reading.keys.count > 2 * PlanKeys.maximumKeyCount {
        reading.keys = reading.keys.suffix(PlanKeys.maximumKeyCount)
      }
    }
    return reading.keys.indices.contains(item) ? reading.keys[item] : String(item)
  }

  private func stream(of group: Int) throws -> ItemStream {
    guard case .file(let path) = try source.items(of: group) else { return ItemStream { _ in [] } }
    let folder = WorkflowFolder(of: plan.workflow.source.path)
    return try ItemFile(path, in: folder).stream()
  }
}
