import JSONPath

/// The body of an HTTP request: parameters, files, and perhaps a batch as real JSON.
struct RequestBody: Sendable {
  private(set) var parameters = Parameters()
  private(set) var files: [UploadedFile] = []
  /// `batch`, where a JSON body holds it as an array and not as text.
  private(set) var batch: JSON?

  /// Decodes a body by its content type; without one, as a form.
  init(_ call: HTTPCall) throws(GraphFault) {
    guard !call.body.isEmpty else { return }
    guard ["", "identity"].contains((call.contentEncoding ?? "").lowercased()) else {
      throw .bodyUnreadable
    }
    let type = HeaderValue(call.contentType ?? "").value
    switch type {
    case "multipart/form-data":
      guard let form = MultipartForm(call.body, contentType: call.contentType ?? "") else {
        throw .bodyUnreadable
      }
      parameters = form.parameters
      files = form.files
    case "application/json":
      guard let object = (try? JSON(parsing: call.body))?.object else { throw .bodyUnreadable }
      for (name, value) in object.members {
        if name == "batch", value.string == nil {
          batch = value
        } else {
          parameters.append(name, value.parameterText)
        }
      }
    default:
      parameters = Parameters(form: call.body)
    }
  }
}
