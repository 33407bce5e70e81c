/// A node on a page of the model.
struct Node: Sendable {
  let id: String
  let message: String
  /// Who posted it: `us` or `them`.
  let author: String
  /// Milliseconds since 1970.
  let createdAt: Int
  /// The time from which reads show it.
  let visibleFrom: Duration
  /// The order among nodes of the same time.
  let number: Int

  /// The node in an answer.
  var value: Value {
    .object(
      ("id", .text(id)), ("message", .text(message)), ("created_time", .text(Node.text(createdAt))),
      ("from", .object(("id", .text(author)))))
  }

  /// A time in Graph's format: `2026-11-21T03:27:41+0000`.
  static func text(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    var days = seconds / 86_400
    var year = 1970
    while days >= length(of: year) {
      days -= length(of: year)
      year += 1
    }
    var month = 1
    while days >= length(of: month, year) {
      days -= length(of: month, year)
      month += 1
    }
    let rest = seconds % 86_400
    return "\(year)-\(padded(month))-\(padded(days + 1))T"
      + "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))+0000"
  }

  /// A time in the format of HTTP headers; the client ignores the name of the day.
  static func httpDate(_ milliseconds: Int) -> String {
    let text = Node.text(milliseconds)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let month = months[(Int(text.dropFirst(5).prefix(2)) ?? 1) - 1]
    return "Sun, \(text.dropFirst(8).prefix(2)) \(month) \(text.prefix(4)) "
      + "\(text.dropFirst(11).prefix(8)) GMT"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func length(of month: Int, _ year: Int) -> Int {
    month == 2 && isLeap(year) ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
