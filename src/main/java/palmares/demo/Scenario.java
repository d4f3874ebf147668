package palmares.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Generates the events of a day, the same in every run of the demo. */
final class Scenario {
  private static final int ARTICLES = 40;

  private final Random random;
  private final Players players;
  private int lastId;
  private int newcomers;
  private int articles = ARTICLES;

  Scenario(long seed) {
    random = new Random(seed);
    players = new Players(random);
  }

  /**
   * An event of the demo, as it is sent.
   *
   * @param at when it is sent
   * @param subject null for actions without a subject
   */
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  record Event(
      String id,
      @JsonIgnore Instant at,
      String member,
      String action,
      @Nullable String subject,
      boolean undo,
      int quantity) {}

  /** The events from one time to another, in order. */
  List<Event> between(Instant start, Instant end) {
    var events = new ArrayList<Event>();
    add(events, start, end, "page-view", 150 + random.nextInt(100));
    add(events, start, end, "like", 40 + random.nextInt(30));
    add(events, start, end, "collect", 10 + random.nextInt(10));
    add(events, start, end, "comment", 15 + random.nextInt(15));
    add(events, start, end, "follow", 5 + random.nextInt(5));
    add(events, start, end, "publish", 1 + random.nextInt(4));
    add(events, start, end, "invite", 3 + random.nextInt(8));
    add(events, start, end, "coin", 20 + random.nextInt(20));
    events.sort(Comparator.comparing(Event::at));
    return events;
  }

  private void add(List<Event> events, Instant start, Instant end, String action, int count) {
    for (int i = 0; i < count; i++) {
      Instant at = within(start, end);
      Event event =
          new Event(
              "demo-" + ++lastId,
              at,
              players.pick(),
              action,
              subject(action),
              false,
              action.equals("coin") ? 1 + random.nextInt(20) : 1);
      events.add(event);
      if (isUndoable(action) && random.nextInt(8) == 0) {
        events.add(undo(event, within(at, end)));
      }
    }
  }

  private static boolean isUndoable(String action) {
    return action.equals("like") || action.equals("collect") || action.equals("follow");
  }

  private Event undo(Event event, Instant at) {
    return new Event(
        "demo-" + ++lastId, at, event.member(), event.action(), event.subject(), true, 1);
  }

  private @Nullable String subject(String action) {
    return switch (action) {
      case "invite" -> "newcomer-" + ++newcomers;
      case "publish" -> "article-" + ++articles;
      case "follow" -> players.pick();
      case "like", "collect" -> "article-" + (1 + random.nextInt(articles));
      default -> null;
    };
  }

  private Instant within(Instant start, Instant end) {
    return start.plusMillis(
        random.nextLong(Math.max(1, end.toEpochMilli() - start.toEpochMilli())));
  }

  /** The members of the demo. Some are active every day, most seldom. */
  static final class Players {
    private static final List<String> NAMES =
        List.of(
            ("ada alan annie barbara chien-shiung claude dorothy edsger emmy evelyn frances grace"
                    + " hedy jean joan john karen katherine leslie lise lynn margaret marie mary"
                    + " maryam radia rosalind shafi sofia tim vera yuan")
                .split(" "));

    private final Random random;
    private final List<String> members;

    Players(Random random) {
      this.random = random;
      this.members = new ArrayList<>(NAMES);
      Collections.shuffle(members, random);
    }

    /** The ids of all members. */
    static List<String> all() {
      return NAMES;
    }

    /** The nickname of a member: {@code Chien-Shiung}. */
    static String nickname(String member) {
      return Arrays.stream(member.split("-"))
          .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
          .collect(Collectors.joining("-"));
    }

    /** A random member; the first of the list far more often than the last. */
    String pick() {
      double position = random.nextDouble() * random.nextDouble();
      return members.get((int) (position * members.size()));
    }
  }
}
