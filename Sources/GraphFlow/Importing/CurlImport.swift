internal import GraphAPI
internal import JSONPath

extension ImportedWorkflow {
  /// The requests of command lines of curl (https://curl.se/docs/manpage.html).
  ///
  /// Other commands on the lines, such as `| jq`, are left out.
  package static func curl(_ text: String) throws(ImportFailure) -> ImportedWorkflow {
    var words = ShellWords(text)
    var workflow = ImportedWorkflow()
    var isFound = false
    for command in try words.commands() {
      guard ["curl", "curl.exe"].contains(command[0].split(separator: "/").last) else {
        workflow.leaveOut("command '\(command[0].short)'")
        continue
      }
      isFound = true
      var reader = CurlOptions()
      let message = try reader.message(command.dropFirst())
      try workflow.add(message)
      workflow.notes += reader.notes
    }
    guard isFound else {
      throw ImportFailure(
        "this is no command line of curl",
        hint: text.contains("://") && !text.contains("curl")
          ? "an address is for --from-explorer"
          : "such as: curl -X GET 'https://graph.facebook.com/me'")
    }
    workflow.inputs += words.inputs
    workflow.keepUsedInputs()
    return workflow
  }

  /// The request of an address, or of one of the Graph API Explorer.
  package static func address(_ text: String) throws(ImportFailure) -> ImportedWorkflow {
    let text = MarkedReference.unmarked(text)
    let page = "developers.facebook.com/tools/explorer"
    var message = HTTPMessage(method: "GET", address: text)
    if let place = text.firstRange(of: page) {
      let query = text[place.upperBound...].drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
      let fields = FormFields.fields(ofForm: String(query))
      func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
      guard let path = value("path") else {
        throw ImportFailure(
          "the Explorer's address has no 'path'", hint: "choose a path there, then copy the address"
        )
      }
      message.method = value("method") ?? "GET"
      let version = value("version").map { "\($0)/" } ?? ""
      message.address = "https://\(GraphAddress.hosts[0])/\(version)" + path.drop { $0 == "/" }
    }
    var workflow = ImportedWorkflow()
    try workflow.add(message)
    if message.method != "GET" {
      workflow.notes.append(
        "the address holds no parameters of a \(message.method); add its params")
    }
    workflow.keepUsedInputs()
    return workflow
  }
}

/// Reads the words of one command line of curl.
struct CurlOptions {
  /// What was ignored.
  private(set) var notes: [String] = []
  private var method: String?
  private var addresses: [String] = []
  private var headers: [(name: String, value: String)] = []
  /// The parts of a form's body, still encoded.
  private var data: [String] = []
  private var json = ""
  private var fields: [HTTPMessage.Field] = []
  private var isGet = false

  /// Short options, and their long names.
  private static let short: [Character: String] = [
    "X": "request", "H": "header", "d": "data", "F": "form", "G": "get", "b": "cookie",
    "u": "user", "o": "output", "A": "user-agent", "e": "referer", "m": "max-time",
    "w": "write-out", "c": "cookie-jar", "x": "proxy", "D": "dump-header", "i": "include",
    "s": "silent", "S": "show-error", "v": "verbose", "k": "insecure", "L": "location",
    "f": "fail", "#": "progress-bar", "g": "globoff", "N": "no-buffer", "O": "remote-name",
    "4": "ipv4", "6": "ipv6", "0": "http1.0", "1": "tlsv1", "j": "junk-session-cookies",
    "q": "disable", "E": "cert", "I": "head",
  ]
  /// Options that change what is sent, all with a value.
  private static let sent: Set<String> = [
    "request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json",
    "form", "form-string", "url", "url-query",
  ]
  /// Options with a value that change nothing of the request.
  private static let harmless: Set<String> = [
    "output", "user-agent", "referer", "max-time", "connect-timeout", "retry", "retry-delay",
    "retry-max-time", "write-out", "cookie-jar", "cookie", "user", "oauth2-bearer", "proxy",
    "proxy-user", "resolve", "limit-rate", "dump-header", "cacert", "capath", "cert", "key",
    "ciphers", "interface", "stderr", "trace", "trace-ascii", "max-redirs", "tls-max", "noproxy",
  ]
  private static let flags: Set<String> = [
    "get", "include", "silent", "show-error", "verbose", "insecure", "location", "fail",
    "fail-with-body", "fail-early", "progress-bar", "no-progress-meter", "globoff", "no-buffer",
    "remote-name", "ipv4", "ipv6", "junk-session-cookies", "disable", "compressed", "http1.0",
    "http1.1", "http2", "http3", "tlsv1", "tlsv1.2", "tlsv1.3", "path-as-is", "basic",
    "tr-encoding", "no-keepalive", "create-dirs", "location-trusted", "ssl-no-revoke",
  ]

  mutating func message(_ words: ArraySlice<String>) throws(ImportFailure) -> HTTPMessage {
    var words = words
    while let word = words.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        try read(String(word.dropFirst(2)), as: word, value: nil, &words)
      } else if word.hasPrefix("-"), word.count > 1, word != "--" {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          let name = Self.short[letter] ?? ""
          let takesValue = Self.sent.contains(name) || Self.harmless.contains(name)
          let value = takesValue && !letters.isEmpty ? String(letters) : nil
          try read(name, as: "-\(letter)", value: value, &words)
          if takesValue { break }
        }
      } else if word != "--" {
        addresses.append(word)
      }
    }
    return try message()
  }

  private mutating func read(
    _ name: String, as shown: String, value: String?, _ words: inout ArraySlice<String>
  ) throws(ImportFailure) {
    if Self.flags.contains(name) {
      if name == "get" { isGet = true }
      return
    }
    guard Self.sent.contains(name) || Self.harmless.contains(name) else {
      throw ImportFailure(
        "curl's option \(shown.short) may change what is sent, and is not known here",
        hint: name == "head"
          ? "Graph has GET, POST and DELETE" : "remove it, or write the request by hand")
    }
    guard let value = value ?? words.popFirst() else {
      throw ImportFailure("curl's option \(shown) has no value", hint: "is the line complete?")
    }
    switch name {
    case "request": method = value
    case "url": addresses.append(value)
    case "header":
      let name = value.prefix { $0 != ":" }
      let text = value.dropFirst(name.count + 1).drop { $0 == " " }
      headers.append((String(name), String(text)))
    case "data-urlencode": data.append(try encoded(value))
    case "url-query": addresses.append("?" + (try encoded(value)))
    case "data-raw": data.append(value)
    case "data", "data-ascii", "data-binary":
      data.append(try withoutFile(value, shown, isFile: value.hasPrefix("@")))
    case "json": json += try withoutFile(value, shown, isFile: value.hasPrefix("@"))
    case "form", "form-string": try readForm(value, shown, isText: name == "form-string")
    case "cookie": headers.append(("Cookie", ""))
    case "user", "oauth2-bearer": headers.append(("Authorization", ""))
    default:
      notes.append("curl's option \(shown.short) was ignored; it changes nothing that is sent")
    }
  }

  private func withoutFile(
    _ value: String, _ option: String, isFile: Bool
  ) throws(ImportFailure) -> String {
    guard isFile else { return value }
    throw ImportFailure(
      "\(option.short) takes its data from a file: '\(value.short)'",
      hint: "write the content of the file instead")
  }

  /// The value of `--data-urlencode`: `content`, `=content`, `name=content`, or a file.
  private func encoded(_ value: String) throws(ImportFailure) -> String {
    let name = value.prefix { $0 != "=" && $0 != "@" }
    let text = value.dropFirst(name.count)
    _ = try withoutFile(value, "--data-urlencode", isFile: text.hasPrefix("@"))
    if text.isEmpty { return PercentEncoding.encodedMarked(value) }
    let content = PercentEncoding.encodedMarked(String(text.dropFirst()))
    return name.isEmpty ? content : name + "=" + content
  }

  private mutating func readForm(
    _ value: String, _ option: String, isText: Bool
  ) throws(ImportFailure) {
    let name = String(value.prefix { $0 != "=" })
    guard name.utf8.count < value.utf8.count, !name.isEmpty else {
      throw ImportFailure(
        "\(option.short) takes NAME=VALUE, but is '\(value.short)'",
        hint: "such as -F message=Hello")
    }
    var text = String(value.dropFirst(name.count + 1))
    var isFile = false
    if !isText {
      _ = try withoutFile(value, option, isFile: text.hasPrefix("<"))
      isFile = text.hasPrefix("@")
      if isFile { text.removeFirst() }
      if text.hasPrefix("\"") {
        text = Self.unquoted(text)
      } else if isFile || text.contains(";type=") {
        text = String(text.prefix { $0 != ";" })
      }
      _ = try withoutFile(value, option, isFile: isFile && (text == "-" || text.isEmpty))
    }
    fields.append(HTTPMessage.Field(name: name, value: .string(text), isFile: isFile))
  }

  /// A value of `-F` in quotes, in which a backslash escapes quotes and backslashes.
  private static func unquoted(_ text: String) -> String {
    var rest = text.dropFirst()
    var plain = ""
    while let character = rest.popFirst(), character != "\"" {
      plain.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
    }
    return plain
  }

  private func message() throws(ImportFailure) -> HTTPMessage {
    let queries = addresses.filter { $0.hasPrefix("?") }.map { $0.dropFirst() }
    let places = addresses.filter { !$0.hasPrefix("?") }
    guard places.count == 1, let place = places.first else {
      throw ImportFailure(
        places.isEmpty ? "the line has no URL" : "the line has \(places.count) URLs",
        hint: places.count > 1
          ? "'\(places[1].short)' may need quotes" : "such as 'https://graph.facebook.com/v25.0/me'"
      )
    }
    let hasBody = !data.isEmpty || !json.isEmpty || !fields.isEmpty
    var message = HTTPMessage(
      method: method ?? (isGet || !hasBody ? "GET" : "POST"),
      address: String(place.prefix { $0 != "#" }), headers: headers)
    let query = queries.map(String.init) + (isGet ? data : [])
    if !query.isEmpty {
      message.address += (place.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }
    message.fields = fields
    if !json.isEmpty {
      message.headers.append(("Content-Type", "application/json"))
      try message.add(body: json)
    } else if !isGet, !data.isEmpty {
      try message.add(body: data.joined(separator: "&"))
    }
    return message
  }
}

extension PercentEncoding {
  /// The text encoded, with its marked references unchanged.
  fileprivate static func encodedMarked(_ text: String) -> String {
    text.unicodeScalars.map { MarkedReference.isMark($0) ? String($0) : encoded(String($0)) }
      .joined()
  }
}
