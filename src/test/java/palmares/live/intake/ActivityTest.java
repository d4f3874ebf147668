package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.calendar.PeriodName;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** How often an action counts, on the board of a day and of a month at once. */
@WorldTest
class ActivityTest {
  private static final String ACTIONS =
      """
      actions:
        like: { points: 2, undo: true, max-per-day: 2 }
        login: { points: 1, once-per: day }
        welcome: { points: 5, once-per: period }
        view: { points: 1, once-per: event }
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;

  private Board day() {
    return world.board(Rules.day().with(ACTIONS).with("zone: Asia/Shanghai"));
  }

  private Board month() {
    return world.board(Rules.of("month").with(ACTIONS).with("zone: Asia/Shanghai"));
  }

  @Test
  void aLikeAfterAnUndoOnAnotherDayCountsOnceInTheMonth() {
    Period friday = world.open(day());
    Period november = world.open(month());
    Fact like = Fact.by("ann").on("post");
    world.take(like);

    world.pass(Duration.ofDays(1));
    EventOutcome undo = world.take(like.undone());
    EventOutcome again = world.take(like.again());

    assertThat(undo.boards())
        .extracting(EventOutcome.OnBoard::kind)
        .contains(Kind.UNDONE, Kind.REFUSED);
    assertThat(again.kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(november, "ann")).isEqualTo(2);
    assertThat(records.points(friday, "ann")).isEqualTo(2);
  }

  @Test
  void anActionOnASubjectCountsAgainOnTheNextDayAndIsUndoneOnTheSameDay() {
    Period november =
        world.open(
            world.board(
                Rules.of("month")
                    .with("zone: Asia/Shanghai")
                    .with(
                        "actions: { like: { points: 2, once-per: subject-a-day, undo: true } }")));
    Fact like = Fact.by("ann").on("post");
    world.take(like);
    EventOutcome again = world.take(like.again());
    assertThat(Texts.english(Objects.requireNonNull(again.boards().get(0).said())))
        .startsWith("ann already did 'like' to 'post' on 2026-11-20 in ");

    world.pass(Duration.ofHours(6)); // midnight in Shanghai
    EventOutcome undo = world.take(like.undone());
    assertThat(Texts.english(Objects.requireNonNull(undo.boards().get(0).said())))
        .startsWith("ann has no 'like' on 'post' of 2026-11-21 to undo in ");
    assertThat(world.take(like.again()).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(november, "ann")).isEqualTo(4);
    assertThat(world.take(like.undone()).kind()).isEqualTo(Kind.UNDONE);
    assertThat(world.take(like.undone()).reason()).isEqualTo(RefusalReason.NOTHING_TO_UNDO);
    assertThat(world.take(like.again()).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(november, "ann")).isEqualTo(4);
  }

  /** A plain set for each day, as the boards' files say it. */
  @Test
  void theDaysOfAMonthAddUpToItOnTheSampleBoards() throws IOException {
    List<Board> boards =
        world.boards(List.of(sample("activity-daily"), sample("activity-monthly")));
    Period november = world.open(boards.get(1));
    var days = new ArrayList<Period>();
    var done = new HashMap<List<String>, Long>();
    var random = new Random(22);
    for (int day = 0; day < 4; day++) {
      days.add(world.open(boards.get(0)));
      var facts = new ArrayList<Fact>();
      for (int n = 0; n < 150; n++) {
        Action action = List.copyOf(boards.get(1).actions().values()).get(random.nextInt(6));
        Fact fact =
            Fact.by("m" + random.nextInt(3)).does(action.name()).on("s" + random.nextInt(3));
        var key = List.of(fact.member(), "" + day, fact.action(), "" + fact.subject());
        if (action.undo() && random.nextInt(3) == 0) {
          facts.add(fact.undone());
          done.remove(key);
        } else {
          facts.add(fact);
          done.put(key, action.points());
        }
      }
      world.take(facts);
      world.pass(Duration.ofDays(1));
    }
    for (String member : List.of("m0", "m1", "m2")) {
      long expected = 0;
      for (int day = 0; day < days.size(); day++) {
        long ofDay = 0;
        for (var one : done.entrySet()) {
          boolean counts = one.getKey().subList(0, 2).equals(List.of(member, "" + day));
          ofDay += counts ? one.getValue() : 0;
        }
        assertThat(records.points(days.get(day), member)).isEqualTo(ofDay);
        expected += ofDay;
      }
      assertThat(records.points(november, member)).as(member).isEqualTo(expected);
    }
    world.settle(november);
    assertThat(records.verify().named()).isEmpty();
  }

  private static String sample(String name) throws IOException {
    return Files.readString(Path.of("jobs", name + ".yml"));
  }

  @Test
  void anActionCountsOnceADayOfTheZoneOnceAPeriodOrEachTime() {
    Period november = world.open(month());
    for (int day = 0; day < 3; day++) {
      for (int time = 0; time < 3; time++) {
        world.take(Fact.by("ann").does("login"));
        world.take(Fact.by("bob").does("welcome").on("door " + day));
        world.take(Fact.by("eve").does("view").on("page"));
        world.pass(Duration.ofHours(2)); // 10, 12, 14 o'clock in UTC, all one day in Shanghai
      }
      world.pass(Duration.ofHours(18));
    }
    assertThat(records.points(november, "ann")).isEqualTo(3);
    assertThat(records.points(november, "bob")).isEqualTo(5);
    assertThat(records.points(november, "eve")).isEqualTo(9);
  }

  @Test
  void aDayBeginsInTheBoardsZoneAndNotInUtc() {
    Period november = world.open(month());
    world.pass(Duration.ofHours(5)); // 15:00 in UTC, 23:00 in Shanghai
    assertThat(world.take(Fact.by("ann").does("login")).kind()).isEqualTo(Kind.APPLIED);
    world.pass(Duration.ofHours(1));
    assertThat(world.take(Fact.by("ann").does("login")).kind()).isEqualTo(Kind.APPLIED);
    world.pass(Duration.ofHours(9)); // the next day in UTC
    assertThat(world.take(Fact.by("ann").does("login")).reason()).isEqualTo(RefusalReason.REPEATED);
    assertThat(records.points(november, "ann")).isEqualTo(2);
  }

  @Test
  void aDayBeginsAtTheBoardsTimeOfDay() {
    Board board =
        world.board(
            Rules.of("month")
                .with("starts-at: '04:00'")
                .with("actions: { login: { points: 1, once-per: day } }"));
    Period november = world.open(board);
    assertThat(world.take(Fact.by("ann").does("login")).kind()).isEqualTo(Kind.APPLIED);
    world.now(Instant.parse("2026-11-21T03:59:59Z"));
    assertThat(world.take(Fact.by("ann").does("login")).reason()).isEqualTo(RefusalReason.REPEATED);
    world.now(Instant.parse("2026-11-21T04:00:00Z"));
    assertThat(world.take(Fact.by("ann").does("login")).kind()).isEqualTo(Kind.APPLIED);
    world.now(Instant.parse("2026-12-01T03:59:59Z"));
    assertThat(world.take(Fact.by("ann").does("login")).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(november, "ann")).isEqualTo(3);
    world.settle(november);
    assertThat(records.verify().named()).isEmpty();
    assertThat(world.slot(board).name()).isEqualTo(new PeriodName("2026-12"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"max-per-day", "max-per-period"})
  void aMaximumOfOneIsReachedByTheFirst(String limit) {
    String actions = "actions: { like: { points: 1, once-per: event, %s: 1 } }";
    Period day = world.open(world.board(Rules.day().with(actions.formatted(limit))));
    assertThat(world.take(Fact.by("ann")).kind()).isEqualTo(Kind.APPLIED);
    assertThat(world.take(Fact.by("ann")).reason()).isEqualTo(RefusalReason.CAPPED);
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  @Test
  void anUndoFreesTheLimitOfTheDayOfItsAction() {
    Period november = world.open(month());
    Fact first = Fact.by("ann").on("a");
    world.take(first);
    world.take(Fact.by("ann").on("b"));
    assertThat(world.take(Fact.by("ann").on("c")).reason()).isEqualTo(RefusalReason.CAPPED);

    world.take(first.undone());
    Fact fourth = Fact.by("ann").on("d");
    assertThat(world.take(fourth).kind()).isEqualTo(Kind.APPLIED);
    assertThat(world.take(Fact.by("ann").on("e")).reason()).isEqualTo(RefusalReason.CAPPED);

    world.pass(Duration.ofDays(1));
    world.take(fourth.undone()); // frees the limit of the day before, not of this one
    world.take(Fact.by("ann").on("f"));
    world.take(Fact.by("ann").on("g"));
    assertThat(world.take(Fact.by("ann").on("h")).reason()).isEqualTo(RefusalReason.CAPPED);
    assertThat(records.points(november, "ann")).isEqualTo(6);
    world.settle(november);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theRepeatOfACappedEventGetsTheSameAnswer() {
    Period november = world.open(month());
    world.take(Fact.by("ann").on("a"));
    world.take(Fact.by("ann").on("b"));
    Fact capped = Fact.by("ann").on("c");
    world.take(capped);
    world.pass(Duration.ofDays(1));

    EventOutcome repeat = world.take(capped);

    assertThat(repeat.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(repeat.reason()).isEqualTo(RefusalReason.CAPPED);
    assertThat(records.points(november, "ann")).isEqualTo(4);
  }

  @Test
  void anEventRepeatedAfterMidnightCountsInItsOwnDayOnly() {
    Board board = day();
    Period friday = world.open(board);
    world.now(friday.slot().endsAt().minusMillis(1));
    Fact view = Fact.by("ann").does("view").to(board);
    Fact other = Fact.by("bob").does("view").to(board).named(view.id());
    world.take(view);
    world.pass(Duration.ofSeconds(2));

    EventOutcome repeat = world.take(view);

    assertThat(repeat.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(repeat.boards())
        .extracting(EventOutcome.OnBoard::period)
        .containsOnly(friday.name());
    assertThat(world.take(other).reason()).isEqualTo(RefusalReason.CONFLICTING_ID);
    assertThat(world.take(view.again()).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(friday, "ann")).isEqualTo(1);
    assertThat(records.points(world.open(board), "ann")).isEqualTo(1);
  }

  @Test
  void theJournalFindsARepeatIfThePreviousLiveBoardIsGone() {
    Board board = day();
    Period friday = world.open(board);
    world.now(friday.slot().endsAt().minusMillis(1));
    Fact view = Fact.by("ann").does("view").to(board);
    world.take(view);
    journal.drain(friday);
    servers.flush();
    world.pass(Duration.ofSeconds(2));

    assertThat(world.take(view).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(world.take(view.again()).kind()).isEqualTo(Kind.APPLIED);
  }
}
