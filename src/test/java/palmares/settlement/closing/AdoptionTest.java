package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.ClosedMarks;
import palmares.live.board.FrozenBoard;
import palmares.live.intake.RefusalReason;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.report.PeriodNotes;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Refusal;
import palmares.platform.text.SaidBySql;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A board that a plain Redis client writes is closed as well as its scores allow, and says so. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class AdoptionTest {
  private static final Instant T = Instant.parse("2026-11-20T08:00:00Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Sweep sweep;
  @Autowired private FrozenBoard frozen;
  @Autowired private Expiry expiry;
  @Autowired private PeriodNotes notes;
  @Autowired private AdoptedBoards boards;
  @Autowired private LateWriteCheck lateWrites;
  @Autowired private Approvals approvals;
  @Autowired private Exclusions exclusions;
  @Autowired private Revisions revisions;
  @Autowired private ClosedMarks closed;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Rebuild rebuild;

  private Foreign foreign;

  @BeforeEach
  void aProgramOfTheirOwn() {
    foreign = new Foreign(servers);
  }

  private Board board(String encoding) {
    return world.board(
        """
        title: Theirs
        period: day
        adopt: { key: 'lb:{period}', encoding: %s }
        rewards: [{ rule: podium, ranks: { 1: 100, 2: 50, 3: 20 } }]
        """
            .formatted(encoding));
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @CsvSource({
    "points, ,",
    "time-fraction, 2026-11-20T08:00:00.001Z, 2026-11-20T08:00:00.002Z",
    "millis-left, 2026-11-20T08:00:00.001Z, 2026-11-20T08:00:00.002Z",
    "seconds-left, 2026-11-20T08:00:01Z, 2026-11-20T08:00:02Z",
    "'decimal-seconds-left, digits: 5', 2026-11-20T08:00:01Z, 2026-11-20T08:00:02Z",
    "'appended-seconds-left, digits: 5', 2026-11-20T08:00:01Z, 2026-11-20T08:00:02Z",
  })
  void eachEncodingIsClosedByItsScores(
      String encoding, @Nullable Instant first, @Nullable Instant second) {
    Period day = world.open(board(encoding));
    var recipe = Foreign.recipe(encoding.split(",")[0]);
    foreign.zadd(recipe.score(7, T), "bob");
    foreign.zadd(recipe.score(300, second == null ? T : second), "zoe");
    foreign.zadd(recipe.score(300, first == null ? T : first), "ann");

    world.settle(day);

    List<Line> lines = records.published(day);
    assertThat(lines).extracting(Line::points).containsExactly(300L, 300L, 7L);
    if (first == null) {
      assertThat(lines).extracting(Line::member).containsExactly("zoe", "ann", "bob");
      assertThat(lines).extracting(Line::reachedAt).containsOnlyNulls();
      assertThat(note(day)).isEqualTo("the order of 2 members in 1 group is not known");
    } else {
      assertThat(lines).extracting(Line::member).containsExactly("ann", "zoe", "bob");
      assertThat(lines).extracting(Line::reachedAt).containsExactly(first, second, T);
      assertThat(note(day)).isEmpty();
    }
    assertThat(records.paid(day).values()).containsExactlyInAnyOrder(100L, 50L, 20L);
    assertThat(records.verify().named()).isEmpty();
    assertThat(foreign.keys())
        .contains("{lb:2026-11-20}:palmares-sealed")
        .doesNotContain(Foreign.KEY);
  }

  @ParameterizedTest
  @CsvSource({
    "points, 5, PT1H, no-time",
    "time-fraction, 100000, PT0.01S, coarse-time",
    "time-fraction, 511, PT0S, equal-time",
    "millis-left, 100000, PT0.001S, coarse-time",
    "millis-left, 4095, PT0S, equal-time",
    "seconds-left, 5, PT0.9S, equal-time",
    "seconds-left, 134217728, PT1S, coarse-time",
    "'decimal-seconds-left, digits: 5', 5, PT0.9S, equal-time",
  })
  void lostOrderIsRecordedWithTheNumberOfMembers(
      String encoding, long points, Duration apart, String kind) {
    Period day = world.open(board(encoding));
    var recipe = Foreign.recipe(encoding.split(",")[0]);
    foreign.zadd(recipe.score(points, T.plusMillis(1)), "ann");
    foreign.zadd(recipe.score(points, T.plusMillis(1).plus(apart)), "zoe");
    foreign.zadd(recipe.score(points + 1, T), "top");

    world.settle(day);

    assertThat(notes.losses(day.board(), day.name(), 10))
        .singleElement()
        .satisfies(
            group -> {
              assertThat(group.kind()).isEqualTo(kind);
              assertThat(group.points()).isEqualTo(points);
              assertThat(group.firstPlace()).isEqualTo(2);
              assertThat(group.first()).containsExactly("zoe", "ann");
            });
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aSliceWhoseLinesWereAllWrittenInTheLastSecondIsCopiedLikeAnyOther() {
    Board board = board("seconds-left");
    Period day = world.open(board);
    var recipe = Foreign.recipe("seconds-left");
    foreign.zadd(recipe.score(5, day.slot().endsAt()), "last");
    foreign.zadd(recipe.score(7, T), "ann");

    world.settle(day);

    for (int from = 0; from < 2; from++) {
      assertThat(frozen.fromTop(world.again(day), board, from, 1, Set.of())).hasSize(1);
    }
  }

  @Test
  void eventsForAnAdoptedBoardAreRefusedAndSayWhatToDo() {
    Board board = board("points");
    var refused = world.take(Fact.by("ann").to(board)).boards().get(0);
    assertThat(refused.reason()).isEqualTo(RefusalReason.ADOPTED);
    assertThat(Texts.english(Objects.requireNonNull(refused.said())))
        .contains("another program writes it to Redis under lb:{period}");
    assertThat(records.number("select count(*) from period")).isZero();
    assertThat(foreign.keys()).isEmpty();
  }

  @Test
  void periodsOpenByTimeAndAFreshInstallClosesNoneBeforeItsFirstSweep() {
    board("points");
    foreign.run("ZADD", "lb:2026-11-18", "1", "old");
    foreign.run("ZADD", "lb:2026-11-21", "1", "ann");
    foreign.run("ZADD", "lb:2026-11-22", "1", "ann");
    sweep.run().forEach(closing -> closing.join());
    world.pass(Duration.ofDays(3));
    sweep.run().forEach(closing -> closing.join());

    assertThat(
            records.words(
                """
                select name || state || sealed_members from period
                where state <> 'open'
                order by name
                """))
        .containsExactly("2026-11-20settled0", "2026-11-21settled1", "2026-11-22settled1");
    assertThat(foreign.keys())
        .contains("lb:2026-11-18", "{lb:2026-11-22}:palmares-sealed")
        .doesNotContain("lb:2026-11-22");
  }

  @Test
  void aBoardThatWasSeenAndIsMissingAtTheSealIsNotEmpty() {
    Board board = board("points");
    foreign.zadd("5", "ann");
    sweep.run();
    Period day = world.period(board, "2026-11-20");
    foreign.run("DEL", Foreign.KEY);

    assertStops(
        day,
        "the keys of the adopted board " + day.label() + " were seen, and are gone from Redis");
    foreign.zadd("5", "ann");
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
  }

  /** As a PostgreSQL that came back in a state before the period's closing. */
  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @EnumSource(
      value = PeriodState.class,
      names = {"SEALED", "SETTLED"})
  void aClosingThatPostgresForgotIsMadeAgainOnlyByConsent(PeriodState forgotten) {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    assertThat(
            world
                .close(
                    day,
                    step -> {
                      if (step.equals("fill")) {
                        throw new IllegalStateException("killed");
                      }
                    })
                .outcome())
        .isEqualTo(Status.FAILED);
    if (forgotten == PeriodState.SEALED) {
      transaction.executeWithoutResult(status -> closed.markPaying(day));
    } else {
      closed.mark(day, forgotten);
    }
    servers.unguarded(
        () ->
            servers.sql(
                """
                update period
                set state = 'open', sealed_at = null, sealed_members = null, sealed_points = null,
                  sealed_events = null
                """));

    assertStops(
        day, "PostgreSQL has forgotten that %s was %s".formatted(day.label(), forgotten.word()));
    rebuild.run(
        day.id(), Present.REPLACE, new Acknowledgement("zoe", "it is gone"), () -> {}, done -> {});
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(records.words("select forgotten || ' ' || members from acknowledged_loss"))
        .containsExactly(forgotten.word() + " 1");
    assertThat(records.verify().named()).isEmpty();
    assertThat(closed.forgotten(day)).contains(PeriodState.SETTLED);
  }

  @Test
  @Tag(OwnTables.TAG)
  void aPaymentThatPostgresForgotIsMadeAgainOnlyByConsent() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    world.close(
        day,
        step -> {
          if (step.equals("pay")) {
            throw new IllegalStateException("killed");
          }
        });
    closed.mark(day, PeriodState.SETTLED);

    assertStops(day, "PostgreSQL has forgotten that %s was settled".formatted(day.label()));
    rebuild.run(
        day.id(), Present.REPLACE, new Acknowledgement("zoe", "it is gone"), () -> {}, done -> {});
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void writesAfterTheSealAreReportedAndNotChanged() {
    Board board = board("points");
    foreign.zadd("5", "ann");
    Period day = world.open(board);
    var closed =
        world.close(
            day,
            step -> {
              if (step.equals("fill")) {
                foreign.zadd("999", "late");
                foreign.zadd("6", "ann");
              }
            });

    assertThat(closed.outcome()).isEqualTo(Status.SETTLED);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(note(day))
        .isEqualTo("2 entries were written to lb:2026-11-20 after the seal, and not paid");
    assertThat(foreign.run("ZCARD", Foreign.KEY)).isEqualTo(2L);

    world.now(day.expiresAt());
    expiry.expire();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
  }

  @Test
  void writesAfterTheClosingAreReportedOnceByTheSweepAndLaterByTheNightlyVerification(
      CapturedOutput output) {
    Board board = board("points");
    foreign.zadd("5", "ann");
    Period day = world.open(board);
    world.settle(day);
    sweep.prepare();
    assertThat(note(day)).isEmpty();

    world.pass(Duration.ofHours(20));
    foreign.zadd("999", "late");
    sweep.prepare();
    foreign.zadd("998", "later");
    sweep.prepare();
    assertThat(note(day))
        .isEqualTo("2 entries were written to lb:2026-11-20 after the seal, and not paid");
    assertThat(output.getAll().lines().filter(line -> line.contains("late writes board=")))
        .hasSize(1);

    world.pass(Duration.ofHours(5));
    foreign.zadd("997", "latest");
    sweep.prepare();
    assertThat(note(day)).as("watched for a day").startsWith("2 entries");
    lateWrites.checkAll();
    assertThat(note(day)).as("until the keys go").startsWith("3 entries");
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPeriodWithoutWritesBeforeItsSealIsWatchedToo() {
    Period day = world.open(board("points"));
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    foreign.zadd("999", "late");
    sweep.prepare();
    assertThat(note(day)).startsWith("1 entry was written to lb:2026-11-20 after the seal");
  }

  @ParameterizedTest
  @CsvSource({
    // points.seconds are the file's, points and seconds appended are the program's, and vice versa
    "'decimal-seconds-left, digits: 5', appended-seconds-left, 'none of the 2 lines of"
        + " lb:2026-11-20 has a time'",
    "'appended-seconds-left, digits: 5', decimal-seconds-left, is not a whole number",
    "'appended-seconds-left, digits: 6', appended-seconds-left, outside of the period",
    "'decimal-seconds-left, digits: 6', decimal-seconds-left, outside of the period",
    "'appended-seconds-left, digits: 9', seconds-left, outside of the period",
  })
  void anotherEncodingThanTheProgramWritesIsNotPaid(String file, String written, String why) {
    Period day = world.open(board(file));
    foreign.zadd(Foreign.recipe(written).score(9_999, T), "ann");
    foreign.zadd(Foreign.recipe(written).score(7, T.plusSeconds(3)), "bob");
    assertStops(day, why);
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
  }

  @Test
  void aFixedDeadlineThatTheDigitsDoNotHoldIsNotPaid() {
    Period day =
        world.open(board("appended-seconds-left, digits: 5, deadline: 2030-01-01T00:00:00Z"));
    foreign.zadd("999904403", "ann");
    assertStops(day, "does not fit into scores of 'appended-seconds-left'");
  }

  @Test
  void aCountdownToTheLastSecondOfTheDayIsReadAsWritten() {
    Period day = world.open(board("appended-seconds-left, digits: 5, deadline: end-1s"));
    foreign.zadd("999904403", "ann"); // 9999 points, 4403 seconds before 23:59:59
    foreign.zadd("999986399", "first"); // at midnight
    foreign.zadd("1000000000", "last"); // at 23:59:59
    world.settle(day);
    assertThat(records.published(day))
        .extracting(line -> line.member() + " " + line.points() + " " + line.reachedAt())
        .containsExactly(
            "last 10000 2026-11-20T23:59:59Z",
            "first 9999 2026-11-20T00:00:00Z",
            "ann 9999 2026-11-20T22:46:36Z");
  }

  /** The program goes by the calendar alone: it knows nothing of what bridges to it. */
  @Test
  void aPeriodThatBridgesToAnotherZoneReadsTheKeysOfTheProgramsOwnCalendar() {
    Rules rules = Rules.adopting("lb:{start:yyyyMMdd}", "appended-seconds-left, digits: 5");
    Board board = world.board(rules.text());
    sweep.prepare();
    world.edit(board, rules.with("zone: America/New_York"));
    sweep.prepare();
    Period bridge = world.period(board, "2026-11-21");
    assertThat(bridge.slot().startsAt()).isEqualTo("2026-11-21T00:00:00Z");
    assertThat(bridge.slot().endsAt()).isEqualTo("2026-11-22T05:00:00Z");

    foreign.run("ZADD", "lb:20261121", "700086400", "ann"); // at midnight of New York
    world.settle(bridge);
    assertThat(records.published(bridge))
        .extracting(line -> line.member() + " " + line.points() + " " + line.reachedAt())
        .containsExactly("ann 7000 2026-11-21T05:00:00Z");
  }

  @Test
  void keysThatWereSealedForOnePeriodAreNotPaidInAnother() {
    Rules rules = Rules.adopting("lb:{start:yyyyMMdd}", "points");
    Board board = world.board(rules.text());
    world.now(Instant.parse("2026-11-01T10:00:00Z"));
    Period first = world.open(board);
    foreign.run("ZADD", "lb:20261101", "5", "ann");
    world.settle(first);

    // The month has the key of its first day, which was a separate period.
    world.edit(board, rules.with("period: month"));
    world.now(Instant.parse("2026-11-20T10:00:00Z"));
    sweep.prepare();
    Period month = world.period(board, "2026-11");
    assertThat(world.close(month).text()).contains("already exists");
    assertThat(records.number("select count(*) from transfer")).isOne();
  }

  /** Its second closing finds the same groups whose order is not known. */
  @Test
  @Tag(OwnTables.TAG)
  void aBoardWithTiesIsClosedAgainAfterItsRejection() {
    Period day = rejected("points", "5", "ann", "zoe");
    exclusions.exclude(Terms.always(new MemberId("zoe"), ExclusionLevel.HIDDEN), "cheats", "ann");
    approvals.restart(day.id(), new ApprovalDecision("ann", "without zoe", null));
    assertThat(world.close(day).text()).isEqualTo("the board asks for approval");
    String shown = revisions.find(day.id(), 1).orElseThrow().digest();
    approvals.approve(day.id(), new ApprovalDecision("bob", "seen", null, shown));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(note(day)).isEqualTo("the order of 2 members in 1 group is not known");
    assertThat(records.verify().named()).isEmpty();
  }

  /** There is no journal from which the lines could be made again. */
  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @CsvSource({
    "DEL SEALED;DEL MARK, key lb:2026-11-20 does not, RESTORE KEY",
    "DEL SEALED, key {lb:2026-11-20}:palmares-sealed does not, RESTORE SEALED",
    "DEL SEALED;ZADD KEY 500005 ann, key {lb:2026-11-20}:palmares-sealed does not, RESTORE SEALED",
    "DEL MARK, key {lb:2026-11-20}:palmares-sealed exists without, RENAME SEALED KEY",
    "DEL SEALED;DEL MARK;ZADD KEY 9.5 ann, 'members 1, points 9, sealed were 1 and 5', RESTORE KEY",
    "DEL SEALED;DEL MARK;ZADD KEY 5 ann, lb:2026-11-20 has a time, RESTORE KEY",
    "ZADD SEALED 9.5 ann, 'members 1, points 9, sealed were 1 and 5', RESTORE SEALED",
    "ZADD SEALED -1 bad, bad: -1, ZREM SEALED bad",
    "DEL SEALED;SET SEALED x, 'members 0, points 0', DEL SEALED;RESTORE SEALED",
  })
  void aRejectedBoardThatRedisHasLostKeepsItsLines(String loss, String said, String repair) {
    Period day = rejected("decimal-seconds-left, digits: 5", "5.5", "ann");
    var again = new ApprovalDecision("ann", "again", null);
    change(loss);
    assertThatThrownBy(() -> approvals.restart(day.id(), again))
        .isInstanceOf(WrongState.class)
        .hasMessageStartingWith(
            day.label() + " cannot be restarted, since its rejected lines would be lost: ")
        .hasMessageContaining(said);
    assertThat(records.words("select member from line")).containsExactly("ann");

    change(repair);
    approvals.restart(day.id(), again);
    foreign.zadd("999.5", "late");
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(records.words("select member || points from line")).containsExactly("ann5");
  }

  /** Runs commands of Redis, in which the names of the board's keys are short. */
  private void change(String commands) {
    String full =
        commands
            .replaceAll("RESTORE (KEY|SEALED)", "ZADD $1 5.5 ann")
            .replace("KEY", Foreign.KEY)
            .replace("SEALED", "{lb:2026-11-20}:palmares-sealed")
            .replace("MARK", "{lb:2026-11-20}:palmares-seal");
    for (String command : full.split(";")) {
      String[] words = command.split(" ");
      foreign.run(words[0], Arrays.copyOfRange(words, 1, words.length));
    }
  }

  @Test
  @Tag(OwnTables.TAG)
  void aRejectedBoardWithoutMembersIsRestartedAfterALateWrite() {
    Rules rules = Rules.adopting("lb:{period}", "points");
    Board board = seenTheDayBefore(rules.with("payout: { approval: required }"));
    Period day = world.open(board);
    reject(day);
    foreign.zadd("999", "late");
    approvals.restart(day.id(), new ApprovalDecision("ann", "again", null));
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(records.words("select member from line")).containsExactly("ann of the day before");
    assertThat(foreign.keys()).contains(Foreign.KEY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00ac\u00ed\u0000\u0005t\u0000\rlb:2026-11-20", // Java's serialization
        "app:lb:2026-11-20", // a prefix of the client library
        "lb:2026-10-20" // months that begin at 0
      })
  void aBoardOfWhichNoKeyWasEverSeenIsHeldWithTheKeyThatItLookedFor(String written) {
    Board board =
        world.board(
            Rules.adopting("lb:{period}", "points")
                .with("payout: { approval: required, release-at: '09:00' }"));
    Period day = world.open(board);
    foreign.run("ZADD", List.of(written.getBytes(ISO_8859_1), bytes("5"), bytes("ann")));
    sweep.run();
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(heldFor(day))
        .contains(
            "no key of the adopted board was ever seen in Redis; it looked for lb:2026-11-20");
    world.pass(Duration.ofDays(2));
    assertThat(world.close(day).outcome()).as("not released by time").isEqualTo(Status.HELD);

    approvals.approve(day.id(), new ApprovalDecision("ann", "nobody played", null));
    world.settle(day);
    assertThat(records.published(day)).isEmpty();
    assertThat(records.words("select verb from audit_entry")).containsExactly("approve");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  @Tag(OwnTables.TAG)
  void aRejectedBoardOfWhichNoKeyWasSeenIsSealedWithTheKeyThatARestartFinds() {
    Period day = world.open(world.board(Rules.adopting("lb:{period}", "points")));
    foreign.run("ZADD", "app:lb:2026-11-20", "5", "ann");
    reject(day);
    var again = new ApprovalDecision("ann", "the program has another prefix", null);
    approvals.restart(day.id(), again);
    assertThat(world.close(day).outcome()).as("still without a key").isEqualTo(Status.HELD);

    approvals.reject(day.id(), again);
    foreign.zadd("-inf", "bad");
    assertThatThrownBy(() -> approvals.restart(day.id(), again))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("bad: -Infinity is not a finite number");
    foreign.run("DEL", Foreign.KEY);
    foreign.run("RENAME", "app:lb:2026-11-20", Foreign.KEY);
    approvals.restart(day.id(), again);
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(heldFor(day))
        .containsExactly("lb:2026-11-20 was found only after the seal (members: 1)");
    String shown = revisions.find(day.id(), 1).orElseThrow().digest();
    approvals.approve(day.id(), new ApprovalDecision("ann", "written in time", null, shown));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anEmptyPeriodOfABoardThatHadKeysSettlesUnlessItsFileNamesAnotherKeyNow() {
    Rules rules = Rules.adopting("lb:{period}", "points");
    Board board = seenTheDayBefore(rules);
    Period quiet = world.open(board);
    world.settle(quiet);
    world.pass(Duration.ofDays(1));
    Rules renamed = Rules.adopting("app:{period}", "points");
    Period next = world.open(world.edit(board, renamed));
    assertThat(world.close(next).outcome()).isEqualTo(Status.HELD);
    assertThat(heldFor(next))
        .singleElement()
        .asString()
        .endsWith("it looked for app:" + next.name());
  }

  /** Its period of the day before World's first day had a key. */
  private Board seenTheDayBefore(Rules rules) {
    Board board = world.board(rules);
    world.now(World.START.minus(Duration.ofDays(1)));
    world.open(board);
    foreign.run("ZADD", "lb:2026-11-19", "5", "ann of the day before");
    sweep.run().forEach(closing -> closing.join());
    world.now(World.START);
    sweep.run().forEach(closing -> closing.join());
    return board;
  }

  private List<String> heldFor(Period day) {
    return revisions.find(day.id(), 1).orElseThrow().heldFor().stream()
        .map(Texts::english)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"counts", "scores"})
  void aRejectedBoardOfSharedRanksNeedsItsThreeKeys(String lost) {
    Board board =
        world.board(
            Rules.adopting("lb:{period}", "points")
                .with(
                    """
                    adopt:
                      encoding: shared-rank
                      members: lb:{period}:members
                      counts: lb:{period}:counts
                      scores: lb:{period}:scores
                    """)
                .with("ranks: dense")
                .with("payout: { approval: required }")
                .text());
    Period day = world.open(board);
    foreign.add("ann", 5);
    reject(day);
    String key = "{lb:2026-11-20:%s}:palmares-sealed".formatted(lost);
    foreign.run("RENAME", key, "backup");

    var again = new ApprovalDecision("ann", "again", null);
    assertThatThrownBy(() -> approvals.restart(day.id(), again))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining(key)
        .hasMessageContaining("do not agree with the rejected lines: 5 points: 1 member holds");
    foreign.run("RENAME", "backup", key);
    approvals.restart(day.id(), again);
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(records.words("select member || points from line")).containsExactly("ann5");
  }

  @Test
  void aTtlThatTheProgramSetDoesNotReachTheSealedBoard() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    foreign.run("EXPIRE", Foreign.KEY, "3600");
    world.settle(day);
    assertThat(foreign.run("PTTL", "{lb:2026-11-20}:palmares-sealed")).isEqualTo(-1L);
  }

  @Test
  @Tag(OwnTables.TAG)
  void aClosingThatDiesAfterTheSealResumesWithTheSealedBoard() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    var failed =
        world.close(
            day,
            step -> {
              if (step.equals("drain")) {
                foreign.zadd("999", "late");
                throw new IllegalStateException("the process dies");
              }
            });
    assertThat(failed.outcome()).isEqualTo(Status.FAILED);
    world.pass(Duration.ofMinutes(2));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
  }

  @Test
  void aSealThatDiedBeforeItsCommitIsNotRepeated() {
    Board board = board("points");
    Period day = world.open(board);
    foreign.zadd("5", "ann");
    boards.seal(day, board);
    foreign.zadd("999", "late");
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(note(day)).contains("1 entry was written to lb:2026-11-20 after the seal");
  }

  @Test
  @Tag(OwnTables.TAG)
  void aSealThatRedisLosesIsRestored() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    world.close(
        day,
        step -> {
          if (step.equals("fill")) {
            foreign.run("RENAME", "{lb:2026-11-20}:palmares-sealed", Foreign.KEY);
            foreign.run("DEL", "{lb:2026-11-20}:palmares-seal");
            throw new IllegalStateException("a failover to a replica that had not seen the seal");
          }
        });
    world.pass(Duration.ofMinutes(2));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
  }

  @ParameterizedTest
  @CsvSource({
    "points, inf, is not a finite number",
    "points, -inf, is not a finite number",
    "points, -3, -3 is negative",
    "points, 7.5, 7.5 is not a whole number",
    "points, 9007199254740992, 9007199254740992 contains more points than 2^53 - 1",
    "millis-left, -2199023255552, is negative",
    "millis-left, 172800000, 172800000 contains the time 2026-11-19 00:00:00",
    "time-fraction, 12, 12 contains the time 2286-11-20 17:46:40"
  })
  void aScoreThatTheEncodingCannotGiveStopsTheClosingAndChangesNothing(
      String encoding, String score, String why) {
    Period day = world.open(board(encoding));
    foreign.zadd(Foreign.recipe(encoding).score(5, T), "ann");
    foreign.zadd(score, "bad");
    foreign.run("EXPIRE", Foreign.KEY, "360000");

    assertStops(day, "1 line of lb:2026-11-20 cannot be read: bad: ", why);
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
    assertThat((Long) foreign.run("PTTL", Foreign.KEY)).isPositive();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);

    foreign.run("ZREM", Foreign.KEY, "bad");
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
  }

  @Test
  void scoresWithDecimalsAreClosedAsTheirSmallestFractions() {
    Period day = world.open(board("points, decimals: 2, below-zero: zero"));
    for (int i = 0; i < 10; i++) {
      foreign.run("ZINCRBY", Foreign.KEY, "0.1", "ann");
    }
    foreign.zadd("97.55", "bob");
    foreign.zadd("64108.999999999993", "cid");
    foreign.zadd("-0.07", "dan");
    foreign.zadd("-0", "eve");
    world.settle(day);
    assertThat(records.published(day))
        .extracting(line -> line.member() + " " + line.points())
        .containsExactly("cid 6410900", "bob 9755", "ann 100", "eve 0", "dan 0");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  @Tag(OwnTables.TAG)
  void onABoardWhoseLowestScoresWinTheLowestIsFirst() {
    Period day = world.open(board("points, decimals: 1, best: lowest"));
    foreign.zadd("12.5", "ann");
    foreign.zadd("9.8", "bob");
    foreign.zadd("101", "cid");
    world.settle(day);
    assertThat(records.published(day))
        .extracting(line -> line.member() + " " + line.points())
        .containsExactly("bob 98", "ann 125", "cid 1010");
    assertThat(records.paid(day))
        .isEqualTo(Map.of("bob podium", 100L, "ann podium", 50L, "cid podium", 20L));
    assertThat(records.verify().named()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"points, 7.5", "points, -3", "points, inf", "seconds-left, 5"})
  void aScoreThatCannotBeReadStopsNobodyOnceItsMemberIsExcluded(String encoding, String score) {
    Period day = world.open(board(encoding));
    foreign.zadd(Foreign.recipe(encoding).score(5, T), "ann");
    foreign.zadd(score.equals("5") ? "-5" : score, "bad");
    assertStops(day, "bad: ", "a member who is excluded as hidden is not read");
    exclusions.exclude(
        Terms.always(new MemberId("bad"), ExclusionLevel.HIDDEN), "its score is broken", "ann");
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 100L));
    assertThat(records.published(day)).extracting(Line::member).containsExactly("ann");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void keysThatTurnInvalidBeforeTheSealAreGivenBackUnlessRewritten() {
    Board board = board("points");
    Period day = world.open(board);
    foreign.zadd("5", "ann");
    foreign.run("EXPIRE", Foreign.KEY, "360000");
    boards.seal(day, board);
    foreign.run("ZADD", "{lb:2026-11-20}:palmares-sealed", "-1", "ann");
    foreign.zadd("3", "bob");
    assertStops(day, "ann: -1 is negative", "lb:2026-11-20 was written again meanwhile");
    assertThat(foreign.keys()).contains(Foreign.KEY, "{lb:2026-11-20}:palmares-sealed");

    foreign.run("DEL", Foreign.KEY);
    assertStops(day, "ann: -1 is negative");
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
    assertThat((Long) foreign.run("PTTL", Foreign.KEY)).isPositive();
  }

  @Test
  void aSealedKeyThatNobodySealedStopsTheClosing() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    foreign.run("ZADD", "{lb:2026-11-20}:palmares-sealed", "9", "zoe");
    assertStops(day, "{lb:2026-11-20}:palmares-sealed already exists");
    assertThat(foreign.keys()).contains(Foreign.KEY);
  }

  @Test
  void onlyTheFirstTenOfManyBadLinesAreNamed() {
    Period day = world.open(board("points"));
    for (int n = 10; n < 25; n++) {
      foreign.zadd("-" + n, "m" + n);
    }
    assertStops(day, "15 lines of lb:2026-11-20", "m24: -24 is negative", "m15: -15", "; and more");
    assertThat(world.close(day).text()).doesNotContain("m14");
  }

  @Test
  void invalidMembersStopTheClosing() {
    Period day = world.open(board("points"));
    foreign.run("ZADD", List.of(bytes(Foreign.KEY), bytes("1"), new byte[] {'a', (byte) 0xff}));
    foreign.zadd("2", "tab\there");
    foreign.zadd("3", "x".repeat(65));
    foreign.zadd("4", "");
    assertStops(
        day,
        "a\\xff: is not valid UTF-8",
        "tab\\x09here: a member's id must not hold control characters",
        ": a member's id takes at most 64 bytes in UTF-8, this one has 65",
        ": a member's id must not be empty");
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
  }

  @Test
  void aKeyOfAnotherTypeStopsTheClosing() {
    Period day = world.open(board("points"));
    foreign.run("SET", Foreign.KEY, "x");
    assertStops(day, "the key lb:2026-11-20 is a string: nothing was changed");
    assertThat(foreign.keys()).containsExactly(Foreign.KEY);
  }

  @Test
  @Tag(OwnTables.TAG)
  void changesAfterTheSealAreDetected() {
    Period day = world.open(board("points"));
    foreign.zadd("5", "ann");
    foreign.zadd("6", "bob");
    var closed =
        world.close(
            day,
            step -> {
              if (step.equals("fill")) {
                foreign.run("ZADD", "{lb:2026-11-20}:palmares-sealed", "7", "ann");
              }
            });
    assertThat(closed.text()).contains("2 members with 13 points, sealed were 2 with 11");
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  /** A period whose closing was rejected; each of the members has the score. */
  private Period rejected(String encoding, String score, String... members) {
    Board board =
        world.board(
            Rules.adopting("lb:{period}", encoding).with("payout: { approval: required }").text());
    Period day = world.open(board);
    for (String member : members) {
      foreign.zadd(score, member);
    }
    reject(day);
    return day;
  }

  private void reject(Period day) {
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    approvals.reject(day.id(), new ApprovalDecision("ann", "not so", null));
  }

  private void assertStops(Period day, String... said) {
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
    assertThat(closed.text()).contains(said);
    assertThat(records.number("select count(*) from transfer")).isZero();
    assertThat(records.published(day)).isEmpty();
  }

  private String note(Period day) {
    return SaidBySql.text(notes.of(day.board(), day.name()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
