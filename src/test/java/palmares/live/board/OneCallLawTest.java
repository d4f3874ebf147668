package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.live.journal.Journal;
import palmares.live.journal.StoredEvents;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.RandomFacts;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A call with many events has the same effect as one call per event. */
@WorldTest
class OneCallLawTest {
  private static final int ROUNDS = 3;
  private static final int MAX_EVENTS = 1_000;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions liveExclusions;
  @Autowired private EventApplier applier;
  @Autowired private LiveJournal live;
  @Autowired private Journal journal;
  @Autowired private StoredEvents stored;

  @ParameterizedTest
  @ValueSource(
      longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
  void manyEventsInOneCallAreDecidedAsInSingleCalls(long seed) {
    var random = new RandomFacts(seed);
    Rules rules = seed % 2 == 0 ? random.rules().with("ranks: dense") : random.rules();
    Board single = world.board(rules);
    Board batched = world.board(rules);
    Period singly = world.open(single);
    Period together = world.open(batched);
    world.now(singly.slot().endsAt());
    exclusions.exclude(
        new Terms(new MemberId("b"), ExclusionLevel.UNRANKED, null, null, null), "cheats", "test");
    for (int round = 0; round < ROUNDS; round++) {
      List<Fact> facts = random.facts(singly.slot(), MAX_EVENTS);
      var oneByOne =
          facts.stream().map(fact -> RandomFacts.word(world.take(fact.to(single)))).toList();
      var atOnce =
          world.take(facts.stream().map(fact -> fact.to(batched)).toList()).stream()
              .map(RandomFacts::word)
              .toList();
      assertThat(atOnce).as("%s %s", random, facts).isEqualTo(oneByOne);
      liveExclusions.updateAll(); // the first round creates the boards
    }
    assertThat(LiveContent.of(servers, together))
        .as("%s", random)
        .isEqualTo(LiveContent.of(servers, singly));

    assertThat(journal.drain(together)).isEqualTo(journal.drain(singly));
    assertThat(stored.after(together.id(), 0, MAX_EVENTS))
        .as("%s", random)
        .isEqualTo(stored.after(singly.id(), 0, MAX_EVENTS));
  }

  /** Also if its caller finds another period for the event than its time says. */
  @Test
  void theScriptTakesNoEventOfTheEndOfItsPeriod() {
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    world.now(day.slot().endsAt().minusNanos(1_000));
    world.take(Fact.by("ann").at(world.now()));
    assertThat(decided(day, board, day.slot().endsAt())).isEqualTo(Verdict.OUTSIDE);
    assertThat(decided(day, board, day.slot().startsAt().minusNanos(1_000)))
        .isEqualTo(Verdict.OUTSIDE);
    assertThat(decided(day, board, day.slot().startsAt())).isEqualTo(Verdict.APPLIED);
  }

  private Verdict decided(Period day, Board board, Instant at) {
    Fact fact = Fact.by("bob").at(at);
    Action like = board.actions().get("like");
    var change =
        new BoardChange(
            LiveKeys.of(day),
            fact.event(),
            Objects.requireNonNull(like),
            new BoardChange.Worth(1, null, 0),
            at,
            BoardChange.Arrival.ANY,
            null,
            "digest");
    return applier.each(List.of(ApplyRequest.fresh(change))).get(0).verdict();
  }

  @Test
  void theJournalReturnsTheEventsOfACallOneByOne() {
    Period day = world.open(world.board(Rules.day()));
    world.take(List.of(Fact.by("ann").on("a"), Fact.by("bob").on("b"), Fact.by("eve").on("c")));
    world.take(Fact.by("dan").on("d"));

    assertThat(live.from(day, 0, 1)).as("the whole entry").hasSize(3);
    assertThat(live.from(day, 0, MAX_EVENTS).stream().map(JournalEntry::decode))
        .extracting(LiveEntry::seq, LiveEntry::member, LiveEntry::subject)
        .containsExactly(
            tuple(1L, "ann", "a"),
            tuple(2L, "bob", "b"),
            tuple(3L, "eve", "c"),
            tuple(4L, "dan", "d"));
    assertThat(live.from(day, 4, 1)).as("from a number on").hasSize(1);
  }
}
