/// The operations that a fault matches, and the matches at which it happens.
package struct FaultCondition: Hashable, Sendable {
  /// The matches at which a fault happens.
  package enum Occasion: Hashable, Sendable {
    case always
    /// Only the match with this number, counted from 1.
    case nth(Int)
    /// Every match with a number that is a multiple.
    case everyNth(Int)
    case first(Int)
    /// At random, with this probability from 0 to 1; the same for the same seed and calls.
    case chance(Double)
  }

  /// nil: any.
  package var method: GraphMethod?
  package var path: PathPattern?
  /// The operation's name in its batch; nil: any or none.
  package var name: String?
  /// A word in one of the operation's parameters, such as an id or the name of a field; nil: any or none.
  package var word: String?
  /// The time from the sandbox's first call until matches count.
  package var delay: Duration
  package var occasion: Occasion

  /// Makes a condition; without arguments it matches every operation.
  package init(
    method: GraphMethod? = nil, path: PathPattern? = nil, name: String? = nil, word: String? = nil,
    delay: Duration = .zero, occasion: Occasion = .always
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.word = word
    self.delay = delay
    self.occasion = occasion
  }

  /// Whether the condition restricts operations, so that a call without operations never matches.
  var needsOperation: Bool { method != nil || path != nil || name != nil || word != nil }

  func matches(_ operation: FaultSubject) -> Bool {
    if let method, method.rawValue != operation.method { return false }
    if let name, name != operation.name { return false }
    if let word, !operation.values.contains(where: { $0.hasWord(word) }) { return false }
    return path?.matches(operation.path) ?? true
  }
}

/// An operation as fault conditions see it.
struct FaultSubject: Sendable {
  /// In capitals.
  var method: String
  /// Without version; references are resolved only when the operation is executed.
  var path: [String]
  var name: String?
  /// The index in the batch; nil for a single call.
  var index: Int?
  var token: String?
  /// The values of its parameters.
  var values: [String] = []
}

extension GraphCall {
  /// The operations of a call before its execution; none if the whole call is refused.
  var faultSubjects: [FaultSubject] {
    switch kind {
    case .single(let request): [FaultSubject(request, named: nil, at: nil)]
    case .batch(let batch):
      batch.items.enumerated().map { FaultSubject($1, at: $0, token: token) }
    case .refused: []
    }
  }
}

extension FaultSubject {
  init(_ request: GraphRequest, named name: String?, at index: Int?) {
    self.init(
      method: request.method.rawValue, path: request.path, name: name, index: index,
      token: request.token, values: request.parameters.members.map(\.value))
  }

  /// An item with its references unresolved.
  fileprivate init(_ item: BatchItem, at index: Int, token: String?) {
    let parameters = item.scannedParameters
    let own = parameters.last { $0.name == "access_token" }?.value.written
    self.init(
      method: item.methodText, path: item.scannedPath.map(\.written), name: item.name, index: index,
      token: own ?? item.tokenField ?? token, values: parameters.map(\.value.written))
  }
}

extension ReferenceText {
  /// The text with its references abbreviated, so that each stays within one path segment.
  fileprivate var written: String { replacingReferences { name, _ in "{result=\(name)}" } }
}

extension String {
  /// Whether it has a word, between characters that are no part of a name.
  fileprivate func hasWord(_ word: String) -> Bool {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
  }
}
