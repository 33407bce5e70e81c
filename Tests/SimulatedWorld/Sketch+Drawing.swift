extension Sketch {
  /// Draws a workflow.
  init(_ generator: inout SeededGenerator) {
    let size =
      switch generator.below(20) {
      case 0...13: generator.from(1...12)
      case 14...18: generator.from(13...40)
      default: generator.from(41...200)
      }
    let writeRate = generator.from(100...600)
    let linkRate = generator.from(0...500)
    let optionRate = generator.happens(300) ? 0 : generator.from(0...150)
    let confirmRate = generator.from(0...1000)
    if generator.happens(300) { maxAttempts = generator.from(1...6) }
    if generator.happens(150) { maxElapsed = generator.from(1...120) }
    if generator.happens(450) {
      groups = (0..<generator.from(1...2)).map { group in
        (0..<generator.from(0...12)).map { "g\(group)i\($0)" }
      }
    }
    for index in 0..<size {
      let group = groups.isEmpty || !generator.happens(250) ? nil : generator.below(groups.count)
      var request = drawn(index, group, writeRate: writeRate, &generator)
      link(&request, linkRate, &generator)
      addOptions(&request, optionRate, confirmRate, &generator)
      requests.append(request)
    }
    // A group has at least one request.
    for group in groups.indices where !requests.contains(where: { $0.group == group }) {
      let page = "page\(requests.count)"
      requests.append(
        Request(
          name: "w\(requests.count)", action: .post(page: page, message: "{item}"), group: group))
    }
  }

  /// Draws the failure limits of groups, and a group that another one feeds.
  mutating func addGroupRules(_ generator: inout SeededGenerator) {
    failureLimits = groups.map { _ in generator.happens(250) ? generator.from(1...4) : nil }
    if groups.count == 2, generator.happens(600) {
      groups[1] = groups[0]
      feeder = requests.count
      var feed = Request(name: "feed\(requests.count)", action: .object("{item}"), group: 0)
      let objects = requests.indices.filter { index in
        guard case .object = requests[index].action else { return false }
        return requests[index].group == nil
      }
      if generator.happens(250), !objects.isEmpty { feed.condition = generator.pick(objects) }
      requests.append(feed)
    }
    if generator.happens(400) { addCleanUp(&generator) }
    if !groups.isEmpty, generator.happens(400) { addPages(&generator) }
  }

  /// Makes writes send what a read has answered that waits for nothing.
  mutating func addNotes(seed: UInt64) {
    var generator = SeededGenerator(seed, stream: 15)
    let rate = generator.from(200...1000)
    for index in requests.indices where requests[index].isWrite && !requests[index].isCleanUp {
      let reads = requests[..<index].indices.filter { read in
        guard case .object = requests[read].action else { return false }
        let request = requests[read]
        return request.group == nil && !request.isCleanUp && request.condition == nil
          && (request.hard + request.soft + request.softGroups).isEmpty
          && !requests[index].soft.contains(read)
      }
      guard !reads.isEmpty, generator.happens(rate) else { continue }
      let read = generator.pick(reads)
      requests[index].note = read
      requests[index].hard.append(read)
    }
  }

  /// Makes requests of groups act as their items' pages.
  private mutating func addPages(_ generator: inout SeededGenerator) {
    let directory = requests.count
    let isLookedUp = generator.happens(500)
    var isUsed = false
    for index in requests.indices where requests[index].group != nil && generator.happens(600) {
      guard case .usual = requests[index].token else { continue }
      requests[index].token = isLookedUp ? .lookedUp(in: directory) : .ofPage
      if isLookedUp { requests[index].hard.append(directory) }
      isUsed = true
    }
    if isLookedUp && isUsed { requests.append(Request(name: "directory", action: .directory)) }
  }

  /// Makes some requests clean-ups, and adds others that come after much of the rest.
  private mutating func addCleanUp(_ generator: inout SeededGenerator) {
    for index in requests.indices.dropFirst()
    where requests[index].group == nil && generator.happens(100) {
      requests[index].isCleanUp = true
    }
    let others = requests.indices.filter { requests[$0].group == nil }
    let posts = others.filter { if case .post = requests[$0].action { true } else { false } }
    for number in 0..<generator.from(1...3) {
      let isDelete = !posts.isEmpty && generator.happens(500)
      var request = Request(
        name: "clean\(number)",
        action: isDelete ? .deleteMade(by: generator.pick(posts)) : .object("mess\(number)"))
      if case .deleteMade(let made) = request.action { request.hard = [made] }
      request.soft = others.suffix(generator.from(1...4)).filter { !request.hard.contains($0) }
      request.softGroups = groups.indices.filter { _ in generator.happens(400) }
      request.isCleanUp = true
      requests.append(request)
    }
  }

  private func drawn(
    _ index: Int, _ group: Int?, writeRate: Int, _ generator: inout SeededGenerator
  ) -> Request {
    // A request can refer only to requests outside groups and in its own group.
    let parents = requests.indices.filter { parent in
      if case .post = requests[parent].action {
        return requests[parent].group == nil || requests[parent].group == group
      }
      return false
    }
    guard generator.happens(writeRate) else {
      let action: Action =
        switch generator.below(10) {
        case 0: .list(page: "page\(generator.below(5))")
        case 1: .poll("job\(index)")
        default: .object("object\(generator.below(30))")
        }
      return Request(name: "r\(index)", action: action, group: group)
    }
    let message = group == nil ? "text \(index)" : "{item}"
    let action: Action
    switch generator.below(12) {
    case 0: action = .like("object\(generator.below(30))")
    case 1 where group == nil: action = .delete("mine\(index)")
    case 2 where !parents.isEmpty: action = .deleteMade(by: generator.pick(parents))
    case 3, 4:
      action =
        parents.isEmpty
        ? .post(page: "page\(index)", message: message)
        : comment(on: generator.pick(parents), message: message, index)
    case 5 where group == nil:
      action = .post(page: "twins", message: "twin \(generator.below(3))")
    default: action = .post(page: "page\(index)", message: message)
    }
    return Request(name: "w\(index)", action: action, group: group)
  }

  /// A comment, or a post if the same comment exists: no check could distinguish the two.
  private func comment(on parent: Int, message: String, _ index: Int) -> Action {
    let action = Action.comment(on: parent, message: message)
    return requests.contains { $0.action == action }
      ? .post(page: "page\(index)", message: message) : action
  }

  private func link(_ request: inout Request, _ rate: Int, _ generator: inout SeededGenerator) {
    switch request.action {
    case .comment(let parent, _), .deleteMade(let parent): request.hard = [parent]
    default: break
    }
    guard !requests.isEmpty else { return }
    while generator.happens(rate), request.soft.count < 4 {
      let other = generator.below(requests.count)
      guard !request.soft.contains(other), !request.hard.contains(other) else { continue }
      if let group = requests[other].group, group != request.group {
        // Groups depend on earlier ones only, which prevents cycles.
        guard request.group.map({ group < $0 }) ?? false, !request.softGroups.contains(group)
        else { break }
        request.softGroups.append(group)
      } else {
        request.soft.append(other)
      }
    }
    if generator.happens(40) {
      let objects = requests.indices.filter { index in
        guard case .object = requests[index].action else { return false }
        return requests[index].group == nil && !request.soft.contains(index)
      }
      if !objects.isEmpty { request.condition = generator.pick(objects) }
    }
  }

  private func addOptions(
    _ request: inout Request, _ optionRate: Int, _ confirmRate: Int,
    _ generator: inout SeededGenerator
  ) {
    switch request.action {
    case .post, .comment:
      request.isConfirmable = generator.happens(confirmRate)
      request.checkPageSize = generator.happens(300) ? generator.from(1...4) : 25
    default: break
    }
    if generator.happens(optionRate / 4) { request.hasFailingExpectation = true }
    if generator.happens(optionRate / 4) { request.onError = generator.pick(["stop", "ignore"]) }
    if generator.happens(optionRate / 2) { request.isSentAlone = true }
    if generator.happens(optionRate / 2) { request.token = .other }
    if generator.happens(optionRate / 8) {
      request.permission = generator.pick(["pages_read_engagement"])
    }
    if generator.happens(optionRate / 4) { request.retry = "false" }
  }
}
