import GraphAPI
import GraphFlow

/// A request as a command line of curl for a POSIX shell.
///
/// Values that only the run knows are variables that the shell refuses to leave unset.
struct CurlLine {
  let preview: RequestPreview
  /// The address with the version, without a slash at its end.
  let base: String
  /// The folder of the request's files, with a slash at its end, or empty.
  let folder: String

  var text: String {
    let operation = preview.operation
    let hasForm = !operation.parameters.isEmpty || !operation.files.isEmpty
    let method =
      switch operation.method {
      case .get: " --get"
      case .delete: " --get --request DELETE"
      case .post: hasForm ? "" : " --request POST"
      }
    var words = ["curl" + method]
    words.append("--globoff " + quoted("\(base)/\(operation.path)"))
    let token = preview.token.map { "${\($0.variable):?}" } ?? "$GRAPHFLOW_ACCESS_TOKEN"
    words.append("--header \"Authorization: Bearer \(token)\"")
    for header in operation.headers {
      words.append("--header " + quoted("\(header.name): \(header.value)"))
    }
    let option = operation.files.isEmpty ? "--data-urlencode" : "--form-string"
    for parameter in operation.parameters {
      words.append("\(option) " + quoted("\(parameter.name)=\(parameter.value)"))
    }
    for (file, path) in zip(operation.files, preview.files) {
      // In quotes, curl takes commas and semicolons as they are.
      let name = (folder + path).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      words.append("--form " + quoted("\(file.partName)=@\"\(name)\";type=\(file.contentType)"))
    }
    return words.joined(separator: " \\\n  ")
  }

  /// A text in single quotes, with variables in place of the markers.
  private func quoted(_ text: String) -> String {
    var rest = text[...]
    var word = ""
    while !rest.isEmpty {
      let next = preview.unknowns
        .compactMap { unknown in rest.firstRange(of: unknown.marker).map { ($0, unknown) } }
        .min { $0.0.lowerBound < $1.0.lowerBound }
      let literal = rest[..<(next?.0.lowerBound ?? rest.endIndex)]
      if !literal.isEmpty { word += String(literal).shellQuoted }
      if let next { word += "\"${\(next.1.variable):?}\"" }
      rest = next.map { rest[$0.0.upperBound...] } ?? ""
    }
    return word.isEmpty ? "''" : word
  }
}
