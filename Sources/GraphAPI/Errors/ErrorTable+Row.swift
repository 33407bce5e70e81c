extension ErrorTable {
  /// One line of the table.
  package struct Row: Hashable, Sendable {
    /// What the row is about.
    package enum Subject: Hashable, Sendable {
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
    package enum Proof: String, Hashable, Sendable, CaseIterable {
      /// Whatever the status: Graph turns throttled calls away before it does anything.
      case always

      /// With a status of 400 to 499 and an error object.
      case refusal

      /// Not at all: Graph may have done it before it failed.
      case never
    }

    /// What the row is about.
    package let subject: Subject

    /// Graph's name for the error, or a short one.
    package let name: String

    /// What can be done about it.
    package let category: ErrorCategory

    /// Why it happens.
    package let reason: FailureReason

    /// Whether sending again, after waiting or recovering, can succeed.
    package let isRetryUseful: Bool

    /// Whether it proves that nothing happened.
    package let proof: Proof

    /// What a person can do.
    package let hint: String

    /// Where this knowledge is from, and how good it is.
    package let source: String

    /// The code, or the first of the codes; nil for a row about a subcode or status alone.
    package var code: Int? {
      switch subject {
      case .codes(let codes): codes.lowerBound
      case .code(let code, _), .wording(let code, _): code
      case .subcode, .status: nil
      }
    }

    /// The subcode, if the row is about one.
    package var subcode: Int? {
      switch subject {
      case .code(_, let subcode), .subcode(let subcode): subcode
      case .codes, .wording, .status: nil
      }
    }

    /// The HTTP statuses, if the row is about them alone.
    package var statuses: ClosedRange<Int>? {
      if case .status(let range) = subject { return range }
      return nil
    }
  }
}
