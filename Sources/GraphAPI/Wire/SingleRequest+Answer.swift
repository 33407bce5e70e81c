internal import JSONPath

extension SingleRequest {
  /// What an HTTP answer says about the operation: items with one element, or unreadable.
  ///
  /// A 304, and a redirect that answers a GET (a picture's), are answers of Graph's own; the
  /// address in them is for the caller to read and is never followed.
  public func answer(from response: WireResponse) -> BatchAnswer {
    let status = response.status
    if status == 304 || (300...399).contains(status) && operation.method == .get {
      return .items([item(response, body: .absent)])
    }
    guard !(300...399).contains(status) else {
      return .unreadable(status: status, UnreadableAnswer.redirect.rawValue)
    }
    guard (200...599).contains(status) else {
      return .unreadable(status: status, UnreadableAnswer.oddStatus.rawValue)
    }
    guard response.body.contains(where: { !UnreadableAnswer.isSpace($0) }) else {
      return .unreadable(status: status, UnreadableAnswer.empty.rawValue)
    }
    do {
      _ = try JSON.Document(parsing: response.body)
    } catch {
      return .unreadable(status: status, UnreadableAnswer.text(for: response.body, error))
    }
    return .items([item(response, body: ResponseBody(response.body))])
  }

  private func item(_ response: WireResponse, body: ResponseBody) -> OperationAnswer {
    .response(OperationResponse(code: response.status, headers: response.headers, body: body))
  }
}
