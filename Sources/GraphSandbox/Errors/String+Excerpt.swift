extension String {
  /// The text, cut to a length that a message and a header can carry.
  ///
  /// It counts scalars, because one character may have any size.
  var excerpt: String {
    let limit = 200
    guard utf8.count > limit else { return self }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(limit))
    return String(scalars)
  }
}
