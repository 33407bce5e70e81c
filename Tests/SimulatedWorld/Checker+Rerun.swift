/// Runs that begin at a request or group, with the results of an earlier run.
extension Checker {
  /// I5 and I4: nothing before the beginning is sent again, and what is sent has the earlier results.
  mutating func checkRerun(_ arrival: Ledger.Arrival) {
    guard let earlier else { return }
    let mark = arrival.reference
    guard let (request, item) = request(mark) else {
      if allMarks.contains(mark) {
        addViolation("I5: \(mark) was sent again, and the run begins after it")
      }
      return
    }
    guard arrival.isWorkedOn else { return }
    func body(_ index: Int) -> Value? {
      let other = world.sketch.requests[index]
      return earlier[world.sketch.reference(of: other, item: other.group == nil ? nil : item)]?.body
    }
    var expected: String?
    switch request.action {
    case .comment(let parent, _): expected = body(parent)?["id"]?.string.map { $0 + "/comments" }
    case .deleteMade(let parent): expected = body(parent)?["id"]?.string
    default: break
    }
    if let expected, arrival.path != expected {
      addViolation("I4: \(mark) was sent to \(arrival.path), and the earlier run made \(expected)")
    }
    let count = request.note.flatMap { body($0)?["count"]?.integer }
    if let count, arrival.note != String(count) {
      addViolation(
        "I4: \(mark) was sent with another value than the earlier run had read: \(count)")
    }
    if expected != nil || count != nil { reach(.rerunTookValue) }
  }

  /// Whether a request has to be skipped because of what failed in the earlier run.
  func isHeldUp(_ mark: String) -> Bool {
    let sketch = world.sketch
    // A group that was never opened is reported by the names of its requests.
    let unopened = sketch.requests.first { $0.name == mark }.map {
      (request: $0, item: String?.none)
    }
    guard let earlier, let (request, item) = request(mark) ?? unopened else { return false }
    let others = request.hard + request.soft + [request.condition].compactMap(\.self)
    var marks = others.map { index in
      let other = sketch.requests[index]
      return sketch.reference(of: other, item: other.group == nil ? nil : item)
    }
    let groups = sketch.groups(before: request)
    for member in sketch.requests where member.group.map(groups.contains) == true {
      let items = member.group.map { sketch.groups[$0] } ?? []
      // A group that was never opened is reported without items.
      marks += items.map { sketch.reference(of: member, item: $0) } + [member.name]
    }
    return marks.contains { mark in
      earlier[mark]?.status == "failed"
        || ["dependency", "stopped"].contains(earlier[mark]?.skipReason)
    }
  }

  /// I4: nothing fails because it lacks a result that the earlier run has.
  mutating func checkGiven(_ found: [String: Finding]) {
    guard let earlier else { return }
    for (mark, finding) in found.sorted(by: { $0.key < $1.key })
    where finding.reason == "unresolved_reference" {
      guard let (request, item) = request(mark), request.isWrite else { continue }
      let hasAll = request.hard.allSatisfy { index in
        let other = world.sketch.requests[index]
        let made = world.sketch.reference(of: other, item: other.group == nil ? nil : item)
        return earlier[made]?.body != nil
      }
      if hasAll { addViolation("I4: \(mark) lacks a result, and the earlier run has it") }
    }
  }

  /// The checker of a run that begins at a request or group after this one; nil if the product has to
  /// refuse that: this run has no end, a write that would be sent again is in doubt, or a result is
  /// missing.
  func checker(ofRunFrom name: String) -> Checker? {
    guard !hasForgotten, exitCode == 0 || exitCode == 1 else { return nil }
    let sketch = world.sketch
    let sent = sketch.dependents(of: name)
    for index in sent {
      let request = sketch.requests[index]
      let items = request.group.map { sketch.groups[$0].map(Optional.some) } ?? [nil]
      let marks = items.map { sketch.reference(of: request, item: $0) }
      if request.isWrite, marks.contains(where: { status(of: $0) == "in_doubt" }) { return nil }
      let others = request.hard + request.soft + [request.condition].compactMap(\.self)
      let hasAll = others.allSatisfy { other in
        let mark = sketch.requests[other].name
        return sent.contains(other) || status(of: mark) == "succeeded"
          || findings[mark]?.skipReason == "condition"
      }
      let hasGroups = sketch.groups(before: request).allSatisfy { group in
        sketch.requests.indices.allSatisfy { member in
          let member = (index: member, request: sketch.requests[member])
          return member.request.group != group || sent.contains(member.index)
            || sketch.groups[group].allSatisfy {
              status(of: sketch.reference(of: member.request, item: $0)) != nil
            }
        }
      }
      // What cleans up runs after failures, too.
      if !request.isCleanUp, !hasAll || !hasGroups { return nil }
    }
    return Checker(world: world, sending: sent, after: self)
  }
}

extension Sketch {
  /// The names of the requests outside groups and of the groups.
  var outerNames: [String] { Set(requests.map(outerName)).sorted() }

  private func outerName(_ request: Request) -> String {
    request.group.map { "g\($0)" } ?? request.name
  }

  /// The requests that are sent by a run that begins at a request or group: its own, all that depends
  /// on them, and the groups of these.
  fileprivate func dependents(of name: String) -> Set<Int> {
    var sent = Set(requests.indices.filter { outerName(requests[$0]) == name })
    var count = 0
    while sent.count > count {
      count = sent.count
      let groups = Set(sent.compactMap { requests[$0].group })
      for (index, request) in requests.enumerated() {
        let others = request.hard + request.soft + [request.condition].compactMap(\.self)
        if others.contains(where: sent.contains) || request.group.map(groups.contains) == true
          || self.groups(before: request).contains(where: groups.contains)
        {
          sent.insert(index)
        }
      }
    }
    return sent
  }
}
