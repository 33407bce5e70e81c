internal import GraphAPI
internal import JSONPath

/// What references name.
extension TemplateReader {
  func placeholder(_ reference: ScannedReference, at spot: Spot) -> Placeholder? {
    let location = spot.location(of: reference.whole)
    let operands = operands(of: reference, at: spot)
    let kind: PlaceholderFacts.Kind? =
      switch reference.keyword {
      case .result: result(reference, operands, at: spot)
      case .input: input(reference, at: spot)
      case .run: run(reference, at: spot)
      case .date: date(reference, at: spot)
      case .item, .index, .row: current(reference, operands, at: spot)
      }
    let fallback = fallback(of: reference, at: spot)
    guard let kind, let operands, let fallback else { return nil }
    return Placeholder(
      PlaceholderFacts(
        kind: kind, operands: operands.placeholders, defaultValue: fallback,
        text: reference.whole.text, location: location))
  }

  private typealias Operands = (
    placeholders: [Placeholder], parser: LogicalExpression.Dialect.OperandParser
  )

  /// The references in a reference's query; nil if one is invalid, which has been reported.
  private func operands(of reference: ScannedReference, at spot: Spot) -> Operands? {
    guard let query = reference.query else { return ([], { _, _ in nil }) }
    var place = spot.place
    place.isToken = false
    let inner = Spot(positions: spot.positions, place: place)
    guard let found = operands(reference.operands, from: query.bytes.lowerBound, at: inner) else {
      return nil
    }
    for placeholder in found.placeholders {
      switch placeholder.kind {
      case .item, .index, .row, .input, .date: continue
      case .result, .runID, .runStartedAt:
        report(
          .invalidQuery, "'\(placeholder.text.short)' cannot be in the query of another reference",
          at: placeholder.location, hint: "a query can compare with {item=…}, {index}, {input=…}")
        return nil
      }
    }
    return found
  }

  private func result(
    _ reference: ScannedReference, _ operands: Operands?, at spot: Spot
  ) -> PlaceholderFacts.Kind? {
    guard let name = reference.name else { return nil }
    let location = spot.location(of: name)
    let query = operands.flatMap { self.query(reference.query, $0, at: spot) }
    let written = YAMLName(text: name.text, location: location)
    guard let index = referredRequest(written, in: spot.place) else { return nil }
    scopes.addEdge(to: index, at: location, in: spot.place)
    if scopes.slots[index].losesBody {
      warn(
        .bodilessReference,
        "'\(name.text)' does not keep its body, so a resumed run does not have this value",
        at: location, hint: "remove 'omit_response: true' from '\(name.text)'")
    }
    guard let query else { return nil }
    checkSecrecy(of: query, in: reference, at: spot)
    let target = scopes.slots[index].entry.key
    return .result(Reference(request: index, name: target, query: query))
  }

  /// The current item or its index, or the current row.
  private func current(
    _ reference: ScannedReference, _ operands: Operands?, at spot: Spot
  ) -> PlaceholderFacts.Kind? {
    let query = operands.flatMap { self.query(reference.query, $0, at: spot) }
    let isRow = reference.keyword == .row
    guard isRow ? spot.place.hasRows : spot.place.hasItems else {
      report(
        .itemOutside,
        "'\(reference.whole.text.short)' has no value: there are no \(isRow ? "rows" : "items") here",
        at: spot.location(of: reference.whole),
        hint: isRow
          ? "use it in the columns of an output with 'rows'; for literal text write '{{'"
          : "use it in a request with 'for_each' or in a group")
      return nil
    }
    if reference.keyword == .index { return .index }
    guard let query else { return nil }
    checkSecrecy(of: query, in: reference, at: spot)
    if isRow { return .row(query) }
    if reference.fallback == nil, reference.operands.isEmpty {
      checkItem(query, at: spot.location(of: reference.whole), in: spot.place)
    }
    return .item(query)
  }

  /// Warns of a query over the current item that selects nothing in any of the items.
  private func checkItem(_ query: Query, at location: SourceLocation, in place: Place) {
    guard let group = place.group, let items = scopes.uncheckedItems(of: group, for: query),
      !items.values.isEmpty, !items.anySelects(query)
    else { return }
    let written = query.text.hasPrefix("$.") ? String(query.text.dropFirst(2)) : query.text
    let nearest = suggestion(for: written, among: items.names)
    warn(
      .itemWithoutField, "no item has '\(query.text.short)'", at: location,
      hint: nearest.map { "did you mean '$.\($0)'?" }
        ?? (items.names.isEmpty
          ? "{item} is the whole item"
          : "the first item has: \(items.names.prefix(8).joined(separator: ", "))"))
  }

  private func checkSecrecy(of query: Query, in reference: ScannedReference, at spot: Spot) {
    guard !spot.place.isToken, SecretLeak.isTainted(query) else { return }
    report(
      .secretLeak, SecretLeak.resultMessage, at: spot.location(of: reference.whole),
      hint: SecretLeak.hint)
  }

  private func input(_ reference: ScannedReference, at spot: Spot) -> PlaceholderFacts.Kind? {
    guard let name = reference.name else { return nil }
    guard let type = inputTypes[name.text] else {
      reportUnknownInput(name.text, at: spot.location(of: name))
      return nil
    }
    if type == .secret || Redaction.isSecretName(name.text), !spot.place.isToken {
      report(
        .secretLeak, "the secret '\(name.text)' may only be used as a token",
        at: spot.location(of: reference.whole), hint: SecretLeak.hint)
    }
    return InputName(name.text).map { .input($0) }
  }

  /// Reports a name that no input has; one that is declared wrongly was reported there.
  func reportUnknownInput(_ name: String, at location: SourceLocation) {
    guard inputTypes[name] == nil else { return }
    let nearest = suggestion(for: name, among: inputTypes.keys.sorted())
    report(
      .unknownInput, "no input is named '\(name.short)'", at: location, nearest: nearest,
      otherwise: "declare it under 'inputs'")
  }

  private func run(_ reference: ScannedReference, at spot: Spot) -> PlaceholderFacts.Kind? {
    guard let name = reference.name else { return nil }
    switch name.text {
    case "id": return .runID
    case "started_at": return .runStartedAt
    default:
      let nearest = NearestName.to(name.text, among: ["id", "started_at"])
      report(
        .nearMissReference, "a run has no '\(name.text.short)'",
        at: spot.location(of: name), nearest: nearest, otherwise: "expected one of: id, started_at")
      return nil
    }
  }

  private func date(_ reference: ScannedReference, at spot: Spot) -> PlaceholderFacts.Kind? {
    guard let written = reference.name else { return nil }
    func location(_ bytes: Range<Int>) -> SourceLocation {
      let start = written.bytes.lowerBound
      return spot.positions.location(of: start + bytes.lowerBound..<start + bytes.upperBound)
    }
    do throws(RuleFault) {
      let (date, zone) = try DateReader.date(written.text, in: timeZone)
      switch date.zone {
      case .named(let name):
        // The default is reported where it is written.
        guard !zone.isEmpty, let fault = TimeZoneName.fault(of: name) else { break }
        report(fault, at: location(zone.dropFirst()))
      case .input(let name):
        guard inputTypes[name.text] != .some(.timezone) else { break }
        let zones = inputTypes.filter { $0.value == .timezone }.keys.sorted()
        report(
          .unknownInput, "no input of the type timezone is named '\(name)'",
          at: location(zone.dropFirst()),
          hint: zones.first.map { "such as '\($0)'" }
            ?? "declare it: \(name): {type: timezone, default: UTC}")
      }
      return .date(date)
    } catch {
      report(error, at: location(error.characters ?? 0..<written.text.utf8.count))
      return nil
    }
  }

  /// The default of a reference, `.some(nil)` if it has none; nil if the default is malformed.
  private func fallback(of reference: ScannedReference, at spot: Spot) -> JSON?? {
    guard let fallback = reference.fallback else { return .some(nil) }
    let text = fallback.text
    if let value = try? JSON(parsing: text) { return value }
    if text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      let plain = String(text.dropFirst().dropLast())
      warn(
        .invalidValue, "these quotes are part of the default", at: spot.location(of: fallback),
        hint: "write \(plain.short)")
    }
    guard let first = text.utf8.first, "{[\"".utf8.contains(first) else { return .string(text) }
    report(
      .invalidValue, "the default is not JSON", at: spot.location(of: fallback),
      hint: "write JSON, or text that begins with a letter")
    return nil
  }

  // MARK: Queries

  /// The query of a reference, by default `$`; nil if it is invalid.
  private func query(
    _ piece: ScannedReference.Piece?, _ operands: Operands, at spot: Spot
  ) -> Query? {
    let text = piece?.text ?? "$"
    if operands.placeholders.isEmpty, let query = queries[text] { return query }
    do {
      if operands.placeholders.isEmpty {
        let query = try Query(text)
        queries[text] = query
        return query
      }
      let dialect = LogicalExpression.Dialect(operand: operands.parser)
      if let query = try LogicalExpression(text, dialect: dialect).query { return query }
      report(
        .invalidQuery, "this is a condition, and a reference takes a query",
        at: spot.positions.location(of: piece?.bytes ?? 0..<0),
        hint: "write the condition in a filter: $.data[?…]")
      return nil
    } catch {
      let (message, hint) = QueryMistake.wording(of: error, in: text)
      let start = piece?.bytes.lowerBound ?? 0
      report(
        .invalidQuery, message, at: spot.positions.location(ofCharacter: error.offset, from: start),
        hint: hint)
      return nil
    }
  }
}
