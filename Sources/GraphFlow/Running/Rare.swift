/// A large value that most have not: where it is not, it costs one word, and copying costs nothing.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
  private indirect enum Storage: Sendable {
    case absent
    case present(Value)
  }

  private var storage: Storage

  init(wrappedValue: Value?) {
    storage = wrappedValue.map(Storage.present) ?? .absent
  }

  var wrappedValue: Value? {
    get {
      guard case .present(let value) = storage else { return nil }
      return value
    }
    set { storage = newValue.map(Storage.present) ?? .absent }
  }
}
