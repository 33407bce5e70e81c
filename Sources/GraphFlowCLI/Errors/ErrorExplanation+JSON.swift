import GraphAPI
import JSONPath

extension ErrorExplanation {
  var json: JSON {
    [
      "code": .number(JSON.Number(code)),
      "subcode": subcode.map { .number(JSON.Number($0)) } ?? .null,
      "known": .bool(!rows.isEmpty),
      "known_subcode": .bool(!rows.isEmpty && knowsSubcode),
      "rows": .array(rows.map(\.explanation)),
      "unknown_treatment": .array(rows.isEmpty ? Self.unknownTreatment.map(JSON.string) : []),
      "others": .array(others.map { $0.json(beside: rows.first) }),
      "sources": .array(
        sources.map { ["name": .string($0.name), "address": .string($0.address)] }
          + [["name": "safe", "address": .string(Self.safetySource)]]),
    ]
  }
}

extension ErrorTable.Row {
  fileprivate var explanation: JSON {
    [
      "error": .string("\(subject)"),
      "name": .string(name),
      "category": .string(category.rawValue),
      "reason": .string(reason.rawValue),
      "retry_useful": .bool(isRetryUseful),
      "proof": .string(proof.rawValue),
      "safe": .string(proof.safety),
      "premise": (premise?.statement).map(JSON.string) ?? .null,
      "hint": .string(hint),
      "source": .string(source),
    ]
  }
}

extension ExternalVerdict {
  fileprivate func json(beside row: ErrorTable.Row?) -> JSON {
    [
      "judge": .string(judge),
      "verdict": .string(verdict),
      "category": category.map { .string($0.rawValue) } ?? .null,
      "agrees": agrees(with: row).map(JSON.bool) ?? .null,
      "source": .string(source),
    ]
  }
}
