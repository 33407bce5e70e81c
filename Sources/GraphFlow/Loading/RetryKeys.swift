/// The keys of a `retry` that are written; the others come from elsewhere.
struct RetryKeys {
  /// Whether it is `retry: false`.
  var isOff = false
  var maxAttempts: Int?
  var initialDelay: Duration?
  var multiplier: Double?
  var maxDelay: Duration?
  var jitter: RetryPolicy.Jitter?
  var maxElapsed: Duration?
  var on: [RetryPolicy.Condition]?

  /// The policy of these keys over those of the workflow's defaults, key by key.
  func policy(over defaults: RetryKeys) -> RetryPolicy? {
    if isOff { return nil }
    var policy = RetryPolicy.standard
    for keys in [defaults, self] {
      policy.maxAttempts = keys.maxAttempts ?? policy.maxAttempts
      policy.initialDelay = keys.initialDelay ?? policy.initialDelay
      policy.multiplier = keys.multiplier ?? policy.multiplier
      policy.maxDelay = keys.maxDelay ?? policy.maxDelay
      policy.jitter = keys.jitter ?? policy.jitter
      policy.maxElapsed = keys.maxElapsed ?? policy.maxElapsed
      policy.on = keys.on ?? policy.on
    }
    return policy
  }
}
