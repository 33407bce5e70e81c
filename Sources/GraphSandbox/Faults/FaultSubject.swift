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
      token: request.token)
  }

  /// An item with its references unresolved.
  fileprivate init(_ item: BatchItem, at index: Int, token: String?) {
    let own = item.scannedParameters.last { $0.name == "access_token" }?.value.written
    self.init(
      method: item.methodText, path: item.scannedPath.map(\.written), name: item.name, index: index,
      token: own ?? item.tokenField ?? token)
  }
}

extension ReferenceText {
  /// The text with its references abbreviated, so that each stays within one path segment.
  fileprivate var written: String { replacingReferences { name, _ in "{result=\(name)}" } }
}
