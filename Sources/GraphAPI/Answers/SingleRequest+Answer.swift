extension SingleRequest {
  /// Parses the HTTP answer to this operation: an answer with one item.
  ///
  /// The same rules apply as to an item of a batch's answer. A redirect is never followed; its
  /// `Location` is left to the caller.
  package func answer(from response: WireResponse) -> BatchAnswer {
    .items([
      .response(
        OperationResponse(
          code: response.status, headers: response.headers, body: ResponseBody(response.body),
          to: operation))
    ])
  }
}
