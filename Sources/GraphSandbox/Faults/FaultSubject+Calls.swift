extension GraphCall {
  /// The operations of a call that has not been executed; none of one that is refused as a whole.
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
      method: request.method.rawValue,
      path: request.path,
      name: name,
      index: index,
      token: request.token
    )
  }

  /// An item as written: nothing of it is resolved.
  fileprivate init(_ item: BatchItem, at index: Int, token: String?) {
    let own = item.openParameters.last { $0.name == "access_token" }?.value.written
    self.init(
      method: item.methodText,
      path: item.openPath.map(\.written),
      name: item.name,
      index: index,
      token: own ?? item.tokenField ?? token
    )
  }
}

extension ReferenceText {
  /// The text with its references in short: enough to be one segment of a path.
  fileprivate var written: String { filled { name, _ in "{result=\(name)}" } }
}
