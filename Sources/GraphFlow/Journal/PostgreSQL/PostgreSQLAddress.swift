#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The address of a database: a URI of libpq, such as `postgresql://graphflow@db.example/graphflow`.
///
/// A password should be where libpq looks for it: the password file, or `PGPASSWORD`. What the address
/// does not say comes from libpq's variables and files. Without a word about TLS, a host that is not
/// local must have a certificate that the machine trusts.
///
/// Source: PostgreSQL, "libpq — Connection Strings" and "SSL Support".
package struct PostgreSQLAddress: Hashable, Sendable {
  /// The address for messages, without user and password.
  package let place: String
  /// The password that the address holds, which has to be masked.
  package let password: String?
  /// What libpq gets, in order; a later value replaces an earlier one.
  let options: [Parameter]

  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// Whether a text is meant as the address of a database.
  package static func isOne(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// - Throws: `misconfigured` for an address that libpq does not accept, or without libpq.
  package init(_ text: String, environment: [String: String]) throws(JournalError) {
    let library = try LibPQ.shared.get()
    var problem: UnsafeMutablePointer<CChar>?
    guard let parsed = library.parseOptions(text, &problem) else {
      let message = problem.map { String(cString: $0) } ?? "no memory"
      free(problem)
      // The message may quote a part of the address, which may hold a password.
      throw JournalError(
        .misconfigured, path: "the address of the database",
        message: text.contains("@") ? "it cannot be read" : PostgreSQLAddress.line(message))
    }
    defer { library.freeOptions(parsed) }
    var given: [String: String] = [:]
    var option = parsed.assumingMemoryBound(to: LibPQ.Option.self)
    while let keyword = option.pointee.keyword {
      given[String(cString: keyword)] = option.pointee.value.map { String(cString: $0) }
      option += 1
    }
    func value(_ keyword: String, _ variable: String) -> String? {
      (given[keyword] ?? environment[variable]).flatMap { $0.isEmpty ? nil : $0 }
    }
    let host = value("host", "PGHOST") ?? value("hostaddr", "PGHOSTADDR")
    let service = value("service", "PGSERVICE")
    let database = value("dbname", "PGDATABASE") ?? value("user", "PGUSER") ?? ""
    let port = value("port", "PGPORT").map { ":\($0)" } ?? ""
    let shown = host.map { $0.hasPrefix("/") ? "" : $0 } ?? (service == nil ? "" : "service")
    place = "postgresql://\(shown)\(port)/\(host == nil ? service ?? database : database)"
    password = given["password"]
    var options = [
      Parameter(name: "fallback_application_name", value: "graphflow"),
      Parameter(name: "connect_timeout", value: "10"),
      Parameter(name: "tcp_user_timeout", value: "10000"),
      Parameter(name: "dbname", value: text),
      // The events are UTF-8, whatever this process's locale is.
      Parameter(name: "client_encoding", value: "UTF8"),
    ]
    let isLocal = (host ?? "").split(separator: ",").allSatisfy(PostgreSQLAddress.isLocal)
    if !isLocal, value("sslmode", "PGSSLMODE") == nil, service == nil {
      options.insert(Parameter(name: "sslmode", value: "verify-full"), at: 0)
      let own = "\(environment["HOME"] ?? "")/.postgresql/root.crt"
      if value("sslrootcert", "PGSSLROOTCERT") == nil, access(own, R_OK) != 0,
        let bundle = PostgreSQLAddress.bundles.first(where: { access($0, R_OK) == 0 })
      {
        options.insert(Parameter(name: "sslrootcert", value: bundle), at: 0)
      }
    }
    self.options = options
  }

  /// The authorities that the machine trusts: of Debian, of Fedora, and of macOS and Alpine.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]

  private static func isLocal(_ host: Substring) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host.hasPrefix("127.")
      || ["localhost", "::1"].contains(host)
  }

  /// A message of libpq as a fragment on one line.
  static func line(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline)
      .map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
  }
}
