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
  var json: JSON { secrets.masked(unmasked) }

  private var unmasked: JSON {
    let time = JSON.number(.init(Int(milliseconds)))
    return [
      "startedDateTime": .string(startedAt.description),
      "time": time,
      "request": requestJSON,
      "response": responseJSON,
      "cache": [:],
      "timings": ["send": 0, "wait": time, "receive": 0],
    ]
  }

  private var requestJSON: JSON {
    let (path, query) = Self.parts(of: request.url)
    let parameters = RecordedForm.parameters(ofForm: query)
    var members: JSON.Object = [
      "method": .string(request.method),
      "url": .string(path + text(of: parameters)),
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
        "params": .array(RecordedForm.parameters(of: request.body, type: type).map(json(of:))),
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
        "text": .string(String(decoding: secrets.masked(response.body), as: UTF8.self)),
      ]
    }
    return .object(members)
  }

  private func json(of parameter: RecordedForm.Parameter) -> JSON {
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

  private static func parts(of url: String) -> (path: String, query: String) {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (url, "") }
    return (String(url[..<mark]), String(url[url.utf8.index(after: mark)...]))
  }

  private func text(of parameters: [RecordedForm.Parameter]) -> String {
    guard !parameters.isEmpty else { return "" }
    return "?"
      + parameters.map {
        PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.shown(without: secrets))
      }
      .joined(separator: "&")
  }
}
