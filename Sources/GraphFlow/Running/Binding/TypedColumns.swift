internal import JSONPath

extension [ItemColumn] {
  /// An item whose text in these columns has become a value of their types.
  ///
  /// Empty text is null, except in a column of text.
  func typed(_ item: JSON) throws(ItemsUnreadable) -> JSON {
    guard !isEmpty, let members = item.object else { return item }
    var typed: [JSON.Object.Member] = []
    typed.reserveCapacity(members.count)
    for (name, value) in members {
      let column = first { $0.name == name }
      typed.append((name, try column?.typed(value) ?? value))
    }
    return .object(JSON.Object(distinct: typed))
  }
}

extension ItemColumn {
  fileprivate func typed(_ value: JSON) throws(ItemsUnreadable) -> JSON {
    if value.isNull || value == "" && type != .string { return .null }
    let typed = value.string.map { type.value(of: $0) } ?? value
    guard let fault = type.fault(of: typed ?? .null) else { return typed ?? .null }
    let text = value.string ?? value.serialized()
    throw ItemsUnreadable(message: "'\(text.prefix(40))' in the column '\(name)' \(fault)")
  }
}
