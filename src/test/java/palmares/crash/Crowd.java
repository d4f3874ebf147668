package palmares.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * A board of many members, and what they must own: member {@code n} has {@code n} points.
 *
 * @param members how many there are
 */
record Crowd(int members) {
  static final String BOARD = "crowd";

  static final String RULES =
      """
      title: The crowd
      period: day
      actions: { crowd-step: { points: 1, max-quantity: 1000000 } }
      max-points: 1000000
      retention: 1 days
      rewards:
        - { rule: podium, ranks: { 1: 100 } }
        - { rule: everybody, ranks: { 1-1000000: 5 } }
      """;

  private static final int EVENTS_OF_A_REQUEST = 500;

  /** What is sent on a day, a list for each request. */
  List<List<String>> requests(String day) {
    var requests = new ArrayList<List<String>>();
    for (int first = 1; first <= members; first += EVENTS_OF_A_REQUEST) {
      var events = new ArrayList<String>();
      for (int n = first; n < first + EVENTS_OF_A_REQUEST && n <= members; n++) {
        events.add(
            "{\"id\":\"crowd-%s-%d\",\"member\":\"%d\",\"action\":\"crowd-step\",\"quantity\":%d}"
                .formatted(day, n, n, n));
      }
      requests.add(events);
    }
    return requests;
  }

  /** How many lines there are, the sum of their points, and who is first. */
  String lines() {
    return "%d %d %d".formatted(members, members * (members + 1L) / 2, members);
  }

  /** How many members own something, and all that they own. */
  String balances() {
    return "%d %d".formatted(members, 100 + 5L * members);
  }
}
