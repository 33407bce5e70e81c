import GraphAPI
import GraphFlow
import JSONPath

/// The keys that a run has sent, compared with those in a changed file of items.
///
/// A row whose key has changed is sent as a new one. If keys that were sent are gone and new keys
/// have appeared, that may be the reason.
enum KeyChange {
  /// How many keys may be gone without a refusal.
  private static let tolerated = 5
  /// The share of the keys sent that may be gone without a refusal, in percent.
  private static let toleratedPercentage = 1

  /// Checks for changed keys in the files of a continued run, and prints a warning.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/invalid`` if too many have changed, unless that
  ///   is accepted: their rows may be sent again.
  static func check(
    _ resumed: ResumedRun, of job: RunJob, in report: Report, _ output: RunOutput
  ) throws {
    let start = resumed.start
    let keys = ItemKeys(of: job.workflow, inputs: job.inputs, run: start.identity)
    for group in job.workflow.groups.indices where keys.hasKeys(group) {
      guard case .file(let path) = try? keys.items(of: group),
        let old = start.itemFiles[path], old != job.itemFiles[path]
      else { continue }
      let (sent, gone, unknown) = try count(of: group, at: path, keys, job, report)
      guard gone > 0, unknown > 0 else { continue }
      let rows = unknown == 1 ? "1 row has a new key" : "\(unknown) rows have new keys"
      let message =
        "'\(path)' has changed since the run \(start.id) was started: \(gone) of \(sent) keys that "
        + "were sent \(gone == 1 ? "is" : "are") gone, and \(rows)"
      // If so few are gone, their rows were probably removed, not changed.
      let isTolerable =
        gone <= KeyChange.tolerated && gone * 100 <= sent * KeyChange.toleratedPercentage
      guard resumed.resumption.acceptsChange || isTolerable else {
        throw CommandFailure(
          .invalid, message,
          hint: "rows with new keys are sent: restore the old keys, or accept the change: "
            + "graphflow resume \(start.id) --accept-changed")
      }
      if !output.options.quiet { Terminal.warn(message) }
    }
  }

  /// How many keys were sent, how many of them are no longer in the file, and how many are new.
  private static func count(
    of group: Int, at path: String, _ keys: ItemKeys, _ job: RunJob, _ report: Report
  ) throws -> (sent: Int, gone: Int, unknown: Int) {
    let members = Set(job.workflow.groups[group].members)
    var known: Set<String> = []
    var sent: Set<String> = []
    for request in report.requests where members.contains(request.index) {
      guard let key = request.item?.key else { continue }
      known.insert(key)
      if !request.attempts.isEmpty || request.uncertainty != nil { sent.insert(key) }
    }
    let sentCount = sent.count
    // Keys that look like tokens are masked in the journal.
    let mask = SecretMask()
    var unknown = 0
    try ItemFile(path, in: job.folder).visit(needing: keys.columns(of: group)) { index, item in
      let key = mask.masked(try keys.key(of: item, at: index, in: group))
      guard report.start?.options.shard?.holds(key: key) != false else { return true }
      sent.remove(key)
      if !known.contains(key) { unknown += 1 }
      return true
    }
    return (sentCount, sent.count, unknown)
  }
}
