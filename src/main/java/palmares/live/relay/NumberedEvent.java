package palmares.live.relay;

import palmares.live.board.BoardChange;

/**
 * A delivery with its number among those of its period.
 *
 * @param n 0 if its period takes no more
 */
record NumberedEvent(RelayedEvent delivery, long n) {

  /** Which row of the table it is. */
  record Place(long period, long n) {}

  /** What makes two deliveries one. */
  record Key(long period, String id) {
    static Key of(RelayedEvent delivery) {
      return new Key(delivery.period().value(), delivery.change().id());
    }
  }

  long period() {
    return delivery.period().value();
  }

  BoardChange change() {
    return delivery.change();
  }

  Place place() {
    return new Place(period(), n);
  }

  Key key() {
    return Key.of(delivery);
  }
}
