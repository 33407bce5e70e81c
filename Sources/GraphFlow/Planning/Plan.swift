import GraphAPI

/// The ideal course of a run: every request is answered at once and succeeds.
///
/// A plan is what the ``Packer`` does with a whole workflow, written down. A run that meets neither
/// failures nor throttles makes the same calls. A plan holds all of them; ``PlanCourse`` gives them
/// out round by round, for any number of items.
public struct Plan: Sendable {
  /// HTTP calls that may be under way together.
  package struct Round: Hashable, Sendable {
    /// The round's number, from 1.
    package let number: Int
    /// Its calls, in the order in which they start.
    package let calls: [Call]
  }

  /// One HTTP call.
  package struct Call: Hashable, Sendable {
    /// The call's number, from 1.
    package let number: Int
    /// The round it belongs to, from 1.
    package let round: Int
    /// Whether it is an operation sent alone rather than a batch.
    package let isSingle: Bool
    /// What it carries, in order.
    package let operations: [Operation]
    /// The numbers of the calls whose answers it needs.
    package let after: NumberRanges
    /// Why nothing more is in it.
    package internal(set) var end: End
  }

  /// Why a call holds no more than it does.
  package enum End: Hashable, Sendable {
    /// Its one operation travels alone.
    case alone
    /// It holds as many operations as a batch may.
    case full
    /// It holds as many writes as may be in doubt together.
    case unsafeWrites
    /// There is nothing left to send.
    case nothingLeft
    /// The rest waits for answers; the first few of them.
    case waits([Wait])
    /// More items are read once some of those that were are over.
    case window
    /// What comes next stays together in another call.
    case apart
  }

  /// A request that waits for the answer of another.
  package struct Wait: Hashable, Sendable {
    /// The request that waits.
    package let request: Int
    /// The request that it waits for.
    package let predecessor: Int
  }

  /// One request in a call.
  package struct Operation: Hashable, Sendable {
    /// The request's index in the workflow.
    package let request: Int
    /// The item of its group that it is sent for, from 0; nil outside groups.
    package let item: Int?
    /// The requests of the same call whose results Graph puts into it.
    package let inBatchReferences: [Int]
    /// The request of the same call that it is told to wait for, where only the order matters.
    package let dependsOn: Int?
  }

  /// The items of a group, as far as they are known before the run.
  package enum Items: Hashable, Sendable {
    /// Their keys, in order.
    case known([String])
    /// Their number; there are too many to keep their keys.
    case counted(Int)
    /// Another request's answer decides; the group is planned as if it had one item.
    case unknown

    /// How many items are planned.
    package var count: Int {
      switch self {
      case .known(let keys): keys.count
      case .counted(let count): count
      case .unknown: 1
      }
    }
  }

  /// What is planned, and what it comes to.
  package let summary: PlanSummary
  /// The HTTP calls, in the order in which they start.
  package let calls: [Call]
  /// The calls, round by round.
  let callsByRound: [Round]

  /// Plans a workflow.
  ///
  /// Total and deterministic: a ``Workflow`` is sound, so nothing can go wrong here.
  ///
  /// - Parameters:
  ///   - workflow: what is planned.
  ///   - items: the items of each group; one that is left out is unknown.
  ///   - limits: what a call may hold, and what is minimised.
  package init(
    for workflow: Workflow,
    items: [Items] = [],
    limits: BatchLimits = BatchLimits()
  ) {
    let course = PlanCourse(for: workflow, items: items, limits: limits)
    callsByRound = Array(course)
    calls = callsByRound.flatMap(\.calls)
    summary = PlanSummary(of: course, rounds: callsByRound)
  }

  /// The workflow that is planned.
  public var workflow: Workflow { summary.workflow }

  /// The number of sequential round trips.
  public var rounds: Int { summary.rounds }

  /// What no packing can undercut.
  package var lowerBound: LowerBound { summary.lowerBound }

  /// The number of operations.
  public var operationCount: Int { summary.operationCount }
}

extension Workflow.Request {
  /// Whether an unanswered attempt must not be repeated: it may have taken effect.
  var isUnsafeWrite: Bool { isWrite && !isIdempotent }

  /// Whether nobody but a person can end the doubt about an attempt without an answer.
  var isUnconfirmable: Bool { isUnsafeWrite && confirmation == nil }
}
