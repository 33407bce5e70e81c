internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// Resolves what a reference names.
  mutating func placeholder(_ reference: ScannedReference, at spot: Spot) -> Placeholder? {
    let location = spot.location(of: reference.whole)
    var kind: Placeholder.Kind?
    switch reference.keyword {
    case .result: kind = result(reference, at: spot).map { .result($0) }
    case .input: kind = input(reference, at: spot).map { .input($0) }
    case .run: kind = run(reference, at: spot)
    case .item, .index: kind = item(reference, at: spot)
    }
    let fallback = fallback(of: reference, at: spot)
    guard let kind, let fallback else { return nil }
    return Placeholder(
      kind: kind, defaultValue: fallback, text: reference.whole.text, location: location)
  }

  private mutating func result(_ reference: ScannedReference, at spot: Spot) -> Reference? {
    guard let name = reference.name else { return nil }
    let nameLocation = spot.location(of: name)
    let query = query(reference.query, at: spot)
    let written = YAMLName(text: name.text, location: nameLocation)
    guard let index = referredRequest(written, in: spot.place) else { return nil }
    addEdge(to: index, at: nameLocation, in: spot.place)
    if scopes.slots[index].omitsResponse {
      warn(
        RuleID.bodilessReference,
        "'\(name.text)' does not keep its body, so a resumed run does not have this value",
        at: nameLocation, hint: "remove 'omit_response: true' from '\(name.text)'")
    }
    guard let query, let requestName = RequestName(scopes.slots[index].entry.key) else {
      return nil
    }
    checkSecrecy(of: query, in: reference, at: spot)
    return Reference(request: index, name: requestName, query: query)
  }

  /// The kind of `{item}` or `{index}`.
  private mutating func item(_ reference: ScannedReference, at spot: Spot) -> Placeholder.Kind? {
    let query = reference.keyword == .item ? query(reference.query, at: spot) : nil
    guard spot.place.hasItems else {
      report(
        RuleID.itemOutside,
        "'\(YAMLFault.short(reference.whole.text))' has no value: there are no items here",
        at: spot.location(of: reference.whole),
        hint: "use it in a request with 'for_each' or in a group")
      return nil
    }
    if reference.keyword == .index { return .index }
    guard let query else { return nil }
    checkSecrecy(of: query, in: reference, at: spot)
    if reference.fallback == nil {
      let location = spot.location(of: reference.whole)
      checkItem(query, at: location, in: spot.place)
    }
    return .item(query)
  }

  /// Reports a query that selects a secret outside of `token`.
  private mutating func checkSecrecy(of query: Query, in reference: ScannedReference, at spot: Spot)
  {
    guard !spot.place.isToken, SecretLeak.isTainted(query) else { return }
    report(
      RuleID.secretLeak, SecretLeak.resultMessage, at: spot.location(of: reference.whole),
      hint: SecretLeak.hint)
  }

  /// The query of a reference, by default `$`; nil if it is invalid.
  private mutating func query(_ piece: ScannedReference.Piece?, at spot: Spot) -> Query? {
    let text = piece?.text ?? "$"
    if let query = queries[text] { return query }
    do {
      let query = try Query(text)
      queries[text] = query
      return query
    } catch {
      reportQuery(error, in: text, from: piece?.bytes.lowerBound ?? 0, at: spot)
      return nil
    }
  }

  /// The query that was probably meant by one whose last name contains spaces.
  private static func queryForNameWithSpace(_ text: String, at offset: Int) -> String? {
    let scalars = text.unicodeScalars
    guard let dot = scalars.prefix(offset).lastIndex(of: ".") else { return nil }
    let name = String(scalars[scalars.index(after: dot)...])
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == " "
    }
    guard isName, !name.hasSuffix(" "), name.count <= 60 else { return nil }
    return "\(String(scalars[..<dot]))['\(name)']"
  }

  private mutating func reportQuery(
    _ error: Query.SyntaxError, in text: String, from start: Int, at spot: Spot
  ) {
    var message = error.message
    var hint = error.hint
    let rest = text.unicodeScalars.dropFirst(error.offset)
    if text.hasPrefix("$"), rest.first == " " {
      message = "a query cannot contain a space here"
      hint =
        Self.queryForNameWithSpace(text, at: error.offset)
        .map { "write \($0) for a name with a space, or '}' there" }
        ?? "write '}' there, or '|' and a default"
    } else if !text.hasPrefix("$") {
      message = "a query must start with '$'"
      hint =
        text.isEmpty
        ? "write $" : "write \(text.hasPrefix(".") || text.hasPrefix("[") ? "$" : "$.")\(text)"
    }
    report(
      RuleID.invalidQuery, message,
      at: spot.positions.location(ofCharacter: error.offset, from: start), hint: hint)
  }

  private mutating func input(_ reference: ScannedReference, at spot: Spot) -> InputName? {
    guard let name = reference.name else { return nil }
    let location = spot.location(of: name)
    guard let type = inputTypes[name.text] else {
      let nearest = suggestion(for: name.text, among: inputTypes.keys.sorted())
      report(
        RuleID.unknownInput, "no input is named '\(YAMLFault.short(name.text))'", at: location,
        nearest: nearest, otherwise: "declare it under 'inputs'")
      return nil
    }
    if type == .secret || Redaction.isSecretName(name.text), !spot.place.isToken {
      report(
        RuleID.secretLeak, "the secret '\(name.text)' may only be used as a token",
        at: spot.location(of: reference.whole), hint: SecretLeak.hint)
    }
    return InputName(name.text)
  }

  private mutating func run(_ reference: ScannedReference, at spot: Spot) -> Placeholder.Kind? {
    guard let name = reference.name else { return nil }
    switch name.text {
    case "id": return .runID
    case "started_at": return .runStartedAt
    default:
      let nearest = NearestName.to(name.text, among: ["id", "started_at"])
      report(
        RuleID.nearMissReference, "a run has no '\(YAMLFault.short(name.text))'",
        at: spot.location(of: name), nearest: nearest, otherwise: "expected one of: id, started_at")
      return nil
    }
  }

  /// The default of a reference, `.some(nil)` if it has none; nil if the default is malformed.
  private mutating func fallback(of reference: ScannedReference, at spot: Spot) -> JSON?? {
    guard let fallback = reference.fallback else { return .some(nil) }
    if let value = try? JSON(parsing: fallback.text) { return value }
    if fallback.text.utf8.count >= 2, fallback.text.hasPrefix("'"), fallback.text.hasSuffix("'") {
      let plain = fallback.text.dropFirst().dropLast()
      warn(
        RuleID.invalidValue, "these quotes are part of the default",
        at: spot.location(of: fallback), hint: "write \(YAMLFault.short(String(plain)))")
    }
    guard let first = fallback.text.utf8.first, "{[\"".utf8.contains(first) else {
      return .string(fallback.text)
    }
    report(
      RuleID.invalidValue, "the default is not JSON", at: spot.location(of: fallback),
      hint: "write JSON, or text that begins with a letter")
    return nil
  }
}
