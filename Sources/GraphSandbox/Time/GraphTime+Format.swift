extension GraphTime {
  /// Writes a time in a format of PHP's `date`, which `date_format` takes; in UTC.
  ///
  /// Source: the PHP manual, "DateTimeInterface::format". Characters that are not of a format, and
  /// those after a backslash, are written as they are.
  static func text(_ seconds: Int, format: String) -> String {
    var output = ""
    var isEscaped = false
    for character in format.prefix(200) {
      if isEscaped || character == "\\" {
        if isEscaped { output.append(character) }
        isEscaped = !isEscaped
      } else {
        output += part(character, of: seconds) ?? String(character)
      }
    }
    return output
  }

  private static func part(_ character: Character, of seconds: Int) -> String? {
    let (year, month, day) = date(days: seconds / 86_400)
    let hour = seconds / 3_600 % 24
    let (minute, second) = (seconds / 60 % 60, seconds % 60)
    switch character {
    case "U": return String(seconds)
    case "c": return Self.day(seconds) + "T" + clock(seconds) + "+00:00"
    case "r": return text(seconds, format: "D, d M Y H:i:s O")
    case "Y", "o": return padded(year, 4)
    case "y": return padded(year % 100, 2)
    case "m": return padded(month, 2)
    case "n": return String(month)
    case "M": return months[month - 1]
    case "F": return monthNames[month - 1]
    case "d": return padded(day, 2)
    case "j": return String(day)
    case "S":
      let suffixes = [1: "st", 2: "nd", 3: "rd"]
      return (11...13).contains(day) ? "th" : suffixes[day % 10] ?? "th"
    case "D": return String(weekday(seconds).prefix(3))
    case "l": return weekday(seconds)
    case "N": return String((seconds / 86_400 + 3) % 7 + 1)
    case "w": return String((seconds / 86_400 + 4) % 7)
    case "H": return padded(hour, 2)
    case "G": return String(hour)
    case "h": return padded((hour + 11) % 12 + 1, 2)
    case "g": return String((hour + 11) % 12 + 1)
    case "i": return padded(minute, 2)
    case "s": return padded(second, 2)
    case "a": return hour < 12 ? "am" : "pm"
    case "A": return hour < 12 ? "AM" : "PM"
    case "O": return "+0000"
    case "P": return "+00:00"
    case "e", "T": return "UTC"
    case "Z", "I": return "0"
    default: return nil
    }
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
