extension SingleRequest {
  /// What an HTTP answer says about the operation: items with one element.
  ///
  /// It is judged as an item of a batch's answer is. A redirect is never followed: the address in it
  /// is for the caller to read.
  package func answer(from response: WireResponse) -> BatchAnswer {
    .items([
      .response(
        OperationResponse(
          code: response.status,
          headers: response.headers,
          body: ResponseBody(response.body),
          to: operation
        )
      )
    ])
  }
}
