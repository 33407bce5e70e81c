/// Faults in words.
extension FaultRule {
  /// What happens, and to which operations.
  var summary: String {
    let subject = [condition.method?.rawValue, condition.path?.description, condition.name]
      .compactMap(\.self).joined(separator: " ")
    return [effect.label, subject.isEmpty ? "" : "to \(subject)", condition.occasion.text]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension FaultCondition.Occasion {
  fileprivate var text: String {
    switch self {
    case .always: ""
    case .nth(let number): "only the one with number \(number)"
    case .everyNth(let number): "one in \(number)"
    case .first(1): "once"
    case .first(let number): "the first \(number)"
    case .chance(let probability): "with probability \(probability)"
    }
  }
}

extension FaultRule.Effect {
  /// A short name, as in the log.
  var label: String {
    switch self {
    case .operation(let fault): fault.label
    case .call(let fault): fault.label
    case .world(.token(let state)): "token \(state.rawValue)"
    case .world(.declined(let permission)): "\(permission) declined"
    }
  }
}

extension OperationFault {
  /// A short name for the log.
  var label: String {
    switch self {
    case .error(let error, _): error.label
    case .throttled: "throttled"
    case .unfinished: "unfinished"
    case .lag: "lag"
    case .report(let error): "report \(error == nil ? "skipped" : "failed")"
    }
  }
}

extension CallFault {
  /// A short name for the log.
  var label: String {
    switch self {
    case .error(let error, _): error.label
    case .throttled: "throttled"
    case .page: "page"
    case .dropped: "dropped"
    case .cut: "cut"
    case .partial: "partial"
    case .truncated: "truncated"
    case .wrongLength: "wrong length"
    case .delayed: "delayed"
    case .dripping: "dripping"
    case .padded: "padded"
    }
  }
}
