import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The shell around webhooks: it sends what the world decides, apart from the answers.
extension SandboxServer {
  /// Sends the deliveries that are due, and wakes up for the next one.
  func deliverWebhooks() {
    let (due, wait) = world.startDeliveries()
    guard !due.isEmpty || wait != nil, !life.withLockedValue(\.isOver) else { return }
    for delivery in due {
      send(delivery.request, on: MultiThreadedEventLoopGroup.singleton.next())
        .whenSuccess { reply in
          world.finishDelivery(delivery.number, reply)
          deliverWebhooks()
        }
    }
    guard let wait else { return }
    life.withLockedValue { life in
      guard !life.isOver else { return }
      life.alarm?.cancel()
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      life.alarm = loop.scheduleTask(in: .seconds(Int64(wait))) { deliverWebhooks() }
    }
  }

  /// Makes handshakes, one after the other, and returns them with their replies.
  func make(_ handshakes: [Handshake], on loop: any EventLoop) -> EventLoopFuture<[Handshake]> {
    handshakes.reduce(loop.makeSucceededFuture([])) { made, handshake in
      made.flatMap { made in
        send(handshake.request, on: loop).map { reply in
          var handshake = handshake
          handshake.reply = reply
          return made + [handshake]
        }
      }
    }
  }

  /// Makes the handshakes of the world file's subscriptions, without which Graph subscribes nobody.
  func verify(_ handshakes: [Handshake]) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    for handshake in try await make(handshakes, on: loop).get() {
      guard let fault = handshake.fault else { continue }
      throw SandboxFailure("'\(handshake.callback)' takes no webhooks: \(fault.message)")
    }
  }

  private func send(
    _ request: CallbackRequest, on loop: any EventLoop
  ) -> EventLoopFuture<CallbackReply> {
    CallbackClient.send(request, trust: trust, on: loop) { register($0) }
  }
}
