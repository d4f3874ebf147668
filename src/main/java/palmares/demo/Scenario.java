package palmares.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What happens on a day, the same at every showing: invitations, coins, reading and writing. */
final class Scenario {
  private static final int ARTICLES = 40;

  private final Random random;
  private final Players players;
  private int events;
  private int newcomers;
  private int articles = ARTICLES;

  Scenario(long seed) {
    random = new Random(seed);
    players = new Players(random);
  }

  /**
   * Something that a member does.
   *
   * @param subject null for what is done to nothing in particular
   */
  record Deed(
      String id,
      Instant at,
      String member,
      String action,
      @Nullable String subject,
      boolean undo,
      int quantity) {}

  /** The deeds from one instant to another, in order. */
  List<Deed> between(Instant start, Instant end) {
    var deeds = new ArrayList<Deed>();
    add(deeds, start, end, "page-view", 150 + random.nextInt(100));
    add(deeds, start, end, "like", 40 + random.nextInt(30));
    add(deeds, start, end, "collect", 10 + random.nextInt(10));
    add(deeds, start, end, "comment", 15 + random.nextInt(15));
    add(deeds, start, end, "follow", 5 + random.nextInt(5));
    add(deeds, start, end, "publish", 1 + random.nextInt(4));
    add(deeds, start, end, "invite", 3 + random.nextInt(8));
    add(deeds, start, end, "coin", 20 + random.nextInt(20));
    deeds.sort(Comparator.comparing(Deed::at));
    return deeds;
  }

  private void add(List<Deed> deeds, Instant start, Instant end, String action, int count) {
    for (int i = 0; i < count; i++) {
      Instant at = within(start, end);
      Deed deed =
          new Deed(
              "demo-" + ++events,
              at,
              players.somebody(),
              action,
              subject(action),
              false,
              action.equals("coin") ? 1 + random.nextInt(20) : 1);
      deeds.add(deed);
      if (regrettable(action) && random.nextInt(8) == 0) {
        deeds.add(regret(deed, within(at, end)));
      }
    }
  }

  private static boolean regrettable(String action) {
    return action.equals("like") || action.equals("collect") || action.equals("follow");
  }

  private Deed regret(Deed deed, Instant at) {
    return new Deed("demo-" + ++events, at, deed.member(), deed.action(), deed.subject(), true, 1);
  }

  private @Nullable String subject(String action) {
    return switch (action) {
      case "invite" -> "newcomer-" + ++newcomers;
      case "publish" -> "article-" + ++articles;
      case "follow" -> players.somebody();
      case "like", "collect" -> "article-" + (1 + random.nextInt(articles));
      default -> null;
    };
  }

  private Instant within(Instant start, Instant end) {
    return start.plusMillis(
        random.nextLong(Math.max(1, end.toEpochMilli() - start.toEpochMilli())));
  }
}
