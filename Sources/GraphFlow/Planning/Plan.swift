import GraphAPI

/// The calls of an ideal run, in which every request is answered at once and succeeds.
///
/// A plan records what the `Packer` does with a whole workflow. A run without failures and throttling
/// makes the same calls. A plan contains all of them; `PlanRounds` returns them round by round, for
/// any number of items.
public struct Plan: Sendable {
  /// HTTP calls that may be sent concurrently.
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
    /// Its operations, in order.
    package let operations: [Operation]
    /// The numbers of the calls whose answers it needs.
    package let after: NumberRanges
    /// Why it holds no more operations.
    package internal(set) var closeReason: CloseReason
  }

  /// Why a call holds no more than it does.
  package enum CloseReason: Hashable, Sendable {
    /// Its one operation travels alone.
    case alone
    /// It holds as many operations as a batch may.
    case full
    /// It holds as many unsafe writes as a batch may.
    case unsafeWrites
    /// There is nothing left to send.
    case nothingLeft
    /// The remaining requests wait for answers; the first few of these waits.
    case waits([Wait])
    /// More items are read when some of the open ones have finished.
    case window
    /// The next requests stay together in another call.
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
    /// The requests of the same call whose results Graph fills into it.
    package let inBatchReferences: [Int]
    /// The request of the same call that its `depends_on` names, if only the order matters.
    package let dependsOn: Int?
  }

  /// The items of a group before the run, if they are known.
  package enum Items: Hashable, Sendable {
    /// Their keys, in order.
    case known([String])
    /// Their number; there are too many to keep their keys.
    case counted(Int)
    /// Only another request's answer contains them; the group is planned as if it had one item.
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

  /// The figures of the plan.
  package let summary: PlanSummary
  /// The HTTP calls, in the order in which they start.
  package let calls: [Call]
  /// The calls, round by round.
  let callsByRound: [Round]

  /// Plans a workflow.
  ///
  /// Deterministic, and without errors, because a ``Workflow`` is valid.
  ///
  /// - Parameters:
  ///   - workflow: the workflow.
  ///   - items: the items of each group; those of a group that is left out are unknown.
  ///   - limits: the limits of a call, and what is minimized.
  package init(for workflow: Workflow, items: [Items] = [], limits: BatchLimits = BatchLimits()) {
    let rounds = PlanRounds(for: workflow, items: items, limits: limits)
    callsByRound = Array(rounds)
    calls = callsByRound.flatMap(\.calls)
    summary = PlanSummary(of: rounds, rounds: callsByRound)
  }

  /// The workflow that is planned.
  public var workflow: Workflow { summary.workflow }

  /// The number of sequential round trips.
  public var rounds: Int { summary.rounds }

  /// The lower bound for any packing.
  package var lowerBound: LowerBound { summary.lowerBound }

  /// The number of operations.
  public var operationCount: Int { summary.operationCount }
}
