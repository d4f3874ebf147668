package palmares.period.exclusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveExclusions;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** When exclusions are in force, which of several counts, and what a revision freezes. */
@WorldTest
class ExclusionLawsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private ExclusionLists lists;
  @Autowired private LiveExclusions live;
  @Autowired private TransactionTemplate transaction;

  private Board board;
  private Period day;

  @BeforeEach
  void createADayWithThreeMembers() {
    board = world.board(Rules.day());
    day = world.open(board);
    world.take(
        List.of(
            Fact.by("ann").does("coin").times(3),
            Fact.by("bob").does("coin").times(2),
            Fact.by("cid").does("coin").times(1)));
  }

  private Exclusion exclude(String member, ExclusionLevel level) {
    return exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
  }

  private List<String> published() {
    return records.published(day).stream().map(line -> line.rank() + " " + line.member()).toList();
  }

  @Test
  void exclusionsAfterTheFreezeDoNotChangeASettledRevision() {
    Exclusion lifted = exclude("ann", ExclusionLevel.HIDDEN);
    world.settle(day);
    exclude("bob", ExclusionLevel.HIDDEN);
    exclusions.lift(lifted.id(), "a law", "test");
    live.updateAll();

    assertThat(published()).containsExactly("1 bob", "2 cid");
    assertThat(records.verify().named()).isEmpty();
    assertThat(lists.outdated(new MemberId("bob")))
        .singleElement()
        .satisfies(
            outdated -> {
              assertThat(outdated.period()).isEqualTo(day.name());
              assertThat(outdated.frozen()).isNull();
              assertThat(outdated.present()).isEqualTo(ExclusionLevel.HIDDEN);
            });
    assertThat(lists.outdated(new MemberId("ann")).get(0).present()).isNull();
    assertThat(lists.outdated(new MemberId("cid"))).isEmpty();
  }

  /** Excludes, closes and lifts as if on machines with different clocks. */
  @Test
  void aSettledRevisionVerifiesDespiteDifferentClocks() {
    Instant closing = Objects.requireNonNull(day.closesAt()).plusSeconds(60);
    world.now(closing.plusMillis(20));
    Exclusion early = exclude("ann", ExclusionLevel.HIDDEN);
    exclusions.lift(exclude("cid", ExclusionLevel.HIDDEN).id(), "a law", "test");
    world.now(closing);
    world.settle(day);
    world.now(closing.minusMillis(20));
    exclude("bob", ExclusionLevel.UNRANKED);
    exclusions.lift(early.id(), "a law", "test");

    assertThat(published()).containsExactly("1 bob", "2 cid");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aMemberWhoMayNotWinKeepsItsPlaceAndIsPaidNothing() {
    Period paying =
        world.open(world.board(Rules.day().with("rewards: [{ rule: r, ranks: { 1-2: 10 } }]")));
    world.take(List.of(Fact.by("ann").on("x"), Fact.by("ann").on("y"), Fact.by("bob").on("x")));
    exclude("ann", ExclusionLevel.NO_PRIZE);
    world.settle(paying);
    assertThat(records.published(paying)).extracting(Line::member).containsExactly("ann", "bob");
    assertThat(records.paid(paying)).isEqualTo(Map.of("bob r", 10L));
  }

  /** It is made before the freeze, or after: nothing is between. */
  @Test
  void aFreezeWaitsForAnExclusionThatIsBeingMade() {
    CompletableFuture<Period> settling =
        transaction.execute(
            status -> {
              exclude("ann", ExclusionLevel.HIDDEN);
              var begun = CompletableFuture.supplyAsync(() -> world.settle(day));
              while (!begun.isDone()
                  && records.number(
                          "select count(*) from pg_locks"
                              + " where locktype = 'advisory' and not granted")
                      == 0) {
                Thread.onSpinWait();
              }
              return begun;
            });
    assertThat(settling.join().state().isSettled()).isTrue();
    assertThat(published()).containsExactly("1 bob", "2 cid");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theStrongestExclusionCountsAndLiftingItLeavesTheNext() {
    exclude("ann", ExclusionLevel.NO_PRIZE);
    Exclusion strongest = exclude("ann", ExclusionLevel.HIDDEN);
    exclude("ann", ExclusionLevel.UNRANKED);
    assertThat(level()).isEqualTo(ExclusionLevel.HIDDEN);
    exclusions.lift(strongest.id(), "a law", "test");
    assertThat(level()).isEqualTo(ExclusionLevel.UNRANKED);
    live.updateAll();
    assertThat(records.live(day)).hasSize(2);
    world.settle(day);
    assertThat(published()).containsExactly("1 bob", "2 cid", "0 ann");
  }

  /** The day is the 20th, in UTC. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, true",
        "-, 2026-11-20T00:00:00Z, false",
        "-, 2026-11-20T00:00:00.000001Z, true",
        "2026-11-20T23:59:59Z, -, true",
        "2026-11-21T00:00:00Z, -, false",
        "2026-11-20T10:00:00Z, 2026-11-20T11:00:00Z, true",
        "2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z, true"
      })
  void anExclusionIsInForceForPeriodsThatItOverlaps(Instant starts, Instant ends, boolean inForce) {
    var ann = new MemberId("ann");
    exclusions.exclude(new Terms(ann, ExclusionLevel.HIDDEN, null, starts, ends), "a law", "test");
    live.updateAll();
    assertThat(records.live(day)).hasSize(inForce ? 2 : 3);
    world.settle(day);
    assertThat(records.published(day)).hasSize(inForce ? 2 : 3);
  }

  @Test
  void anExclusionFromAnotherBoardIsNotInForce() {
    var other = new BoardId("other");
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, other, null, null), "a law", "test");
    assertThat(level()).isNull();
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.UNRANKED, board.id(), null, null),
        "a law",
        "test");
    assertThat(level()).isEqualTo(ExclusionLevel.UNRANKED);
  }

  private @Nullable ExclusionLevel level() {
    return lists.inForce(day).levels().get(new MemberId("ann"));
  }

  @Test
  void equalExclusionsAndRepeatedLiftsAreRefused() {
    Exclusion made = exclude("ann", ExclusionLevel.HIDDEN);
    assertThatThrownBy(() -> exclude("ann", ExclusionLevel.HIDDEN))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("exclusion " + made.id());
    exclusions.lift(made.id(), "a law", "test");
    assertThatThrownBy(() -> exclusions.lift(made.id(), "a law", "test"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is already lifted");
    assertThatThrownBy(() -> exclusions.lift(-1, "a law", "test")).isInstanceOf(WrongState.class);
    assertThat(exclude("ann", ExclusionLevel.HIDDEN).id())
        .as("once more after the lift")
        .isPositive();
    assertThat(records.number("select count(*) from audit_entry")).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update exclusion set level = 'no-prize'",
        "update exclusion set reason = 'another'",
        "update exclusion set ends_at = now()",
        "delete from exclusion"
      })
  void theDatabaseRejectsChanges(String sql) {
    exclude("ann", ExclusionLevel.HIDDEN);
    assertThatThrownBy(() -> servers.sql(sql))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("it is lifted, once, and never edited");
  }

  @Test
  void aBoardWithOnlyExcludedMembersIsSettled() {
    exclude("ann", ExclusionLevel.HIDDEN);
    exclude("bob", ExclusionLevel.HIDDEN);
    exclude("cid", ExclusionLevel.UNRANKED);
    live.updateAll();
    assertThat(records.live(day)).isEmpty();
    world.settle(day);
    assertThat(published()).containsExactly("0 cid");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void eventsOfExcludedMembersCountAndAppearAfterTheLift() {
    Exclusion made = exclude("cid", ExclusionLevel.HIDDEN);
    live.updateAll();
    world.pass(Duration.ofMinutes(1));
    world.take(Fact.by("cid").does("coin").times(10));
    assertThat(records.live(day)).hasSize(2);
    exclusions.lift(made.id(), "a law", "test");
    live.updateAll();
    assertThat(records.live(day).get(0).member()).isEqualTo("cid");
    assertThat(records.live(day).get(0).points()).isEqualTo(11);
  }
}
