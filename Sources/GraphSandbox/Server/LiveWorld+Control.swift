import JSONPath

/// Commands of the control interface and of the page's forms.
extension LiveWorld.State {
  /// Does what a command asks for; the answer is JSON.
  mutating func perform(
    _ command: ControlCommand, _ configuration: Sandbox.Configuration
  ) throws(ControlFailure) -> JSON {
    showTime()
    switch command {
    case .health, .snapshot(name: nil), .faults, .webhooks: return answer(to: command)
    case .advance(let seconds): try advance(to: world.now + seconds)
    case .advanceTo(let time): try advance(to: time)
    case .snapshot(let name?): try keep(name)
    case .trigger(let event): try world.perform(event)
    case .fault(let change): try world.faults.perform(change)
    case .restoreKept(let name): replaceWorld(by: try kept(name), configuration)
    case .restore(let snapshot):
      replaceWorld(
        by: try Self.made { try configuration.newWorld(from: snapshot) }, configuration)
    case .reset:
      let first = try Self.made { try configuration.newWorld() }
      replaceWorld(by: first, configuration)
      clock = configuration.newClock(of: first)
    }
    showTime()
    if let store = configuration.start.store { save(to: store) }
    return answer(to: command)
  }

  private static func made(_ make: () throws -> World) throws(ControlFailure) -> World {
    do { return try make() } catch {
      throw ControlFailure("\(error)", hint: "send what /sandbox/snapshot has returned")
    }
  }

  private mutating func advance(to time: Int) throws(ControlFailure) {
    guard time >= world.now else {
      throw ControlFailure(
        "the world's clock shows \(GraphTime.text(world.now)), and does not go back",
        hint: "reset or restore the world")
    }
    guard time <= GraphTime.latest else {
      throw ControlFailure("the clock ends with the year 9999")
    }
    clock.set(to: time)
    world.now = time
  }

  /// Replaces the world by another one; the clock continues from that one's time.
  ///
  /// Calls keep counting, and the log stays.
  private mutating func replaceWorld(by next: World, _ configuration: Sandbox.Configuration) {
    let last = world
    world = next
    world.continueCalls(of: last)
    webhooks.dropPending()
    clock.set(to: next.now)
    if let store = configuration.start.store { _ = store.change(world.allRecords(replacing: last)) }
  }

  // MARK: - Kept worlds

  /// The most worlds that are kept under a name at a time.
  private static let keptLimit = 20

  private mutating func keep(_ name: String) throws(ControlFailure) {
    var others = kept.filter { $0.name != name }
    guard others.count < Self.keptLimit else {
      throw ControlFailure("\(Self.keptLimit) worlds are kept already", hint: "use a name again")
    }
    others.append((name, world))
    kept = others
  }

  private func kept(_ name: String) throws(ControlFailure) -> World {
    guard let kept = kept.first(where: { $0.name == name }) else {
      let names = self.kept.map(\.name).joined(separator: ", ")
      throw ControlFailure(
        "no world is kept as '\(name.excerpt)'",
        hint: names.isEmpty ? "none is kept" : "there are: \(names)")
    }
    return kept.world
  }

  // MARK: - Answers

  private func answer(to command: ControlCommand) -> JSON {
    switch command {
    case .snapshot(name: nil): Snapshot(of: world).json
    case .faults, .fault:
      [
        "faults": .array(
          world.faults.listed.map { fault in
            [
              "name": .string(fault.name), "on": .bool(fault.isOn),
              "summary": .string(fault.summary),
            ]
          })
      ]
    case .webhooks: ["deliveries": .array(webhooks.deliveries.map(\.json))]
    default:
      [
        "status": "ok", "time": .string(GraphTime.text(world.now)),
        "seconds": .number(.init(world.now)), "calls": .number(.init(world.callCount)),
      ]
    }
  }
}
