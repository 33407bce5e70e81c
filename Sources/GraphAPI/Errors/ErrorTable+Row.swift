extension ErrorTable {
  /// One line of the table.
  public struct Row: Hashable, Sendable {
    /// What the row is about.
    public enum Subject: Hashable, Sendable {
      /// These codes, whatever the subcode.
      case codes(ClosedRange<Int>)

      /// A code with a subcode.
      case code(Int, subcode: Int)

      /// A code in whose message these words stand, in lower case, if the subcode has no row.
      case wording(Int, words: String)

      /// A subcode under any code that has no row of its own.
      case subcode(Int)

      /// These HTTP statuses, where the body says nothing that is known.
      case status(ClosedRange<Int>)
    }

    /// When an answer of this kind proves that nothing happened.
    public enum Proof: String, Hashable, Sendable, CaseIterable {
      /// Whatever the status: Graph turns throttled calls away before it does anything.
      case always

      /// With a status of 400 to 499 and an error object.
      case refusal

      /// Not at all: Graph may have done it before it failed.
      case never
    }

    /// What the row is about.
    public let subject: Subject

    /// Graph's name for the error, or a short one.
    public let name: String

    /// What can be done about it.
    public let category: ErrorCategory

    /// Why it happens.
    public let reason: FailureReason

    /// Whether sending again, after waiting or recovering, can succeed.
    public let isRetryUseful: Bool

    /// Whether it proves that nothing happened.
    public let proof: Proof

    /// What a person can do.
    public let hint: String

    /// Where this knowledge is from, and how good it is.
    public let source: String

    /// The code, or the first of the codes; nil for a row about a subcode or status alone.
    public var code: Int? {
      switch subject {
      case .codes(let codes): codes.lowerBound
      case .code(let code, _), .wording(let code, _): code
      case .subcode, .status: nil
      }
    }

    /// The subcode, if the row is about one.
    public var subcode: Int? {
      switch subject {
      case .code(_, let subcode), .subcode(let subcode): subcode
      case .codes, .wording, .status: nil
      }
    }

    /// The HTTP statuses, if the row is about them alone.
    public var statuses: ClosedRange<Int>? {
      if case .status(let range) = subject { return range }
      return nil
    }
  }
}
