package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The outcomes of events while their period is open. */
@WorldTest
class OutcomesTest {
  @Autowired private World world;
  @Autowired private Records records;

  private Board board;
  private Period period;

  @BeforeEach
  void aDayBoardWithRoomForTen() {
    board = world.board(Rules.day().with("max-points: 10").with(SMALL));
    period = world.open(board);
  }

  private static final String SMALL =
      """
      actions:
        like: { points: 1, undo: true }
        coin: { points: 1, undo: true, max-quantity: 10 }
        view: 2
      """;

  @Test
  void anEventGivesItsPointsOnce() {
    Fact like = Fact.by("ann").on("post");
    assertThat(world.take(like).boards())
        .containsExactly(
            new EventOutcome.OnBoard(board.id(), period.name(), Kind.APPLIED, null, null, 1, 1L));
    EventOutcome second = world.take(like);
    assertThat(second.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(second.boards().get(0).change()).isEqualTo(1);
    assertThat(records.points(period, "ann")).isEqualTo(1);
  }

  @Test
  void anotherEventWithATakenIdIsRefusedAndTheFirstResultApplies() {
    Fact like = Fact.by("ann").on("post");
    world.take(like);
    assertRefused(
        Fact.by("bob").does("coin").times(7).named(like.id()), RefusalReason.CONFLICTING_ID);
    assertThat(world.take(like).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(period, "bob")).isZero();
  }

  @Test
  void anActionOnASubjectCountsOnceAMember() {
    assertThat(world.take(Fact.by("ann").on("post")).kind()).isEqualTo(Kind.APPLIED);
    assertRefused(Fact.by("ann").on("post"), RefusalReason.REPEATED);
    assertThat(world.take(Fact.by("bob").on("post")).kind()).isEqualTo(Kind.APPLIED);
    assertThat(world.take(Fact.by("ann").does("coin").on("post")).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(period, "ann")).isEqualTo(2);
  }

  @Test
  void theDuplicateOfARefusedEventGetsTheSameReason() {
    world.take(Fact.by("ann").on("post"));
    Fact repeat = Fact.by("ann").on("post");
    world.take(repeat);
    EventOutcome again = world.take(repeat);
    assertThat(again.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(again.reason()).isEqualTo(RefusalReason.REPEATED);
  }

  @Test
  void withoutASubjectAnActionCountsEachTime() {
    world.take(List.of(Fact.by("ann"), Fact.by("ann"), Fact.by("ann")));
    assertThat(records.points(period, "ann")).isEqualTo(3);
  }

  @Test
  void anUndoTakesBackExactlyWhatWasGiven() {
    Fact purse = Fact.by("ann").does("coin").on("hunt").times(7);
    world.take(List.of(Fact.by("ann").on("post"), purse));
    EventOutcome undone = world.take(purse.undone());
    assertThat(undone.kind()).isEqualTo(Kind.UNDONE);
    assertThat(undone.boards().get(0).change()).isEqualTo(-7);
    assertThat(records.points(period, "ann")).isEqualTo(1);
  }

  @Test
  void anUndoCountsOnceAndTheActionCountsAgainAfterIt() {
    Fact like = Fact.by("ann").on("post");
    world.take(List.of(like, like.undone()));
    assertRefused(like.undone(), RefusalReason.NOTHING_TO_UNDO);
    assertThat(world.take(like.again()).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(period, "ann")).isEqualTo(1);
  }

  @Test
  void anUndoBeforeItsActionUndoesNothingAndTheActionCounts() {
    Fact like = Fact.by("ann").on("post");
    assertRefused(like.undone(), RefusalReason.NOTHING_TO_UNDO);
    assertThat(world.take(like).kind()).isEqualTo(Kind.APPLIED);
  }

  @Test
  void aMemberWithoutPointsStaysOnTheBoard() {
    Fact like = Fact.by("ann").on("post");
    world.take(List.of(like, like.undone()));
    assertThat(records.live(period)).hasSize(1);
    assertThat(records.live(period).get(0).points()).isZero();
  }

  @Test
  void maxPointsIsReachedButNeverExceeded() {
    assertThat(world.take(Fact.by("ann").does("coin").times(10)).kind()).isEqualTo(Kind.APPLIED);
    Fact more = Fact.by("ann");
    EventOutcome refused = assertRefused(more, RefusalReason.MAX_POINTS);
    assertThat(Texts.english(Objects.requireNonNull(refused.said())))
        .contains("holds 10 points", "1 more would exceed", "max-points of 10");
    assertThat(records.points(period, "ann")).isEqualTo(10);
  }

  @Test
  void anEventRefusedByMaxPointsCountsLaterIfItFits() {
    Fact purse = Fact.by("ann").does("coin").on("hunt").times(10);
    Fact more = Fact.by("ann");
    world.take(purse);
    assertRefused(more, RefusalReason.MAX_POINTS);
    world.take(purse.undone());
    assertThat(world.take(more).kind()).isEqualTo(Kind.APPLIED);
  }

  @Test
  void outcomesAreInTheOrderOfEventsAndABadEventAffectsNoOther() {
    Fact first = Fact.by("ann").on("post");
    var taken =
        world.take(
            List.of(first, Fact.by("ann").does("dance"), first, Fact.by("bob"), first.undone()));
    assertThat(taken.stream().map(EventOutcome::kind))
        .containsExactly(Kind.APPLIED, Kind.REFUSED, Kind.DUPLICATE, Kind.APPLIED, Kind.UNDONE);
  }

  @Test
  void unknownActionsAndBoardsAreRefused() {
    assertRefused(Fact.by("ann").does("dance"), RefusalReason.UNKNOWN_ACTION);
    assertRefused(Fact.by("ann").does("dance").to(board), RefusalReason.UNKNOWN_ACTION);
    var nowhere = new BoardId("nowhere");
    Fact lost = Fact.by("ann");
    assertRefused(
        new Fact(lost.id(), "ann", "like", null, false, 1, null, null, null, nowhere),
        RefusalReason.UNKNOWN_BOARD);
  }

  @Test
  void eventsThatTheRulesDoNotAllowAreRefused() {
    assertRefused(Fact.by("ann").does("view").on("post").undone(), RefusalReason.UNDO_NOT_ALLOWED);
    assertRefused(Fact.by("ann").undone(), RefusalReason.MISSING_FIELD);
    assertRefused(Fact.by("ann").does("coin").times(11), RefusalReason.MAX_QUANTITY);
    assertRefused(Fact.by("ann").times(2), RefusalReason.MAX_QUANTITY);
    assertThat(records.live(period)).isEmpty();
  }

  @Test
  void boardsWithEqualFilesAreDistinct() {
    Board twin = world.board(Rules.day().with("max-points: 10").with(SMALL));
    world.open(twin);
    EventOutcome outcome = world.take(Fact.by("ann").does("view").on("post").undone());
    assertThat(
            outcome.boards().stream().map(on -> Texts.english(Objects.requireNonNull(on.said()))))
        .containsExactly(
            "the board '%s' does not take 'view' back".formatted(board.id()),
            "the board '%s' does not take 'view' back".formatted(twin.id()));
  }

  private EventOutcome assertRefused(Fact fact, RefusalReason reason) {
    EventOutcome outcome = world.take(fact);
    assertThat(outcome.kind()).isEqualTo(Kind.REFUSED);
    assertThat(outcome.reason()).isEqualTo(reason);
    return outcome;
  }
}
