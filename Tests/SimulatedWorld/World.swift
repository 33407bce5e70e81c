/// Everything that a seed decides before anything happens.
struct World: Sendable {
  let seed: UInt64
  var sketch: Sketch
  /// How many operations in a thousand meet trouble.
  let operationTrouble: Int
  /// How many calls in a thousand meet trouble.
  let callTrouble: Int
  /// How many appends in a thousand fail.
  let diskTrouble: Int
  /// The longest that reads lag behind writes; always less than what `confirm` allows for.
  let longestLag: Int
  /// How far the server's clock is ahead of that of the machine where the run starts, in
  /// milliseconds.
  let clockSkew: Int
  /// How far the clock of the machine of each later process is ahead of that of the first.
  let clockSteps: [Int]
  /// Which answers say what time it is.
  let dates: Dates
  /// Whether answers take long now and then.
  let isSlow: Bool
  /// Posts of others from the same page that say what a write of the run says.
  let strangers: [Stranger]
  /// How many posts in a thousand are followed by one of others that says the same.
  let echoes: Int
  /// Whether Graph refuses a text that was posted just before.
  let refusesDuplicates: Bool
  /// How many posts in a thousand meet one of somebody else's, or an old one, with the same text.
  let lookalikes: Int
  /// After how many operations a token dies, and which.
  let tokenDeath: (operation: Int, token: String)?
  let declinesPermission: Bool
  /// The read that breaks every call that it is in.
  let poison: String?
  /// How many reads Graph can answer in time in one call.
  let bearable: Int
  /// What Graph allows within a window; nil for more than anybody needs.
  let quota: Quota?
  /// When nothing at all gets through.
  let outage: Range<Duration>?
  /// How much of the limits each process may use.
  let budget: (calls: Int?, usage: Int?)
  /// Whether processes know their app, and not only their token.
  let knowsApp: Bool
  /// How many exchanges of what is known of limits in a thousand fail.
  let exchangeTrouble: Int
  let width: Int
  let concurrency: Int
  let maxUnsafeWrites: Int
  /// How each of the first processes ends; the later ones live.
  let fates: [Fate]
  /// By how many places the items of groups move from one process to the next.
  let rowTurn: Int

  /// Graph's limits in a world.
  struct Quota: Sendable {
    /// How many operations of all tokens are allowed within a window.
    let app: Int
    /// How many of one token.
    let token: Int
    let window: Duration
    /// Whether answers tell how much is used.
    let tellsUsage: Bool
    /// Whether refusals tell how long they will last.
    let tellsRegain: Bool

    /// Whether an operation takes no more of it than of the smallest that Graph has, 5 %.
    var isOfGraph: Bool { min(app, token) >= 20 }

    init(_ chance: inout Chance) {
      app = chance.from(10...chance.pick([40, 400]))
      token = chance.from(5...chance.pick([40, 400]))
      window = .seconds(chance.pick([60, 600, 3600, 3600]))
      tellsUsage = chance.happens(700)
      tellsRegain = chance.happens(600)
    }
  }

  /// Which answers have a `Date`.
  enum Dates: Sendable {
    /// All of them, of the moment when the call arrived.
    case always
    /// All of them, of the moment when the answer left.
    case late
    /// Some of them.
    case sometimes
    case never

    /// Whether every answer tells the time.
    var isReliable: Bool {
      switch self {
      case .always, .late: true
      case .sometimes, .never: false
      }
    }
  }

  /// A post of others that says what a write of the run says.
  struct Stranger: Sendable {
    let path: String
    let message: String
    /// When it is made, from the run's start on.
    let at: Duration
  }

  /// How a process is disturbed.
  enum Fate: Sendable {
    /// `kill -9`, at a step.
    case killed(step: Int)
    /// The same, and what was not synced may be lost.
    case powerCut(step: Int)
    /// A signal when so many calls were made; a second one kills.
    case signalled(call: Int, isKilledBySecond: Bool)
    /// The disk fails now and then.
    case badDisk
    /// Nothing.
    case none

    /// Draws one for a process that makes about so many steps.
    init(_ chance: inout Chance, steps: Int) {
      self =
        switch chance.below(10) {
        case 0...3: .killed(step: chance.from(1...steps))
        case 4...6: .powerCut(step: chance.from(1...steps))
        case 7: .signalled(call: chance.from(1...3), isKilledBySecond: chance.happens(400))
        case 8: .badDisk
        default: .none
        }
    }
  }

  /// Draws a world.
  ///
  /// - Parameters:
  ///   - seed: which one.
  ///   - size: how many requests are left of its workflow, to make a failure small.
  init(seed: UInt64, size: Int) {
    self.seed = seed
    var chance = Chance(seed, stream: 1)
    let sketch = Sketch(&chance)
    let count = sketch.references.count
    let temper = chance.below(10)
    operationTrouble = temper < 2 ? 0 : chance.from(0...(temper < 7 ? 80 : 300))
    callTrouble = temper < 2 ? 0 : chance.from(0...(temper < 7 ? 100 : 350))
    diskTrouble = chance.from(10...200)
    longestLag = chance.happens(300) ? 0 : chance.from(0...25_000)
    clockSkew = chance.happens(400) ? 0 : World.clockError(&chance)
    let stepsClock = chance.happens(400)
    clockSteps = (0..<10).map { _ in
      stepsClock && chance.happens(500) ? World.clockError(&chance) : 0
    }
    dates =
      chance.happens(650) ? chance.pick([.always, .late]) : chance.pick([.sometimes, .never])
    isSlow = chance.happens(150)
    strangers = World.strangers(of: sketch, &chance)
    echoes = chance.happens(700) ? 0 : chance.from(0...200)
    refusesDuplicates = chance.happens(300)
    lookalikes = chance.happens(400) ? 0 : chance.from(0...300)
    tokenDeath =
      chance.happens(60)
      ? (chance.below(count + 1), chance.pick([Tokens.usual, Tokens.other])) : nil
    declinesPermission = chance.happens(400)
    let reads = sketch.references.filter { !sketch.requests[$0.request].isWrite }
    poison = chance.happens(80) && !reads.isEmpty ? chance.pick(reads.map(\.reference)) : nil
    bearable = chance.happens(80) ? chance.pick([1, 2, 3, 5, 8, 20]) : 50
    quota = chance.happens(260) ? Quota(&chance) : nil
    if chance.happens(150) {
      let start = Duration.milliseconds(chance.from(0...chance.pick([1000, 20_000])))
      outage = start..<(start + .seconds(chance.pick([3, 30, 300, 3600, 20_000])))
    } else {
      outage = nil
    }
    budget = (
      chance.happens(100) ? chance.from(1...40) : nil,
      chance.happens(quota == nil ? 20 : 200) ? chance.from(1...100) : nil
    )
    knowsApp = chance.happens(500)
    exchangeTrouble = chance.happens(800) ? 0 : chance.from(1...500)
    width = chance.happens(400) ? 50 : chance.from(1...50)
    concurrency = chance.from(1...6)
    maxUnsafeWrites = chance.happens(500) ? 50 : chance.from(1...10)
    // A run makes about so many steps.
    let steps = 6 + count / 2
    fates = (0..<chance.pick([0, 0, 1, 1, 1, 2, 3, 5])).map { _ in Fate(&chance, steps: steps) }
    var rules = Chance(seed, stream: 7)
    rowTurn = rules.happens(500) ? rules.from(1...5) : 0
    var whole = sketch
    whole.addGroupRules(&rules)
    self.sketch = whole.prefix(size)
  }

  /// How far a post may seem to be made after a moment that was made before it: what Graph's servers
  /// may differ by, whole seconds, and how long calls take.
  var clockUncertainty: Duration { .seconds(isSlow ? 40 : 12) }

  /// Whether the clock of a process's machine is not Graph's.
  func clockIsWrong(inLife life: Int) -> Bool {
    clockSkew.magnitude > 1000 || clockStep(ofLife: life) != 0
  }

  /// Whether the clock of an earlier process's machine was ahead of this one's: then the journal may
  /// be ahead, too, and nobody can tell which of the two is wrong.
  func clockIsDoubtful(inLife life: Int) -> Bool {
    (1..<max(life, 1)).contains { clockStep(ofLife: $0) > clockStep(ofLife: life) }
  }

  /// How far the clock of a process's machine is ahead of that of the first one, in milliseconds.
  func clockStep(ofLife life: Int) -> Int { life < 2 ? 0 : clockSteps[life % clockSteps.count] }

  /// How far a clock is off: by seconds, minutes, hours or years.
  private static func clockError(_ chance: inout Chance) -> Int {
    let size = chance.pick([1000, 5000, 60_000, 600_000, 7_200_000, 86_400_000, 63_072_000_000])
    return chance.from(-size...size)
  }

  /// Draws what others post, before and during the run.
  private static func strangers(of sketch: Sketch, _ chance: inout Chance) -> [Stranger] {
    guard chance.happens(400) else { return [] }
    let rate = chance.from(0...300)
    var strangers: [Stranger] = []
    for (_, index, item) in sketch.references {
      guard case .post(let page, let message) = sketch.requests[index].action, page != "twins",
        chance.happens(rate)
      else { continue }
      let moment =
        switch chance.below(4) {
        case 0: chance.from(-900_000 ... -10_000)
        case 1: chance.from(-10_000...0)
        default: chance.from(0...chance.pick([2000, 20_000, 120_000]))
        }
      strangers.append(
        Stranger(
          path: "\(page)/feed",
          message: message == "{item}" ? item ?? "" : message,
          at: .milliseconds(moment)
        )
      )
    }
    return strangers
  }

  /// The wall clock at the start of every world, in milliseconds.
  static let epoch = 1_763_629_200_000
}

/// The tokens of a world; they look like none, so that no scanner takes them for one.
enum Tokens {
  static let usual = "usual-token-of-a-simulation"
  static let other = "other-token-of-a-simulation"
}
