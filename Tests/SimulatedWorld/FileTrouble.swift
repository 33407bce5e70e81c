import GraphFlow

/// What happens to the files of a world between its processes, and what the next start makes of it.
///
/// The decision is the product's own, ``JournalEvidence``; that nothing is sent twice after it is the
/// checker's affair. Not among the mishaps, because nothing can be noticed of them: journal and mark
/// rolled back together, and all of it deleted. So nothing happens to files before the product has
/// written its mark again.
struct FileTrouble: Sendable {
  /// How a process begins.
  enum Opening: Sendable {
    /// From what the journal says, or anew if it says nothing.
    case usual
    /// From what the journal says, which has lost its end.
    case withoutEnd
    /// In place of a run that is lost.
    case beginsInDoubt
  }

  private var chance: Chance
  private var older: [RunFiles] = []
  private var reached: [RareState] = []
  private var violations: [String] = []
  /// Whether a process has gone on with damaged files and has not written its mark yet.
  private var isDamaged = false

  init(seed: UInt64) { chance = Chance(seed, stream: 8) }

  /// Rare states since this was asked last.
  mutating func takeReached() -> [RareState] {
    defer { reached = [] }
    return reached
  }

  /// What did not hold since this was asked last.
  mutating func takeViolations() -> [String] {
    defer { violations = [] }
    return violations
  }

  /// Decides as the product does.
  ///
  /// - Parameters:
  ///   - store: the files.
  ///   - mayMeet: whether anything may happen to them before.
  /// - Returns: how the process begins, and whether it knows less than the one before.
  mutating func open(_ store: Store, mayMeet: Bool) -> (Opening, hasLost: Bool) {
    let before = store.files
    var files = before
    let meets = mayMeet && store.isMarkNew && chance.happens(70)
    if meets {
      let mishap = chance.pick(Mishap.allCases)
      files.meet(mishap, older: chance.pick(older), &chance)
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
      if meets { store.put(files) }
      return (.usual, meets)
    case .neverBegan:
      isDamaged = false
      store.put(RunFiles())
      return (.usual, meets)
    case .damaged(let damage):
      if !meets && !isDamaged {
        violations.append("I5: files to which nothing has happened are refused: \(damage)")
      }
      reached.append(.damagedRunRefused)
      return (resume(damage, store, files, backup: meets ? before : nil), true)
    }
  }

  /// What a person does about a run that was refused.
  private mutating func resume(
    _ damage: JournalEvidence.Damage,
    _ store: Store,
    _ files: RunFiles,
    backup: RunFiles?
  ) -> Opening {
    if let backup, chance.happens(200) {
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
