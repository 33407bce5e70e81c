import GraphFlow
import JSONPath

/// A plan as a whole; the command writes it piece by piece.
extension Plan {
  var calls: [Call] { course.flatMap(\.calls) }

  func text() -> String {
    var text = ""
    writeText { text += $0 }
    return text
  }

  var json: JSON {
    var members = jsonHeading
    members["batches"] = .array(
      calls.map { call in
        json(of: call) { group, item in
          guard case .known(let keys) = items[group] else { return String(item) }
          return keys[item]
        }
      })
    return .object(members)
  }
}
