internal import GraphAPI
internal import JSONPath

extension ImportedWorkflow {
  /// The requests of an HTTP archive of a browser (HAR 1.2) that went to the Graph API.
  ///
  /// http://www.softwareishard.com/blog/har-12-spec/
  package static func archive(_ bytes: [UInt8]) throws(ImportFailure) -> ImportedWorkflow {
    let archive: JSON
    do throws(JSON.SyntaxError) {
      archive = try JSON(parsing: Array(bytes.dropFirst(SourceFile.markLength(of: bytes))))
    } catch {
      throw ImportFailure("the archive is not JSON: \(error)", hint: "export it again")
    }
    guard let entries = archive["log"]?["entries"]?.array else {
      throw ImportFailure(
        "this is no HTTP archive: it has no 'log' with 'entries'",
        hint: "in the browser's developer tools, under Network, choose Save all as HAR")
    }
    var workflow = ImportedWorkflow()
    for (index, entry) in entries.enumerated() {
      guard let request = entry["request"], let address = request["url"]?.string,
        isGraph(address)
      else {
        workflow.leaveOut("request to another host")
        continue
      }
      let method = request["method"]?.string ?? ""
      guard OperationMethod(rawValue: method.uppercased()) != nil else {
        workflow.leaveOut("\(method.short) request")
        continue
      }
      let content = entry["response"]?["content"]
      let answer = content?["encoding"] == nil ? content?["text"]?.string : nil
      do throws(ImportFailure) {
        try workflow.add(
          try message(of: request, method, address),
          answer: answer.flatMap { try? JSON(parsing: $0) })
      } catch {
        guard !error.isAboutSecret else {
          workflow.leaveOut("request with a secret")
          continue
        }
        throw ImportFailure("entry \(index + 1) of the archive: \(error.message)", hint: error.hint)
      }
    }
    guard workflow.count > 0 else {
      throw ImportFailure(
        "none of the archive's \(entries.count) requests went to the Graph API",
        hint: "its hosts are \(GraphAddress.hosts.joined(separator: ", "))")
    }
    workflow.keepUsedInputs()
    return workflow
  }

  private static func isGraph(_ address: String) -> Bool {
    guard let scheme = address.firstRange(of: "://") else { return false }
    let host = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return GraphAddress.isGraph(GraphAddress.host(of: host))
  }

  private static func message(
    of request: JSON, _ method: String, _ address: String
  ) throws(ImportFailure) -> HTTPMessage {
    func clean(_ value: JSON?) -> String { MarkedReference.unmarked(value?.string ?? "") }
    var message = HTTPMessage(method: method, address: MarkedReference.unmarked(address))
    message.headers = (request["headers"]?.array ?? []).map {
      (clean($0["name"]), clean($0["value"]))
    }
    guard let body = request["postData"] else { return message }
    let type = clean(body["mimeType"])
    message.headers.removeAll { $0.name.lowercased() == "content-type" }
    message.headers.append(("content-type", type))
    let parameters = body["params"]?.array ?? []
    // The parameters of a form are encoded in some browsers' archives, its text is in all.
    if let text = body["text"]?.string, !text.isEmpty,
      parameters.isEmpty || !type.contains("multipart")
    {
      try message.add(body: MarkedReference.unmarked(text))
    } else {
      message.fields += parameters.map { parameter in
        let file = parameter["fileName"]
        return HTTPMessage.Field(
          name: clean(parameter["name"]), value: .string(clean(file ?? parameter["value"])),
          isFile: file != nil)
      }
    }
    return message
  }
}
