/// Reads the usage headers of the items of one answer, most of which say the same.
public struct UsageReader: Sendable {
  private var latest: OperationResponse?
  private var usage = Usage()

  /// Starts before the first item.
  public init() {}

  /// The usage in an item's headers; nil where they are those of the item before.
  public mutating func usage(of response: OperationResponse) -> Usage? {
    if let latest, response.repeatsHeaders(of: latest) { return nil }
    latest = response
    usage = response.usage
    return usage
  }

  /// The usage in the headers of the last item that was read.
  public var last: Usage { usage }
}
