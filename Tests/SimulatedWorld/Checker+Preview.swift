/// I10: a preview writes nothing, and after it a run sends no writes but those that were shown.
extension Checker {
  /// Checks what a preview has sent.
  mutating func checkPreview(_ ledger: Ledger) {
    if let effect = ledger.effects.first {
      addViolation("I10: \(effect.reference) took effect in a preview")
    }
    for arrival in ledger.arrivals {
      guard let (request, _) = request(arrival.reference) else { continue }
      if request.isWrite { addViolation("I10: a preview sent \(arrival.reference)") }
      let sketch = world.sketch
      let others = (request.hard + request.soft + [request.condition].compactMap(\.self))
        .map { sketch.requests[$0] }
      let members = sketch.requests.filter { request.softGroups.contains($0.group ?? -1) }
      if (others + members).contains(where: \.isWrite) {
        addViolation("I10: a preview sent \(arrival.reference), which waits for a write")
      }
    }
  }

  /// Checks that a write which has arrived was shown, with the same value of its read.
  mutating func checkApproval(of request: Sketch.Request, _ arrival: Ledger.Arrival) {
    guard let shown, request.isWrite else { return }
    let mark = arrival.reference
    if shown[mark]?.status != "cancelled" {
      addViolation("I10: \(mark) was sent, and the preview had not shown it")
    } else if let count = shownCount(in: request), arrival.note != String(count) {
      addViolation("I10: \(mark) was sent with \(arrival.note ?? "nothing"), and not with \(count)")
    }
  }

  /// Checks that only what had changed or could not be shown is reported as not approved.
  mutating func checkNotApproved(_ found: [String: Finding]) {
    for (mark, finding) in found.sorted(by: { $0.key < $1.key })
    where finding.reason == "not_approved" {
      guard let (request, item) = request(mark), request.isWrite, let shown else {
        addViolation("I10: \(mark) is not approved, and needs no approval")
        continue
      }
      switch (shown[mark] ?? shown[request.name])?.status {
      case "cancelled":
        let read = request.note.map { world.sketch.requests[$0].name }
        let count = read.flatMap { found[$0]?.body?["count"]?.integer }
        if count == shownCount(in: request) {
          addViolation("I10: \(mark) is not approved, although nothing in it has changed")
        }
        reach(.changedAfterPreview)
      case "failed", "skipped": reach(.exposedAfterPreview)
      // The preview did not know the item, because it could not read it.
      case nil where wasUnknown(item, in: request, shown): reach(.exposedAfterPreview)
      default: addViolation("I10: \(mark) is not approved, and the preview left it out")
      }
    }
  }

  /// Whether an item comes from an answer that a preview did not get.
  private func wasUnknown(
    _ item: String?, in request: Sketch.Request, _ shown: [String: Finding]
  ) -> Bool {
    guard let feeder = world.sketch.feeder, request.group == 1 else { return false }
    let read = world.sketch.reference(of: world.sketch.requests[feeder], item: item)
    return shown[read]?.status != "succeeded"
  }

  /// The value that a write took from a read in the preview, before others could edit anything.
  private func shownCount(in request: Sketch.Request) -> Int? {
    guard let read = request.note, case .object(let name) = world.sketch.requests[read].action
    else { return nil }
    return world.count(of: name, inProcess: 0)
  }
}
