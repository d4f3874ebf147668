package palmares.demo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Generates the events of a day, the same in every run of the demo. */
final class Scenario {
  private static final int ARTICLES = 40;
  private static final int QUESTIONS_A_DAY = 20;
  private static final int BEST_LAP = 62_000;
  private static final int WORST_LAP = 120_000;

  /** What people write, read and collect. */
  static final List<Frequency> COMMUNITY =
      List.of(
          new Frequency("page-view", 150, 100),
          new Frequency("like", 40, 30),
          new Frequency("collect", 10, 10),
          new Frequency("comment", 15, 15),
          new Frequency("follow", 5, 5),
          new Frequency("publish", 1, 4),
          new Frequency("invite", 3, 8),
          new Frequency("coin", 20, 20));

  /** What they play, answer and commit. */
  static final List<Frequency> GAMES =
      List.of(
          new Frequency("commit", 6, 10),
          new Frequency("merge", 1, 4),
          new Frequency("win", 4, 6),
          new Frequency("draw", 1, 4),
          new Frequency("right-answer", 40, 40),
          new Frequency("lap", 3, 6));

  private final String name;
  private final List<Frequency> frequencies;
  private final Random random;
  private final Players players;
  private int lastId;
  private int newcomers;
  private int articles = ARTICLES;

  /**
   * @param name begins the ids of its events
   */
  Scenario(String name, long seed, List<Frequency> frequencies) {
    this.name = name;
    this.frequencies = frequencies;
    random = new Random(seed);
    players = new Players(random);
  }

  /**
   * How often an action happens in a day.
   *
   * @param range how many different counts there are, from the least on
   */
  record Frequency(String action, int least, int range) {}

  /**
   * An event of the demo, as it is sent.
   *
   * @param at when it is sent
   * @param subject null for actions without a subject
   * @param board null if all boards that count the action are meant
   * @param value null for actions that give points
   */
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  record Event(
      String id,
      @JsonProperty("occurredAt") Instant at,
      String member,
      String action,
      @Nullable String subject,
      boolean undo,
      int quantity,
      @Nullable String board,
      @Nullable Integer value) {
    Event(
        String id,
        Instant at,
        String member,
        String action,
        @Nullable String subject,
        boolean undo,
        int quantity) {
      this(id, at, member, action, subject, undo, quantity, null, null);
    }
  }

  /** The events from one time to another, in no order. */
  List<Event> between(Instant start, Instant end) {
    var events = new ArrayList<Event>();
    for (Frequency frequency : frequencies) {
      int count = frequency.least() + random.nextInt(frequency.range());
      add(events, start, end, frequency.action(), count);
    }
    return events;
  }

  private void add(List<Event> events, Instant start, Instant end, String action, int count) {
    for (int i = 0; i < count; i++) {
      Instant at = within(start, end);
      String member = players.pick();
      Event event =
          new Event(
              name + "-" + ++lastId,
              at,
              member,
              action,
              subject(action, start),
              false,
              action.equals("coin") ? 1 + random.nextInt(20) : 1,
              isOfArena(action) ? Players.arena(member) : null,
              action.equals("lap") ? BEST_LAP + random.nextInt(WORST_LAP - BEST_LAP) : null);
      events.add(event);
      if (isUndoable(action) && random.nextInt(8) == 0) {
        events.add(undo(event, within(at, end)));
      }
    }
  }

  private static boolean isUndoable(String action) {
    return action.equals("like") || action.equals("collect") || action.equals("follow");
  }

  private static boolean isOfArena(String action) {
    return action.equals("win") || action.equals("draw");
  }

  private Event undo(Event event, Instant at) {
    return new Event(
        name + "-" + ++lastId, at, event.member(), event.action(), event.subject(), true, 1);
  }

  private @Nullable String subject(String action, Instant day) {
    return switch (action) {
      case "invite" -> "newcomer-" + ++newcomers;
      case "publish" -> "article-" + ++articles;
      case "follow" -> players.pick();
      case "like", "collect" -> "article-" + (1 + random.nextInt(articles));
      case "right-answer" -> "question-%s-%s".formatted(day, random.nextInt(QUESTIONS_A_DAY));
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

    /** The arena that a member plays in: the one tier of the league or the other. */
    static String arena(String member) {
      return NAMES.indexOf(member) % 2 == 0 ? "arena-gold" : "arena-silver";
    }

    /** A random member; the first of the list far more often than the last. */
    String pick() {
      double position = random.nextDouble() * random.nextDouble();
      return members.get((int) (position * members.size()));
    }
  }
}
