import GraphAPI

/// What the split reads of a run have learned for the next ones of the same request.
struct SplitMemory: Sendable {
  /// What is known before a read begins.
  struct Known: Sendable {
    var refusals: [SplitDimension: [String: Failure]] = [:]
    /// The number of elements in each dimension that are not too many.
    var counts: [Int]?
    var problem: SplitRead.Problem?

    var isEmpty: Bool { refusals.isEmpty && counts == nil && problem == nil }
  }

  private struct Subject: Hashable {
    let request: Int
    /// The first segment of the path.
    let account: Substring?
  }

  private var refusals: [Int: [SplitDimension: [String: Failure]]] = [:]
  private var counts: [Subject: [Int]] = [:]

  func known(of request: Int, _ operation: BatchOperation) -> Known {
    Known(refusals: refusals[request] ?? [:], counts: counts[subject(request, operation)])
  }

  func isEmpty(of request: Int) -> Bool {
    refusals[request] == nil && !counts.keys.contains { $0.request == request }
  }

  mutating func learn(from split: SplitRead, of request: Int, _ operation: BatchOperation) {
    for (dimension, gone) in split.excluded {
      for (index, failure) in gone {
        let name = split.lists.names(dimension)[index]
        refusals[request, default: [:]][dimension, default: [:]][name] = failure
      }
    }
    if let proven = split.provenCounts { counts[subject(request, operation)] = proven }
  }

  private func subject(_ request: Int, _ operation: BatchOperation) -> Subject {
    Subject(request: request, account: operation.path.split(separator: "/").first)
  }
}

extension SplitRead.Cause {
  /// Nil for a failure that has nothing to do with the size or the elements of the read.
  ///
  /// `isOfRun`: whether it may be that of a report's run; `hasIDs`: whether the read names its objects in
  /// a parameter, so that one of them may be what does not exist.
  init?(_ failure: Failure, isOfRun: Bool, hasIDs: Bool) {
    let message = failure.error.message.lowercased()
    switch (failure.error.effectiveCode, failure.error.subcode) {
    case (1, _) where message.contains("reduce the amount of data"), (100, 1_487_534):
      self = .volume
    case (2, 1_504_038), (100, 1_504_018): self = .unclear
    case _ where isOfRun && failure.reason == .server: self = .unclear
    case (100, _) where failure.reason == .parameter && !message.contains("permission"):
      self = .refusal
    case _ where hasIDs && failure.reason == .notFound: self = .refusal
    default: return nil
    }
  }
}
