package palmares.crash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What clients send in one day, and what each member must own after it, worked out without any code
 * of the product. No two members have equal points, so that no order depends on a time.
 */
final class Contests {
  /** Boards whose day closes, each with its own way of an event. */
  static final List<String> BOARDS = List.of("fast", "safe", "old");

  private static final String RULES =
      """
      title: The race
      period: day
      actions:
        %1$s-step: { points: 1, max-quantity: 1000 }
        %1$s-like: { points: 1, undo: true }
      max-points: 100000
      retention: 1 days
      rewards:
        - { rule: podium, ranks: { 1: 100, 2-3: 50 } }
        - { rule: each-like, per: %1$s-like, credits: 2 }
      """;

  /** How many places are watched of the board whose moves become facts. */
  static final int WATCHED = 3;

  /** A board of invites, of which chains are withheld until a person has looked at them. */
  static final String INVITES = "invites";

  /** The file of that board. */
  static final String INVITE_RULES =
      """
      title: Invites
      period: day
      durability: committed
      actions: { invite: 1 }
      max-points: 100000
      retention: 1 days
      invites: { action: invite, review: { chain: 2 } }
      rewards: [{ rule: each-invite, per: invite, credits: 10 }]
      """;

  private static final int MEMBERS = 12;
  private static final int MAX_LIKES = 4;

  private final Map<String, List<String>> requests = new TreeMap<>();
  private final Map<String, Map<String, Long>> points = new TreeMap<>();
  private final Map<String, Map<String, Long>> likes = new TreeMap<>();
  private final Map<String, Integer> events = new TreeMap<>();

  /**
   * @param when {@code occurredAt} of the events on the board that goes by it
   */
  Contests(Random random, String day, String when) {
    for (String board : BOARDS) {
      play(board, random, day, board.equals("old") ? ",\"occurredAt\":\"" + when + "\"" : "");
    }
  }

  /** The file of a board. */
  static String rules(String board) {
    return RULES.formatted(board)
        + switch (board) {
          case "safe" -> "durability: committed\n";
          case "old" -> "clock: event\n";
          case "fast" -> "kept-ids: 20\nwatch: { top: [%d], passed: true }\n".formatted(WATCHED);
          default -> "";
        };
  }

  private void play(String board, Random random, String day, String time) {
    var events = new ArrayList<String>();
    var undos = new ArrayList<String>();
    var totals = new ArrayList<Long>();
    for (int i = 0; i < MEMBERS; i++) {
      totals.add(20L * (i + 1) + random.nextInt(20));
    }
    Collections.shuffle(totals, random);
    for (int i = 0; i < MEMBERS; i++) {
      String member = "m" + i;
      String id = "%s-%s-%s-".formatted(board, day, member);
      long count = random.nextInt(MAX_LIKES);
      for (int like = 0; like < MAX_LIKES; like++) {
        String subject = ",\"subject\":\"s%d\"%s".formatted(like, time);
        if (like < count || random.nextBoolean()) {
          events.add(event(id + like, member, board + "-like", subject));
          if (like >= count) {
            undos.add(event(id + like + "u", member, board + "-like", ",\"undo\":true" + subject));
          }
        }
      }
      long steps = totals.get(i) - count;
      events.add(event(id + "s", member, board + "-step", ",\"quantity\":" + steps + time));
      points.computeIfAbsent(board, none -> new TreeMap<>()).put(member, totals.get(i));
      likes.computeIfAbsent(board, none -> new TreeMap<>()).put(member, count);
    }
    Collections.shuffle(events, random);
    var sent = new ArrayList<>(events);
    sent.addAll(undos);
    sent.addAll(events.subList(0, random.nextInt(events.size() / 2)));
    requests.put(board, sent);
    this.events.put(board, events.size() + undos.size());
  }

  private static String event(String id, String member, String action, String fields) {
    return "{\"id\":\"%s\",\"member\":\"%s\",\"action\":\"%s\"%s}"
        .formatted(id, member, action, fields);
  }

  /** Events in the order in which they are sent; repeats of some are among them. */
  List<String> requests(String board) {
    return requests.getOrDefault(board, List.of());
  }

  /** How many events there are, each counted once. */
  int events(String board) {
    return events.getOrDefault(board, 0);
  }

  /** Gives a member other points, as an amendment does. */
  void correct(String board, String member, long corrected) {
    points.getOrDefault(board, Map.of()).put(member, corrected);
  }

  /** Place, member and points, the best first. */
  List<String> lines(String board) {
    List<String> order = order(board);
    var lines = new ArrayList<String>();
    for (int i = 0; i < order.size(); i++) {
      lines.add("%d %s %d".formatted(i + 1, order.get(i), points(board, order.get(i))));
    }
    return lines;
  }

  private long points(String board, String member) {
    return points.getOrDefault(board, Map.of()).getOrDefault(member, 0L);
  }

  private List<String> order(String board) {
    return points.getOrDefault(board, Map.of()).keySet().stream()
        .sorted(Comparator.comparing((String member) -> -points(board, member)))
        .toList();
  }

  /** What each member owns, as {@code member credits}; those without credits are left out. */
  List<String> balances(String board) {
    List<String> order = order(board);
    var balances = new TreeMap<String, Long>();
    for (int i = 0; i < order.size(); i++) {
      String member = order.get(i);
      long prize = i == 0 ? 100 : i < 3 ? 50 : 0;
      long credits = prize + 2 * likes.getOrDefault(board, Map.of()).getOrDefault(member, 0L);
      if (credits > 0) {
        balances.put(member, credits);
      }
    }
    return balances.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
  }
}
