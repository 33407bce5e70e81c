import GraphAPI

/// A transport that records requests and answers.
struct RecordingTransport: Transport {
  let base: any Transport
  let recorder: ExchangeRecorder

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    let ticket = recorder.beginCall()
    do throws(TransportFailure) {
      let response = try await base.send(request, timeout: timeout)
      recorder.endCall(ticket, request, .success(response))
      return response
    } catch {
      recorder.endCall(ticket, request, .failure(error))
      throw error
    }
  }
}

extension Transport {
  func recorded(by recorder: ExchangeRecorder?) -> any Transport {
    guard let recorder else { return self }
    return RecordingTransport(base: self, recorder: recorder)
  }
}
