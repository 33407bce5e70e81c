/// Everything that a seed decides before anything happens.
struct World: Sendable {
  let seed: UInt64
  var sketch: Sketch
  /// The operations in a thousand that have trouble.
  let operationTrouble: Int
  /// The calls in a thousand that have trouble.
  let callTrouble: Int
  /// The failed appends in a thousand.
  let diskTrouble: Int
  /// The longest delay between a write and the reads that show it; always within that of `confirm`.
  let longestLag: Int
  /// The server's clock minus the clock of the machine where the run starts, in milliseconds.
  let clockSkew: Int
  /// The clock of each later process's machine minus that of the first one, in milliseconds.
  let clockSteps: [Int]
  /// The answers that have a `Date`.
  let dates: Dates
  /// Whether some answers take long.
  let isSlow: Bool
  /// Posts of others from the same page with the text of a write of the run.
  let otherPosts: [OtherPost]
  /// The posts in a thousand that are followed by a post of others with the same text.
  let echoes: Int
  /// Whether Graph refuses a text that was posted recently.
  let refusesDuplicates: Bool
  /// The posts in a thousand that meet a post of another author with the same text.
  let lookalikes: Int
  /// The token that dies, and the number of operations after which it does.
  let tokenDeath: (operation: Int, token: String)?
  let declinesPermission: Bool
  /// The read that breaks every call that holds it.
  let breakingRead: String?
  /// The number of reads in one call that Graph can answer in time.
  let maxReadsPerCall: Int
  /// Graph's limits; nil if the run cannot reach them.
  let quota: Quota?
  /// The time in which no call is answered.
  let outage: Range<Duration>?
  /// The share of the limits that each process may use.
  let budget: (calls: Int?, usage: Int?)
  /// Whether processes know their app, and not only their token.
  let knowsApp: Bool
  /// The failed exchanges of quota snapshots in a thousand.
  let exchangeTrouble: Int
  let width: Int
  /// The most calls under way at a time; nil if it adapts.
  let concurrency: Int?
  let maxUnsafeWrites: Int
  /// How each of the first processes is disturbed; later ones are not.
  let fates: [Fate]
  /// The number of places by which the items of groups move from one process to the next.
  let rowTurn: Int
  /// The hosts that share the store; nil if there is one host with a store of its own.
  let hosts: Hosts?
  /// The preview with which the run begins; nil if it begins without one.
  let preview: Preview?
  /// The run that begins at a request after the run has ended; nil if there is none.
  let rerun: Rerun?

  /// Hosts that share a store.
  struct Hosts: Sendable {
    /// The process that is stopped at a gate, and overtaken by the next one.
    let stopped: (process: Int, gate: Int)
    /// How long an append takes in each direction.
    let storeDelay: Duration

    init?(seed: UInt64, steps: Int) {
      var generator = SeededGenerator(seed, stream: 8)
      guard generator.happens(300) else { return nil }
      stopped = (
        generator.from(1...2), generator.from(1...max(2, steps * generator.pick([1, 2, 4])))
      )
      storeDelay = .milliseconds(generator.from(1...generator.pick([2, 20, 400, 4000])))
    }
  }

  /// Graph's limits in a world.
  struct Quota: Sendable {
    /// The operations of all tokens that are allowed within a window.
    let app: Int
    /// The operations of one token.
    let token: Int
    let window: Duration
    /// Whether answers report the used share.
    let reportsUsage: Bool
    /// Whether refusals announce when they end.
    let reportsRegain: Bool

    /// Whether an operation uses at most 5 %, as with the smallest of Graph's own limits.
    var isOfGraph: Bool { min(app, token) >= 20 }

    init(_ generator: inout SeededGenerator) {
      app = generator.from(10...generator.pick([40, 400]))
      token = generator.from(5...generator.pick([40, 400]))
      window = .seconds(generator.pick([60, 600, 3600, 3600]))
      reportsUsage = generator.happens(700)
      reportsRegain = generator.happens(600)
    }
  }

  /// The answers that have a `Date`.
  enum Dates: Sendable {
    /// All of them, with the time when the call arrived.
    case always
    /// All of them, with the time when the answer left.
    case late
    /// Some of them, with the time when the call arrived.
    case sometimes
    case never

    /// Whether every answer has a `Date`.
    var isReliable: Bool {
      switch self {
      case .always, .late: true
      case .sometimes, .never: false
      }
    }
  }

  /// A post of others with the text of a write of the run.
  struct OtherPost: Sendable {
    let path: String
    let message: String
    /// When it is made, relative to the run's start.
    let at: Duration
  }

  /// How a process is disturbed.
  enum Fate: Sendable {
    /// `kill -9`, at a step.
    case killed(step: Int)
    /// The same, and unsynced rows may be lost.
    case powerCut(step: Int)
    /// A signal at a call; a second signal kills.
    case signalled(call: Int, isKilledBySecond: Bool)
    /// Some appends fail.
    case badDisk
    /// Nothing.
    case none

    /// Draws the fates of the first processes.
    static func some(_ generator: inout SeededGenerator, steps: Int) -> [Fate] {
      let count = generator.pick([0, 0, 1, 1, 1, 2, 3, 5])
      return (0..<count).map { _ in Fate(&generator, steps: steps) }
    }

    /// Draws a fate for a process that makes about `steps` steps.
    init(_ generator: inout SeededGenerator, steps: Int) {
      self =
        switch generator.below(10) {
        case 0...3: .killed(step: generator.from(1...steps))
        case 4...6: .powerCut(step: generator.from(1...steps))
        case 7: .signalled(call: generator.from(1...3), isKilledBySecond: generator.happens(400))
        case 8: .badDisk
        default: .none
        }
    }
  }

  /// Draws a world.
  ///
  /// - Parameters:
  ///   - seed: the seed.
  ///   - size: the number of requests that are kept of its workflow, to reduce a failure.
  init(seed: UInt64, size: Int) {
    self.seed = seed
    var generator = SeededGenerator(seed, stream: 1)
    let sketch = Sketch(&generator)
    let count = sketch.references.count
    let troubleLevel = generator.below(10)
    operationTrouble = troubleLevel < 2 ? 0 : generator.from(0...(troubleLevel < 7 ? 80 : 300))
    callTrouble = troubleLevel < 2 ? 0 : generator.from(0...(troubleLevel < 7 ? 100 : 350))
    diskTrouble = generator.from(10...200)
    longestLag = generator.happens(300) ? 0 : generator.from(0...25_000)
    clockSkew = generator.happens(400) ? 0 : World.clockError(&generator)
    let stepsClock = generator.happens(400)
    clockSteps = (0..<10).map { _ in
      stepsClock && generator.happens(500) ? World.clockError(&generator) : 0
    }
    dates =
      generator.happens(650)
      ? generator.pick([.always, .late]) : generator.pick([.sometimes, .never])
    isSlow = generator.happens(150)
    otherPosts = World.otherPosts(of: sketch, &generator)
    echoes = generator.happens(700) ? 0 : generator.from(0...200)
    refusesDuplicates = generator.happens(300)
    lookalikes = generator.happens(400) ? 0 : generator.from(0...300)
    tokenDeath =
      generator.happens(60)
      ? (generator.below(count + 1), generator.pick([Tokens.usual, Tokens.other])) : nil
    declinesPermission = generator.happens(400)
    let reads = sketch.references.filter { !sketch.requests[$0.request].isWrite }
    breakingRead =
      generator.happens(80) && !reads.isEmpty ? generator.pick(reads.map(\.reference)) : nil
    maxReadsPerCall = generator.happens(80) ? generator.pick([1, 2, 3, 5, 8, 20]) : 50
    quota = generator.happens(260) ? Quota(&generator) : nil
    outage = World.outage(&generator)
    budget = (
      generator.happens(100) ? generator.from(1...40) : nil,
      generator.happens(quota == nil ? 20 : 200) ? generator.from(1...100) : nil
    )
    knowsApp = generator.happens(500)
    exchangeTrouble = generator.happens(800) ? 0 : generator.from(1...500)
    let width = generator.happens(400) ? 50 : generator.from(1...50)
    let calls = generator.from(1...8)
    concurrency = calls > 6 ? nil : calls
    // Only a run of many calls tries more at a time.
    self.width = calls == 8 ? 1 : width
    maxUnsafeWrites = generator.happens(500) ? 50 : generator.from(1...10)
    // The approximate number of steps of a run.
    let steps = 6 + count / 2
    fates = Fate.some(&generator, steps: steps)
    var rules = SeededGenerator(seed, stream: 7)
    rowTurn = rules.happens(500) ? rules.from(1...5) : 0
    var whole = sketch
    whole.addGroupRules(&rules)
    hosts = Hosts(seed: seed, steps: steps)
    preview = Preview(seed: seed, steps: steps)
    rerun = Rerun(seed: seed, steps: steps)
    if preview != nil || rerun != nil { whole.addNotes(seed: seed) }
    self.sketch = whole.prefix(size)
  }

  /// The uncertainty in the time of a post: the differences between Graph's servers, the rounding to
  /// whole seconds, and the duration of calls.
  var clockUncertainty: Duration { .seconds(isSlow ? 40 : 12) }

  /// Whether the clock of a process's machine differs from Graph's.
  func clockIsWrong(inProcess process: Int) -> Bool {
    clockSkew.magnitude > 1000 || clockStep(ofProcess: process) != 0
  }

  /// Whether the clock of an earlier process's machine was ahead of this one's: then the journal may
  /// be ahead, too, and no one can decide which of the two is wrong.
  func clockIsDoubtful(inProcess process: Int) -> Bool {
    (1..<max(process, 1)).contains { clockStep(ofProcess: $0) > clockStep(ofProcess: process) }
  }

  /// The time since the start at which a process's machine shows a time in milliseconds.
  func time(ofClock milliseconds: Int, inProcess process: Int) -> Duration {
    .milliseconds(milliseconds - World.epoch - clockStep(ofProcess: process))
  }

  /// The clock of a process's machine minus that of the first one, in milliseconds.
  func clockStep(ofProcess process: Int) -> Int {
    process < 2 ? 0 : clockSteps[process % clockSteps.count]
  }

  private static func outage(_ generator: inout SeededGenerator) -> Range<Duration>? {
    guard generator.happens(150) else { return nil }
    let start = Duration.milliseconds(generator.from(0...generator.pick([1000, 20_000])))
    return start..<(start + .seconds(generator.pick([3, 30, 300, 3600, 20_000])))
  }

  /// The error of a clock: seconds, minutes, hours or years.
  private static func clockError(_ generator: inout SeededGenerator) -> Int {
    let size = generator.pick([1000, 5000, 60_000, 600_000, 7_200_000, 86_400_000, 63_072_000_000])
    return generator.from(-size...size)
  }

  /// How long each process may begin calls; nil for no limit.
  var deadline: Duration? {
    var generator = SeededGenerator(seed, stream: 9)
    guard generator.happens(150) else { return nil }
    return .milliseconds(generator.from(0...generator.pick([500, 5000, 60_000])))
  }

  /// How many writes the run may send; nil for any number.
  var maxWrites: Int? {
    var generator = SeededGenerator(seed, stream: 10)
    guard generator.happens(100) else { return nil }
    return generator.from(1...generator.pick([2, 10, 50]))
  }

  /// The methods of operations whose paths the machine's guard reads; it refuses nothing.
  var guardedMethods: Set<String> {
    var generator = SeededGenerator(seed, stream: 11)
    guard generator.happens(100) else { return [] }
    return generator.happens(500) ? ["POST", "DELETE"] : ["GET", "POST", "DELETE"]
  }

  /// Draws the posts of others, before and during the run.
  private static func otherPosts(
    of sketch: Sketch, _ generator: inout SeededGenerator
  ) -> [OtherPost] {
    guard generator.happens(400) else { return [] }
    let rate = generator.from(0...300)
    var otherPosts: [OtherPost] = []
    for (_, index, item) in sketch.references {
      guard case .post(let page, let message) = sketch.requests[index].action, page != "twins",
        generator.happens(rate)
      else { continue }
      let offset =
        switch generator.below(4) {
        case 0: generator.from(-900_000 ... -10_000)
        case 1: generator.from(-10_000...0)
        default: generator.from(0...generator.pick([2000, 20_000, 120_000]))
        }
      otherPosts.append(
        OtherPost(
          path: "\(page)/feed", message: message == "{item}" ? item ?? "" : message,
          at: .milliseconds(offset)))
    }
    return otherPosts
  }

  /// The wall clock at the start of every world, in milliseconds.
  static let epoch = 1_763_629_200_000
}

/// The tokens of a world; they do not look like real ones, so that no secret scanner reports them.
enum Tokens {
  static let usual = "usual-token-of-a-simulation"
  static let other = "other-token-of-a-simulation"

  /// The token of the page of an item; some items have the same page.
  static func page(of item: String) -> String {
    let number = item.utf8.reduce(0) { $0 + Int($1) } % 3
    return "page-\(number)-token-of-a-simulation"
  }
}
