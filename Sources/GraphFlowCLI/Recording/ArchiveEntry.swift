import GraphAPI
import GraphFlow
import JSONPath

/// An exchange as an entry of an HTTP archive (HAR 1.2), without secrets.
///
/// http://www.softwareishard.com/blog/har-12-spec/#entries. Unknown sizes are -1, as in the
/// specification; members of our own begin with an underscore.
struct ArchiveEntry {
  let startedAt: Timestamp
  let milliseconds: Int64
  let request: WireRequest
  let result: Result<WireResponse, TransportFailure>
  let secrets: SecretMask
  /// The operations whose answers are left out, by their positions in the batch.
  let omitted: Set<Int>

  var json: JSON {
    let time = JSON.number(.init(Int(milliseconds)))
    return secrets.masked([
      "startedDateTime": .string(startedAt.description),
      "time": time,
      "request": requestJSON,
      "response": responseJSON,
      "cache": [:],
      "timings": ["send": 0, "wait": time, "receive": 0],
    ])
  }

  /// The exchange for people: what was sent after `>`, what was received after `<`.
  var text: String {
    func lines(_ mark: String, _ head: String, _ message: JSON?, _ body: [String]) -> [String] {
      let headers = message?["headers"]?.array ?? []
      let fields = headers.map { "\($0["name"]?.string ?? ""): \($0["value"]?.string ?? "")" }
      let rest = body.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      return ([head] + fields + (rest.isEmpty ? [] : [""]) + rest.map { String($0) })
        .map { $0.isEmpty ? mark : "\(mark) \($0)" }
    }
    let (request, response) = (json["request"], json["response"])
    let parameters = request?["postData"]?["params"]?.array ?? []
    let form = parameters.map { parameter in
      let value = parameter["value"]?.string ?? "file \(parameter["fileName"]?.string ?? "")"
      return "\(parameter["name"]?.string ?? "")=\(value)"
    }
    let address = "\(request?["method"]?.string ?? "") \(request?["url"]?.string ?? "")"
    let status = response?["_error"]?.string ?? "status \(response?["status"]?.integer ?? 0)"
    let body = response?["content"]?["text"]?.string ?? ""
    return
      (lines(">", address, request, form)
      + lines("<", "\(status) after \(milliseconds) ms", response, body.isEmpty ? [] : [body]))
      .joined(separator: "\n")
  }

  private var requestJSON: JSON {
    let (path, query) = (
      request.url.prefix { $0 != "?" }, request.url.drop { $0 != "?" }.dropFirst()
    )
    let parameters = FormFields.fields(ofForm: String(query))
    let shown = parameters.map {
      PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.shown(without: secrets))
    }
    var members: JSON.Object = [
      "method": .string(request.method),
      "url": .string(String(path) + (shown.isEmpty ? "" : "?") + shown.joined(separator: "&")),
      "httpVersion": "HTTP/1.1",
      "cookies": [],
      "headers": json(of: request.headers),
      "queryString": .array(
        parameters.map { ["name": .string($0.name), "value": .string($0.shown(without: secrets))] }),
      "headersSize": -1,
      "bodySize": .number(.init(request.body.count)),
    ]
    if !request.body.isEmpty {
      let type = request.headers["Content-Type"] ?? ""
      members["postData"] = [
        "mimeType": .string(type),
        "params": .array(FormFields.fields(of: request.body, type: type).map(json(of:))),
      ]
    }
    return .object(members)
  }

  private var responseJSON: JSON {
    var members: JSON.Object = [
      "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
      "content": ["size": 0, "mimeType": ""], "redirectURL": "", "headersSize": -1,
      "bodySize": -1,
    ]
    switch result {
    case .failure(let failure):
      members["_error"] = .string("\(failure.kind.rawValue): \(failure.message)")
    case .success(let response):
      members["status"] = .number(.init(response.status))
      members["headers"] = json(of: response.headers)
      members["bodySize"] = .number(.init(response.body.count))
      members["content"] = [
        "size": .number(.init(response.body.count)),
        "mimeType": .string(response.headers["Content-Type"] ?? ""),
        "text": .string(String(decoding: secrets.masked(shown(response.body)), as: UTF8.self)),
      ]
    }
    return .object(members)
  }

  /// A body without the answers that are left out; the answer to a single operation is left out whole.
  private func shown(_ body: [UInt8]) -> [UInt8] {
    if omitted.isEmpty { return body }
    guard let items = (try? JSON(parsing: body))?.array else { return [] }
    let shown = items.enumerated().map { index, item in
      guard omitted.contains(index), var item = item.object else { return item }
      item["body"] = .null
      return .object(item)
    }
    return Array(JSON.array(shown).serialized().utf8)
  }

  private func json(of parameter: FormFields.Field) -> JSON {
    var members: JSON.Object = ["name": .string(parameter.name)]
    if let fileName = parameter.fileName {
      // The content of a file is not recorded.
      members["fileName"] = .string(fileName)
    } else {
      members["value"] = .string(parameter.shown(without: secrets))
    }
    return .object(members)
  }

  /// Headers, without those that authorize.
  private func json(of headers: [HeaderField]) -> JSON {
    .array(
      headers.map { field in
        let isSecret = ["authorization", "cookie", "set-cookie", "proxy-authorization"]
          .contains(field.name.lowercased())
        let shown = isSecret ? "***" : secrets.masked(field.value)
        return ["name": .string(field.name), "value": .string(shown)]
      })
  }
}

extension FormFields.Field {
  /// The value without secrets; JSON stays JSON.
  fileprivate func shown(without secrets: SecretMask) -> String {
    if Redaction.isSecretName(name) { return value.isEmpty ? "" : "***" }
    return String(decoding: secrets.masked(Array(value.utf8)), as: UTF8.self)
  }
}
