internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// Looks up what a reference names.
  mutating func placeholder(
    _ reference: ScannedReference,
    _ positions: TextPositions,
    in place: Place
  ) -> Placeholder? {
    let location = positions.location(from: reference.whole.start, to: reference.whole.end)
    var kind: Placeholder.Kind?
    switch reference.keyword {
    case .result: kind = result(reference, positions, in: place).map { .result($0) }
    case .input: kind = input(reference, positions, in: place).map { .input($0) }
    case .run: kind = run(reference, positions)
    case .item, .index:
      if !place.hasItems {
        report(
          RuleID.notSupportedYet,
          "'\(YAMLFault.short(reference.whole.text))' is not supported yet",
          at: location,
          hint: "it comes with 'for_each'"
        )
      }
    }
    let fallback = fallback(of: reference, positions)
    guard let kind, let fallback else { return nil }
    return Placeholder(
      kind: kind,
      defaultValue: fallback,
      text: reference.whole.text,
      location: location
    )
  }

  private mutating func result(
    _ reference: ScannedReference,
    _ positions: TextPositions,
    in place: Place
  ) -> Reference? {
    guard let name = reference.name else { return nil }
    let nameLocation = positions.location(from: name.start, to: name.end)
    let query = query(reference.query, positions)
    guard let index = requestIndices[name.text] else {
      reportUnknownRequest(name.text, at: nameLocation)
      return nil
    }
    guard index != place.request else {
      report(
        RuleID.selfReference,
        "'\(name.text)' refers to itself",
        at: nameLocation,
        hint: "in 'expect', '$' is the request's own answer"
      )
      return nil
    }
    if let request = place.request {
      edges[request].append(Edge(target: index, location: nameLocation))
    }
    if omittingRequests.contains(index) {
      warn(
        RuleID.bodilessReference,
        "'\(name.text)' does not keep its body, so a resumed run cannot know this value",
        at: nameLocation,
        hint: "remove 'omit_response: true' from '\(name.text)'"
      )
    }
    guard let query, let requestName = RequestName(name.text) else { return nil }
    if !place.isToken, SecretLeak.isTainted(query) {
      report(
        RuleID.secretLeak,
        SecretLeak.resultMessage,
        at: positions.location(from: reference.whole.start, to: reference.whole.end),
        hint: SecretLeak.hint
      )
    }
    return Reference(request: index, name: requestName, query: query)
  }

  /// Reports that no request has a name.
  mutating func reportUnknownRequest(_ name: String, at location: SourceLocation) {
    let nearest = suggestion(for: name, among: requestNames)
    let message =
      name.contains(".")
      ? "no request is named '\(YAMLFault.short(name))'; groups are not supported yet"
      : "no request is named '\(YAMLFault.short(name))'"
    report(
      RuleID.unknownReference,
      message,
      at: location,
      hint: nearest.map { "did you mean '\($0)'?" },
      fix: nearest
    )
  }

  /// The query of a reference, `$` if it has none; nil if it is no query.
  private mutating func query(
    _ piece: ScannedReference.Piece?,
    _ positions: TextPositions
  ) -> Query? {
    let text = piece?.text ?? "$"
    if let query = queries[text] { return query }
    do {
      let query = try Query(text)
      queries[text] = query
      return query
    } catch {
      let start = piece?.start ?? TextOffset()
      reportQuery(error, in: text, at: start, positions)
      return nil
    }
  }

  private mutating func reportQuery(
    _ error: Query.SyntaxError,
    in text: String,
    at start: TextOffset,
    _ positions: TextPositions
  ) {
    let place = start.advanced(by: TextOffset(after: error.offset, in: text))
    var message = error.message
    var hint = error.hint
    if !text.hasPrefix("$") {
      message = "a query must start with '$'"
      hint =
        text.isEmpty
        ? "write $" : "write \(text.hasPrefix(".") || text.hasPrefix("[") ? "$" : "$.")\(text)"
    }
    report(
      RuleID.invalidQuery,
      message,
      at: positions.location(from: place, to: place.advanced(by: TextOffset(after: 1, in: " "))),
      hint: hint
    )
  }

  private mutating func input(
    _ reference: ScannedReference,
    _ positions: TextPositions,
    in place: Place
  ) -> InputName? {
    guard let name = reference.name else { return nil }
    let location = positions.location(from: name.start, to: name.end)
    guard let type = inputTypes[name.text] else {
      let nearest = suggestion(for: name.text, among: inputTypes.keys.sorted())
      report(
        RuleID.unknownInput,
        "no input is named '\(YAMLFault.short(name.text))'",
        at: location,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "declare it under 'inputs'",
        fix: nearest
      )
      return nil
    }
    if type == .secret, !place.isToken {
      report(
        RuleID.secretLeak,
        "the secret '\(name.text)' may only be used as a token",
        at: positions.location(from: reference.whole.start, to: reference.whole.end),
        hint: SecretLeak.hint
      )
    }
    return InputName(name.text)
  }

  private mutating func run(
    _ reference: ScannedReference,
    _ positions: TextPositions
  ) -> Placeholder.Kind? {
    guard let name = reference.name else { return nil }
    switch name.text {
    case "id": return .runID
    case "started_at": return .runStartedAt
    default:
      let nearest = NearestName.to(name.text, among: ["id", "started_at"])
      report(
        RuleID.nearMissReference,
        "a run has no '\(YAMLFault.short(name.text))'",
        at: positions.location(from: name.start, to: name.end),
        hint: nearest.map { "did you mean '\($0)'?" } ?? "known are: id, started_at",
        fix: nearest
      )
      return nil
    }
  }

  /// The default of a reference, which may be none; nil if it is malformed.
  private mutating func fallback(
    of reference: ScannedReference,
    _ positions: TextPositions
  ) -> JSON?? {
    guard let fallback = reference.fallback else { return .some(nil) }
    if let value = try? JSON(parsing: fallback.text) { return value }
    guard let first = fallback.text.utf8.first, "{[\"".utf8.contains(first) else {
      return .string(fallback.text)
    }
    report(
      RuleID.invalidValue,
      "the default is not JSON",
      at: positions.location(from: fallback.start, to: fallback.end),
      hint: "write JSON, or text that begins with a letter"
    )
    return nil
  }
}
