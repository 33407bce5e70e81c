internal import GraphAPI
internal import JSONPath

/// An HTTP request as a client sent it: what command lines and archives have in common.
///
/// Its texts may hold marked references.
struct HTTPMessage {
  /// A parameter; or a file, whose value is its path.
  struct Field: Hashable {
    let name: String
    let value: JSON
    var isFile = false
  }

  var method: String
  var address: String
  var headers: [(name: String, value: String)] = []
  var fields: [Field] = []

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// Adds the fields of a body, which is a form, a multipart body or a JSON object.
  mutating func add(body: String) throws(ImportFailure) {
    let type = header("content-type") ?? ""
    guard type.lowercased().contains("json") else {
      fields += FormFields.fields(of: Array(body.utf8), type: type).map { field in
        Field(
          name: field.name, value: .string(field.fileName ?? field.value),
          isFile: field.fileName != nil)
      }
      return
    }
    do {
      guard let members = try JSON(parsing: body).object else {
        throw ImportFailure("the body is JSON, but no object", hint: "parameters need names")
      }
      fields += members.map { Field(name: $0.name, value: $0.value) }
    } catch let error as JSON.SyntaxError {
      throw ImportFailure("the body is not JSON: \(error)")
    } catch let failure as ImportFailure {
      throw failure
    } catch {}
  }
}

extension JSON {
  /// The value as it is sent in a form.
  var fieldText: String { string ?? serialized() }
}
