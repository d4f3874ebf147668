package palmares.crash;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What callers of {@link SoakTest} send, and what each member must own after a period, worked out
 * of the answers alone and without any code of the product.
 */
final class SoakModel implements Callers.Bodies, Callers.Answers {
  /** Boards, each with the number of its members; the big one has outcomes in own tables. */
  static final Map<String, Integer> BOARDS = Map.of("fast", 40, "safe", 20);

  /** From how many members on an outcome has its own tables. */
  static final int OWN_TABLES_FROM = 30;

  private static final String RULES =
      """
      title: The race
      period: day
      actions: { %1$s-step: { points: 1, max-quantity: 10000 } }
      max-points: 100000000
      retention: 1 days
      rewards:
        - { rule: podium, ranks: { 1: 100, 2-3: 50 } }
        - { rule: thanks, taking-part: 5 }
      """;

  private final JsonMapper json = new JsonMapper();
  private final Map<String, Map<String, Map<String, Long>>> points = new HashMap<>();
  private final Map<String, Map<String, Integer>> events = new HashMap<>();
  private final Map<String, Long> acknowledged = new HashMap<>();

  /** The file of a board. Of one, a person approves each payout; the other has watched ranks. */
  static String rules(String board) {
    return RULES.formatted(board)
        + (board.equals("safe")
            ? "durability: committed\npayout: { approval: required }\n"
            : "watch: { top: [3] }\n");
  }

  private static String board(int n) {
    return n % 2 == 0 ? "fast" : "safe";
  }

  private static int member(int n) {
    return n / 2 % BOARDS.get(board(n));
  }

  /** So that no two members have equal points, although one may miss an event of a period. */
  private static long quantity(int member) {
    return (long) (member + 1) * (member + 1);
  }

  @Override
  public String body(int n) {
    return "{\"id\":\"e%d\",\"member\":\"m%d\",\"action\":\"%s-step\",\"quantity\":%d}"
        .formatted(n, member(n), board(n), quantity(member(n)));
  }

  @Override
  public synchronized boolean isFinal(int n, String answer) {
    JsonNode outcome = json.readTree(answer);
    if (outcome.path("outcome").asString().equals("accepted")) {
      return false; // It is sent again until it counts.
    }
    JsonNode counted = outcome.path("boards").path(0);
    String period = counted.path("period").asString();
    if (period.isEmpty() || !counted.path("board").asString().equals(board(n))) {
      throw new AssertionError(answer);
    }
    of(points, board(n), period).merge("m" + member(n), quantity(member(n)), Long::sum);
    events.computeIfAbsent(board(n), none -> new HashMap<>()).merge(period, 1, Integer::sum);
    acknowledged.merge(board(n), 1L, Long::sum);
    return true;
  }

  private static Map<String, Long> of(
      Map<String, Map<String, Map<String, Long>>> all, String board, String period) {
    return all.computeIfAbsent(board, none -> new HashMap<>())
        .computeIfAbsent(period, none -> new TreeMap<>());
  }

  /** How many events were acknowledged of a board. */
  synchronized long acknowledged(String board) {
    return acknowledged.getOrDefault(board, 0L);
  }

  /** How many events were acknowledged of all. */
  synchronized long acknowledged() {
    return acknowledged.values().stream().mapToLong(each -> each).sum();
  }

  /** How many events count in a period. */
  synchronized int events(String board, String period) {
    return events.getOrDefault(board, Map.of()).getOrDefault(period, 0);
  }

  /** Gives a member other points, as an amendment does. */
  synchronized void correct(String board, String period, String member, long corrected) {
    of(points, board, period).put(member, corrected);
  }

  /** Takes a member out of the lines, as an exclusion of one that is hidden does. */
  synchronized void hide(String board, String period, String member) {
    of(points, board, period).remove(member);
  }

  /** Place, member and points, the best first. */
  synchronized List<String> lines(String board, String period) {
    Map<String, Long> of = of(points, board, period);
    List<String> order = order(of);
    var lines = new ArrayList<String>();
    for (int i = 0; i < order.size(); i++) {
      lines.add("%d %s %d".formatted(i + 1, order.get(i), of.get(order.get(i))));
    }
    return lines;
  }

  /** What each member owns of a period, as {@code member credits}. */
  synchronized List<String> balances(String board, String period) {
    List<String> order = order(of(points, board, period));
    var balances = new TreeMap<String, Integer>();
    for (int i = 0; i < order.size(); i++) {
      balances.put(order.get(i), 5 + (i == 0 ? 100 : i < 3 ? 50 : 0));
    }
    return balances.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
  }

  private static List<String> order(Map<String, Long> points) {
    return points.keySet().stream()
        .sorted(Comparator.comparing((String member) -> -points.getOrDefault(member, 0L)))
        .toList();
  }

  /** Forgets a period that was compared for the last time. */
  synchronized void forget(String board, String period) {
    points.getOrDefault(board, Map.of()).remove(period);
    events.getOrDefault(board, Map.of()).remove(period);
  }
}
