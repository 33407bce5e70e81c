import GraphAPI
import JSONPath

/// A read that Graph refused as a whole and that is read in parts, one after another.
///
/// Each part is a ``Slice`` of the lists in the request. What is too large is halved until its parts can
/// be read. For other failures a *trial* reads all pieces of a slice in one dimension: if some of them
/// can be read, what cannot be read is in the others, and the search continues there, down to one element,
/// which is *lost*. If no piece can be read, the next dimension is tried, then several at once, then
/// smaller pieces.
struct SplitRead: Sendable {
  /// What a failure says about the size and the elements of a read.
  enum Cause: Hashable, Sendable {
    /// It asked for too much: it always helps to halve it.
    case volume
    /// It asked for too much, or a part of it cannot be read: Graph does not say which.
    case unclear
    /// Graph refuses one of its elements.
    case refusal
  }

  /// A part of the read: ranges in the lists of its dimensions.
  struct Slice: Hashable, Sendable {
    private(set) var ranges: [Range<Int>]

    init(counts: [Int]) { ranges = counts.map { 0..<$0 } }

    subscript(dimension: SplitDimension) -> Range<Int> {
      get { ranges[dimension.place] }
      set { ranges[dimension.place] = newValue }
    }

    var size: Int { ranges.reduce(1) { $0 * max(1, $1.count) } }
    var counts: [Int] { ranges.map(\.count) }

    /// Nearly equal pieces in one dimension, none of them empty.
    func pieces(_ count: Int, in dimension: SplitDimension) -> [Slice] {
      let (whole, count) = (self[dimension], min(count, self[dimension].count))
      return (0..<count).map { number in
        var piece = self
        func bound(_ number: Int) -> Int { whole.lowerBound + whole.count * number / count }
        piece[dimension] = bound(number)..<bound(number + 1)
        return piece
      }
    }
  }

  struct Problem: Sendable {
    let cause: Cause
    let failure: Failure
  }

  /// A slice that waits: to be read, or, if it has failed, to be divided.
  private struct Task {
    let slice: Slice
    /// The dimension in which a trial has found that something cannot be read.
    var scope: SplitDimension?
    var problem: Problem?
    /// Whether trials have found nothing, so that the slice counts as too large.
    var isLarge = false
  }

  /// In which dimensions a trial divides its slice, and into which pieces.
  private struct Step {
    let dimensions: [SplitDimension]
    let pieces: [Slice]
  }

  /// The pieces of a slice that has failed, which are read until one succeeds, in one dimension all of
  /// them.
  private struct Trial {
    let task: Task
    let problem: Problem
    var steps: ArraySlice<Step>
    var done = 0
    var failed: [(slice: Slice, problem: Problem)] = []
    /// The last piece that was read.
    var found: Slice?
  }

  let lists: SplitLists
  private let order: [SplitDimension]
  /// The last one is the next.
  private var tasks: [Task] = []
  private var trial: Trial?
  /// The bodies of the parts that were read, with the fields in each.
  private var parts: [SplitLists.PartAnswer] = []
  /// The elements that no part has any more.
  private(set) var excluded: [SplitDimension: [Int: Failure]] = [:]
  /// The slices that cannot be read, besides what is excluded.
  private(set) var lost: [Slice] = []
  private(set) var lastFailure: Failure?
  /// The number of reads that failed since the last one that did not.
  private var futile = 0
  /// The counts of the largest slice that was read where others were too large.
  private(set) var provenCounts: [Int]?
  private var hasBeenLarge = false
  /// Whether it is given up: the failure has nothing to do with the parts, or too much is lost.
  private(set) var isHopeless = false

  static let mostLost = 8
  /// The most reads without a success: a failure that has nothing to do with the parts costs no more.
  static let mostFutile = 60

  /// Begins to read what is known to be refused, or too large for one read.
  init(of operation: BatchOperation, by order: [SplitDimension], _ known: SplitMemory.Known) {
    (lists, self.order) = (SplitLists(of: operation, by: order), order)
    for (dimension, refusals) in known.refusals {
      for (index, name) in lists.names(dimension).enumerated() {
        excluded[dimension, default: [:]][index] = refusals[name]
      }
    }
    var slices = [lists.whole]
    if let counts = known.counts {
      hasBeenLarge = true
      for dimension in order {
        let most = max(1, counts[dimension.place])
        slices = slices.flatMap { slice in
          slice.pieces((slice[dimension].count + most - 1) / most, in: dimension)
        }
      }
    }
    tasks = slices.reversed().map { Task(slice: $0) }
    if let problem = known.problem {
      (lastFailure, futile) = (problem.failure, 1)
      // Otherwise it is read again, without what is known to fail.
      if slices.count == 1, !hasLost { tasks[0].problem = problem }
    }
    settle()
  }

  var isFinished: Bool { tasks.isEmpty && trial == nil }

  /// Whether it is read like any other request.
  var isWhole: Bool {
    trial == nil && !hasLost && tasks.count == 1 && tasks[0].slice == lists.whole
  }

  /// The part to read next; nil if there is none.
  var part: Slice? {
    trial.flatMap { trial in trial.steps.first?.pieces[trial.done] } ?? tasks.last?.slice
  }

  /// Whether something cannot be read.
  var hasLost: Bool { !lost.isEmpty || excluded.values.contains { !$0.isEmpty } }

  // MARK: - Answers

  mutating func succeed(_ body: JSON) {
    guard let part else { return }
    futile = 0
    parts.append(SplitLists.PartAnswer(body: body, fields: names(.fields, in: part)))
    if hasBeenLarge, trial == nil,
      part.size > provenCounts.map({ $0.reduce(1) { $0 * max(1, $1) } }) ?? 0
    {
      provenCounts = part.counts
    }
    finishPart(nil)
  }

  mutating func fail(_ problem: Problem) {
    lastFailure = problem.failure
    futile += 1
    isHopeless = isHopeless || futile > Self.mostFutile
    finishPart(problem)
  }

  private mutating func finishPart(_ problem: Problem?) {
    if var trial, let step = trial.steps.first {
      let piece = step.pieces[trial.done]
      if let problem {
        trial.failed.append((piece, problem))
        // What is too large has been found to have no refused element.
        if problem.cause == .volume { trial.found = piece }
      } else {
        trial.found = piece
      }
      trial.done += 1
      self.trial = trial
      if trial.done == step.pieces.count || step.dimensions.count > 1 && trial.found != nil {
        finish(trial, step)
      }
    } else if var task = tasks.popLast(), let problem {
      task.problem = problem
      tasks.append(task)
    }
    settle()
  }

  /// Divides what has failed, until a part has to be read.
  private mutating func settle() {
    while !isHopeless, trial == nil, let task = tasks.last {
      let isEmpty = order.contains { !lists.names($0).isEmpty && count(task.slice, $0) == 0 }
      guard isEmpty || task.problem != nil else { return }
      tasks.removeLast()
      if !isEmpty, let problem = task.problem { divide(task, problem) }
    }
  }

  private mutating func divide(_ task: Task, _ problem: Problem) {
    let divisible = order.filter { count(task.slice, $0) > 1 }
    if problem.cause == .volume || task.isLarge && problem.cause == .unclear {
      hasBeenLarge = true
      if let provenCounts, zip(provenCounts, task.slice.counts).allSatisfy({ $0 >= $1 }) {
        self.provenCounts = nil
      }
      guard let dimension = divisible.first else { return lose(task, problem) }
      tasks += task.slice.pieces(2, in: dimension).reversed().map {
        Task(slice: $0, isLarge: task.isLarge)
      }
      return
    }
    let dimensions = divisible.filter {
      $0 == task.scope ?? $0 && (problem.cause == .unclear || $0 != .window)
    }
    let steps = steps(of: task, in: dimensions, isDeep: problem.cause == .refusal)
    if !steps.isEmpty {
      trial = Trial(task: task, problem: problem, steps: steps[...])
    } else if let dimension = dimensions.first {
      // All that is left of it is in one half.
      push(task.slice.pieces(2, in: dimension).map { ($0, problem) }, scope: task.scope)
    } else {
      lose(task, problem)
    }
  }

  /// The steps of a trial: halves in each dimension; for refusals also halves in all dimensions at once,
  /// because there may be one in each, and the same with quarters, because there may be three.
  private func steps(of task: Task, in dimensions: [SplitDimension], isDeep: Bool) -> [Step] {
    func pieces(_ width: Int, _ dimensions: [SplitDimension]) -> [Slice] {
      dimensions.reduce([task.slice]) { slices, dimension in
        slices.flatMap { $0.pieces(width, in: dimension) }.filter { count($0, dimension) > 0 }
      }
    }
    var steps: [Step] = []
    for width in isDeep && task.scope == nil ? [2, 4] : [2] {
      let together = dimensions.count > 1 && isDeep ? [dimensions] : []
      for chosen in dimensions.map({ [$0] }) + together
      where width == 2 || chosen.contains(where: { count(task.slice, $0) > 2 }) {
        let pieces = pieces(width, chosen)
        if pieces.count > 1 { steps.append(Step(dimensions: chosen, pieces: pieces)) }
      }
    }
    return steps
  }

  private mutating func finish(_ trial: Trial, _ step: Step) {
    var next = trial
    next.steps.removeFirst()
    (next.done, next.failed) = (0, [])
    self.trial = nil
    if let found = trial.found {
      let unread = step.pieces[trial.done...].map { Task(slice: $0) }
      let left = (trial.failed.map { Task(slice: $0.slice, problem: $0.problem) } + unread).map {
        task in
        // What differs from the piece that is not refused in one dimension has its own there.
        let different = step.dimensions.filter { task.slice[$0] != found[$0] }
        var task = task
        if different.count == 1, task.problem?.cause != .volume { task.scope = different[0] }
        return task
      }
      tasks +=
        left.filter { $0.scope == nil }.reversed() + left.filter { $0.scope != nil }.reversed()
    } else if let scope = trial.task.scope {
      push(trial.failed, scope: scope)
    } else if !next.steps.isEmpty {
      self.trial = next
    } else if trial.problem.cause == .unclear, let first = step.dimensions.first {
      push(trial.task.slice.pieces(2, in: first).map { ($0, trial.problem) }, scope: nil)
    } else {
      lose(trial.task, trial.problem)
    }
  }

  /// Adds slices that are known to fail.
  private mutating func push(
    _ failed: [(slice: Slice, problem: Problem)], scope: SplitDimension?
  ) {
    tasks += failed.reversed().map { slice, problem in
      Task(
        slice: slice, scope: problem.cause == .volume ? nil : scope, problem: problem,
        isLarge: scope == nil && problem.cause == .unclear)
    }
  }

  private mutating func lose(_ task: Task, _ problem: Problem) {
    let single = order.filter { $0 != .window && count(task.slice, $0) == 1 }
    let scope = task.scope ?? (single.count == 1 ? single.first : nil)
    if let scope, problem.cause == .refusal, lists.names(scope).count > 1 {
      for index in task.slice[scope] where excluded[scope]?[index] == nil {
        excluded[scope, default: [:]][index] = problem.failure
      }
      // What failed before may have failed because of it.
      for index in tasks.indices { tasks[index].problem = nil }
    } else {
      lost.append(task.slice)
      lastFailure = problem.failure
    }
    let losses = lost.count + excluded.values.reduce(0) { $0 + $1.count }
    let isEmpty = excluded.contains { !$1.isEmpty && $1.count == lists.names($0).count }
    isHopeless = isHopeless || isEmpty || task.slice == lists.whole || losses > Self.mostLost
  }

  /// How many elements of a slice in a dimension are not excluded.
  private func count(_ slice: Slice, _ dimension: SplitDimension) -> Int {
    slice[dimension].count
      - (excluded[dimension]?.keys.count { slice[dimension].contains($0) } ?? 0)
  }

  // MARK: - Parts

  /// The elements of a slice in a dimension, without those that are excluded.
  private func names(_ dimension: SplitDimension, in slice: Slice) -> [String] {
    let (names, gone) = (lists.names(dimension), excluded[dimension] ?? [:])
    return slice[dimension].filter { gone[$0] == nil }.map { names[$0] }
  }

  /// Makes an operation that of the next part.
  func turn(_ operation: inout BatchOperation) {
    guard let part else { return }
    for dimension in order {
      let names = names(dimension, in: part)
      if names.count < lists.names(dimension).count {
        lists.set(dimension, to: names, in: &operation)
      }
    }
  }

  /// The body of the whole read.
  var body: JSON { lists.joined(parts) }

  // MARK: - What is missing

  /// Why the read is not complete; nil if it is.
  var missing: Failure? {
    guard hasLost, !isHopeless else { return nil }
    var (texts, members): ([String], [JSON]) = ([], [])
    for dimension in order {
      let gone = (excluded[dimension] ?? [:]).keys.sorted().map { lists.names(dimension)[$0] }
      guard !gone.isEmpty else { continue }
      let count = lists.names(dimension).count
      let list = gone.map { "`\($0)`" }.joined(separator: ", ")
      texts.append("\(count) \(dimension) were requested and \(gone.count) cannot be read: \(list)")
      members.append([(dimension.rawValue, .array(gone.map(JSON.string)))].object)
    }
    for slice in lost {
      let limited = order.filter { slice[$0] != lists.whole[$0] }
      let parts = limited.map { ($0.rawValue, lists.json($0, slice[$0])) }
      texts.append(
        "this part cannot be read: "
          + parts.map { "\($0) \($1.serialized())" }.joined(separator: ", "))
      members.append(parts.object)
    }
    let cause = excluded.values.lazy.compactMap { $0.min { $0.key < $1.key }?.value }.first
    guard let failure = cause ?? lastFailure else { return nil }
    var error = failure.error
    error.message =
      texts.joined(separator: "; ") + ": \(error.message); the other rows are in the answer"
    return Failure(
      error: error, category: failure.category, reason: failure.reason,
      hint: "leave out what is missing, or accept the rest with `on_error: ignore`",
      missing: .array(members))
  }
}

extension [(String, JSON)] {
  fileprivate var object: JSON { .object(JSON.Object(self)) }
}
