package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  private static final int EVENTS_OF_A_REQUEST = 5;
  private static final List<String> EXPECTED = List.of("applied", "accepted", "duplicate");

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

  static int members(String board) {
    return Objects.requireNonNull(BOARDS.get(board), board);
  }

  private static String board(int n) {
    return n % 2 == 0 ? "fast" : "safe";
  }

  /** The n-th request has events of that many members, who take turns. */
  private static int member(int n, int k) {
    return (n / 2 * EVENTS_OF_A_REQUEST + k) % members(board(n));
  }

  /** So that no two members have equal points, although one may miss an event of a period. */
  private static long quantity(int member) {
    return (long) (member + 1) * (member + 1);
  }

  @Override
  public String body(int n) {
    return IntStream.range(0, EVENTS_OF_A_REQUEST)
        .mapToObj(k -> event(n, k))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String event(int n, int k) {
    return "{\"id\":\"e%d-%d\",\"member\":\"m%d\",\"action\":\"%s-step\",\"quantity\":%d}"
        .formatted(n, k, member(n, k), board(n), quantity(member(n, k)));
  }

  /** An event that is only accepted is sent again, until the answer names its period. */
  @Override
  public boolean isFinal(int n, String answer) {
    JsonNode outcomes = json.readTree(answer);
    if (outcomes.size() != EVENTS_OF_A_REQUEST
        || !outcomes.valueStream().allMatch(each -> EXPECTED.contains(outcome(each)))) {
      throw new AssertionError(answer);
    }
    boolean isFinal = outcomes.valueStream().noneMatch(each -> outcome(each).equals("accepted"));
    if (isFinal) {
      for (int k = 0; k < EVENTS_OF_A_REQUEST; k++) {
        count(board(n), outcomes.at("/%d/boards/0/period".formatted(k)).asString(), member(n, k));
      }
    }
    return isFinal;
  }

  private static String outcome(JsonNode each) {
    return each.path("outcome").asString();
  }

  private synchronized void count(String board, String period, int member) {
    assertThat(period).as("period of an event of %s", board).isNotEmpty();
    of(points, board, period).merge("m" + member, quantity(member), Long::sum);
    events.computeIfAbsent(board, none -> new HashMap<>()).merge(period, 1, Integer::sum);
    acknowledged.merge(board, 1L, Long::sum);
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
