import GraphFlow

/// The clock for ids and for people; delays use a monotonic clock.
enum WallClock {
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }

  /// Whole seconds since 1970, as the sandbox's world counts.
  static func seconds() -> Int { Int(now().milliseconds / 1000) }
}
