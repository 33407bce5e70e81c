// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "graphflow", platforms: [.macOS(.v15)],
  products: [
    .executable(name: "graphflow", targets: ["GraphFlowCLI"]),
    .library(name: "GraphFlow", targets: ["GraphFlow"]),
    .library(name: "GraphAPI", targets: ["GraphAPI"]),
    .library(name: "GraphSandbox", targets: ["GraphSandbox"]),
    .library(name: "JSONPath", targets: ["JSONPath"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "JSONPath", swiftSettings: settings),
    .target(
      name: "GraphAPI",
      dependencies: [
        "JSONPath",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: settings),
    .target(
      name: "GraphFlow",
      dependencies: [
        "CLibYAML", "CSQLite", "GraphAPI", "JSONPath",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      resources: [
        .embedInCode("Workflow/Dates/time-zones.txt"), .embedInCode("Reporting/Page"),
        .embedInCode("Loading/Rules/retired.txt"), .embedInCode("Loading/Rules/permissions.txt"),
      ], swiftSettings: settings),
    .target(
      name: "GraphSandbox",
      dependencies: [
        "JSONPath",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      resources: [
        .embedInCode("Audience/metrics.txt"), .embedInCode("Audience/retired.txt"),
        .embedInCode("Catalog/graph.txt"), .embedInCode("Page/Assets"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "GraphFlowCLI",
      dependencies: [
        "CLinux", "GraphAPI", "GraphFlow", "GraphSandbox", "JSONPath",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // In the code rather than in a bundle: the command is one file, wherever it is put.
      resources: [.embedInCode("Resources")], swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: [
        "JSONPath",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], path: "Tests/TestSupport", exclude: ["Certificates"], swiftSettings: settings),
    .testTarget(
      name: "JSONPathTests", dependencies: ["JSONPath", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "GraphAPITests",
      dependencies: [
        "GraphAPI", "JSONPath", "TestSupport",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: settings),
    .testTarget(
      name: "GraphFlowTests", dependencies: ["GraphAPI", "GraphFlow", "JSONPath", "TestSupport"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "GraphSandboxTests",
      dependencies: [
        "GraphSandbox", "JSONPath", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: settings),
    .target(
      name: "SimulatedWorld", dependencies: ["GraphAPI", "GraphFlow", "JSONPath"],
      path: "Tests/SimulatedWorld", swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["SimulatedWorld"], path: "Tests/Simulate",
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["GraphFlow", "SimulatedWorld", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "CommandHarness", dependencies: ["GraphAPI", "JSONPath", "TestSupport"],
      path: "Tests/CommandHarness", swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CommandHarness", "GraphAPI", "GraphFlow", "GraphFlowCLI", "GraphSandbox", "JSONPath",
        "TestSupport",
      ], exclude: ["Golden"], swiftSettings: settings),
    // What interposes libc, traces system calls, or damages files of a killed run: slow, and with
    // nothing else beside it that needs the time.
    .testTarget(
      name: "SystemTests",
      dependencies: ["CommandHarness", "GraphAPI", "GraphFlow", "JSONPath", "TestSupport"],
      swiftSettings: settings),
  ], swiftLanguageModes: [.v6])
