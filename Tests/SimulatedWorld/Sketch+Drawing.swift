extension Sketch {
  /// Draws a workflow by chance.
  init(_ chance: inout Chance) {
    let size =
      switch chance.below(20) {
      case 0...13: chance.from(1...12)
      case 14...18: chance.from(13...40)
      default: chance.from(41...200)
      }
    let writeRate = chance.from(100...600)
    let linkRate = chance.from(0...500)
    let confusable = chance.happens(300) ? 0 : chance.from(0...150)
    let confirmRate = chance.from(0...1000)
    if chance.happens(300) { maxAttempts = chance.from(1...6) }
    if chance.happens(150) { maxElapsed = chance.from(1...120) }
    if chance.happens(450) {
      groups = (0..<chance.from(1...2)).map { group in
        (0..<chance.from(0...12)).map { "g\(group)i\($0)" }
      }
    }
    for index in 0..<size {
      let group = groups.isEmpty || !chance.happens(250) ? nil : chance.below(groups.count)
      var request = drawn(index, group, writeRate: writeRate, &chance)
      link(&request, linkRate, &chance)
      adorn(&request, confusable, confirmRate, &chance)
      requests.append(request)
    }
    // A group has at least one request.
    for group in groups.indices where !requests.contains(where: { $0.group == group }) {
      let page = "page\(requests.count)"
      requests.append(
        Request(
          name: "w\(requests.count)",
          action: .post(page: page, message: "{item}"),
          group: group
        )
      )
    }
  }

  /// Draws what happens to groups as a whole.
  mutating func addGroupRules(_ chance: inout Chance) {
    failureLimits = groups.map { _ in chance.happens(250) ? chance.from(1...4) : nil }
    guard groups.count == 2, chance.happens(600) else { return }
    groups[1] = groups[0]
    feeder = requests.count
    requests.append(
      Request(name: "feed\(requests.count)", action: .object("{item}"), group: 0)
    )
  }

  private func drawn(
    _ index: Int,
    _ group: Int?,
    writeRate: Int,
    _ chance: inout Chance
  ) -> Request {
    // What a request refers to has to be seen from where it stands.
    let parents = requests.indices.filter { parent in
      if case .post = requests[parent].action {
        return requests[parent].group == nil || requests[parent].group == group
      }
      return false
    }
    guard chance.happens(writeRate) else {
      let action: Action =
        switch chance.below(10) {
        case 0: .list(page: "page\(chance.below(5))")
        case 1: .poll("job\(index)")
        default: .object("object\(chance.below(30))")
        }
      return Request(name: "r\(index)", action: action, group: group)
    }
    let message = group == nil ? "text \(index)" : "{item}"
    let action: Action
    switch chance.below(12) {
    case 0: action = .like("object\(chance.below(30))")
    case 1 where group == nil: action = .delete("mine\(index)")
    case 2 where !parents.isEmpty: action = .deleteMade(by: chance.pick(parents))
    case 3, 4:
      action =
        parents.isEmpty
        ? .post(page: "page\(index)", message: message)
        : comment(on: chance.pick(parents), message: message, index)
    case 5 where group == nil:
      action = .post(page: "twins", message: "twin \(chance.below(3))")
    default: action = .post(page: "page\(index)", message: message)
    }
    return Request(name: "w\(index)", action: action, group: group)
  }

  /// A comment; a post where a comment of the same text under the same post could not be told apart.
  private func comment(on parent: Int, message: String, _ index: Int) -> Action {
    let action = Action.comment(on: parent, message: message)
    return requests.contains { $0.action == action }
      ? .post(page: "page\(index)", message: message) : action
  }

  private func link(_ request: inout Request, _ rate: Int, _ chance: inout Chance) {
    switch request.action {
    case .comment(let parent, _), .deleteMade(let parent): request.hard = [parent]
    default: break
    }
    guard !requests.isEmpty else { return }
    while chance.happens(rate), request.soft.count < 4 {
      let other = chance.below(requests.count)
      guard !request.soft.contains(other), !request.hard.contains(other) else { continue }
      if let group = requests[other].group, group != request.group {
        // Groups wait for earlier ones only, or they might wait for each other.
        guard request.group.map({ group < $0 }) ?? false, !request.softGroups.contains(group)
        else { break }
        request.softGroups.append(group)
      } else {
        request.soft.append(other)
      }
    }
    if chance.happens(40) {
      let objects = requests.indices.filter { index in
        guard case .object = requests[index].action else { return false }
        return requests[index].group == nil && !request.soft.contains(index)
      }
      if !objects.isEmpty { request.condition = chance.pick(objects) }
    }
  }

  private func adorn(
    _ request: inout Request,
    _ confusable: Int,
    _ confirmRate: Int,
    _ chance: inout Chance
  ) {
    switch request.action {
    case .post, .comment:
      request.isConfirmable = chance.happens(confirmRate)
      request.lookLimit = chance.happens(300) ? chance.from(1...4) : 25
    default: break
    }
    if chance.happens(confusable / 4) { request.expectsTheImpossible = true }
    if chance.happens(confusable / 4) { request.onError = chance.pick(["stop", "ignore"]) }
    if chance.happens(confusable / 2) { request.isSentAlone = true }
    if chance.happens(confusable / 2) { request.hasOtherToken = true }
    if chance.happens(confusable / 8) {
      request.permission = chance.pick(["pages_read_engagement"])
    }
    if chance.happens(confusable / 4) { request.retry = "false" }
  }
}
