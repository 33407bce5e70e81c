#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// responder ITEM-HEADERS MEDIAN SIGMA SEED WORKERS: prints its address and answers batches until
// standard input is closed. ITEM-HEADERS is yes or no; MEDIAN is in milliseconds, 0 for immediate
// answers; WORKERS is how many calls it works on at a time, 0 for any number.
let words = CommandLine.arguments.dropFirst()
guard words.count == 5, let headers = words.first, headers == "yes" || headers == "no",
  case let numbers = words.dropFirst().compactMap(Double.init), numbers.count == 4
else {
  print("usage: responder yes|no MEDIAN SIGMA SEED WORKERS")
  exit(64)
}
signal(SIGPIPE, SIG_IGN)
let latency = Latency(
  median: numbers[0], sigma: numbers[1], seed: UInt64(numbers[2]), workers: Int(numbers[3]))
guard var server = Server(Answers(hasItemHeaders: headers == "yes"), latency) else {
  print("the responder cannot listen")
  exit(71)
}
print("http://127.0.0.1:\(server.port)")
fflush(nil)
server.serve()
