import GraphFlow

/// What happens to the files of a world between its processes, and what the next start does then.
///
/// The decision is the product's own, ``JournalEvidence``; the checker verifies that nothing is sent
/// twice after it. Two mishaps are left out because no one can detect them: journal and mark rolled
/// back together, and all files deleted. So nothing happens to files before the product has written
/// its mark again.
struct FileTrouble: Sendable {
  /// How a process begins.
  enum Opening: Sendable {
    /// From the journal, or as a new run if the journal is empty.
    case usual
    /// From a journal whose end is missing.
    case withoutEnd
    /// As a new run in place of a lost one, with every write in doubt.
    case beginsInDoubt
  }

  private var generator: SeededGenerator
  private var older: [RunFiles] = []
  private var reached: [RareState] = []
  private var violations: [String] = []
  /// Whether a process has continued with damaged files and has not written its mark yet.
  private var isDamaged = false

  init(seed: UInt64) { generator = SeededGenerator(seed, stream: 8) }

  /// Returns the rare states since the last call.
  mutating func takeReached() -> [RareState] {
    defer { reached = [] }
    return reached
  }

  /// Returns the violations since the last call.
  mutating func takeViolations() -> [String] {
    defer { violations = [] }
    return violations
  }

  /// Decides as the product does.
  ///
  /// - Parameters:
  ///   - store: the files.
  ///   - allowsMishap: whether a mishap may happen to the files first.
  /// - Returns: how the process begins, and whether it knows less than the previous one.
  mutating func open(_ store: Store, allowsMishap: Bool) -> (Opening, hasLost: Bool) {
    let before = store.files
    var files = before
    let hasMishap = allowsMishap && store.isMarkNew && generator.happens(70)
    if hasMishap {
      let mishap = generator.pick(Mishap.allCases)
      files.apply(mishap, older: generator.pick(older), &generator)
      reached.append(mishap.rareState)
    }
    older.append(before)
    guard files.isFound else {
      violations.append("I1: a start does not find the run")
      return (.usual, true)
    }
    switch files.evidence.verdict {
    case .whole:
      isDamaged = false
      if hasMishap { store.put(files) }
      return (.usual, hasMishap)
    case .neverBegan:
      isDamaged = false
      store.put(RunFiles())
      return (.usual, hasMishap)
    case .damaged(let damage):
      if !hasMishap && !isDamaged {
        violations.append("I5: undamaged files are refused: \(damage)")
      }
      reached.append(.damagedRunRefused)
      return (resume(damage, store, files, backup: hasMishap ? before : nil), true)
    }
  }

  /// Decides what a person does about a refused run.
  private mutating func resume(
    _ damage: JournalEvidence.Damage, _ store: Store, _ files: RunFiles, backup: RunFiles?
  ) -> Opening {
    if let backup, generator.happens(200) {
      store.put(backup)
      return .usual
    }
    isDamaged = true
    guard damage.hasReadableStart else {
      store.put(RunFiles())
      reached.append(.lostBegun)
      return .beginsInDoubt
    }
    store.put(files)
    reached.append(.lostEndAccepted)
    return .withoutEnd
  }
}
