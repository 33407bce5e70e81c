/// The instances of requests that a report keeps, and their places.
///
/// A run looks up instances several times for each operation. Within a session an item keeps its
/// position, and numbers are hashed fast; once positions may have changed, keys are looked up instead.
struct ReportInstances: Sendable {
  /// In the order in which they first appeared, as long as none was removed.
  private(set) var all: [Report.Request] = []
  private var placesByNumber = NumberMap<Int>()
  /// Nil as long as positions are looked up.
  private var placesByKey: [InstanceID: Int]?

  var count: Int { all.count }

  subscript(place: Int) -> Report.Request {
    get { all[place] }
    @inline(__always) _modify { yield &all[place] }
  }

  /// From now on items are looked up by their keys.
  mutating func lookUpKeys() {
    guard placesByKey == nil else { return }
    placesByNumber = NumberMap()
    placesByKey = [:]
    for (place, instance) in all.enumerated() { placesByKey?[instance.id] = place }
  }

  /// The place of an instance; nil if it is not kept.
  mutating func place(of request: Int, _ item: ItemID?) -> Int? {
    if placesByKey == nil {
      guard let place = placesByNumber[Self.number(of: request, item)] else { return nil }
      // Through a span, because an array would return a copy.
      let (known, knownItem) = (all.span[place].index, all.span[place].item)
      if known == request, knownItem?.key == item?.key { return place }
      lookUpKeys()
    }
    return placesByKey?[InstanceID(request: request, item: item)]
  }

  /// Replaces the item of an instance, whose position may have changed.
  mutating func update(_ item: ItemID?, at place: Int) {
    if all.span[place].item?.index != item?.index { all[place].item = item }
  }

  /// Appends an instance that is not kept yet, and returns its place.
  mutating func append(_ instance: consuming Report.Request) -> Int {
    setPlace(of: instance.index, instance.item, to: count)
    all.append(instance)
    return count - 1
  }

  /// Removes an instance; the last one takes its place.
  mutating func remove(at place: Int) -> Report.Request {
    // Through a buffer, because an array would copy both.
    all.withUnsafeMutableBufferPointer { $0.swapAt(place, $0.count - 1) }
    let removed = all.removeLast()
    setPlace(of: removed.index, removed.item, to: nil)
    if place < count { setPlace(of: all.span[place].index, all.span[place].item, to: place) }
    return removed
  }

  mutating func keepOnly(_ kept: [Report.Request]) {
    all = kept
    placesByNumber = NumberMap()
    if placesByKey != nil { placesByKey = [:] }
    for (place, instance) in kept.enumerated() {
      setPlace(of: instance.index, instance.item, to: place)
    }
  }

  private mutating func setPlace(of request: Int, _ item: ItemID?, to place: Int?) {
    if placesByKey == nil {
      placesByNumber[Self.number(of: request, item)] = place
    } else {
      placesByKey?[InstanceID(request: request, item: item)] = place
    }
  }

  /// The number of an instance; different ones may have the same number only if positions are invalid.
  private static func number(of request: Int, _ item: ItemID?) -> Int {
    request &+ ((item?.index ?? -1) &+ 1) &<< 32
  }
}
