package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A batch is decided as if its events were sent one by one, even if some are deferred. */
@WorldTest
class BatchOrderTest {
  /** The number of an event that is never the next. */
  private static final Long NEVER = 1_000_000L;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private EventApplier eventApplier;
  @Autowired private LiveBoardCreation starts;

  private Board board;
  private Period day;

  @BeforeEach
  void aBoard() {
    board =
        world.board(
            Rules.day()
                .with("max-points: 100")
                .with(
                    """
                    actions:
                      like: { points: 1, undo: true }
                      coin: { points: 1, max-quantity: 100 }
                    """));
    day = world.open(board);
    starts.start(day, board);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 50})
  void aDeferredEventDefersLaterEventsOfItsBoardOnly(int mostInCall) {
    Board other = world.board(Rules.day());
    Period elsewhere = world.open(other);
    starts.start(elsewhere, other);
    List<Decision> decisions =
        eventApplier.inTurn(
            List.of(
                order(day, board, "e1", null),
                order(elsewhere, other, "f1", null),
                order(day, board, "e2", NEVER),
                order(day, board, "e1", null),
                order(elsewhere, other, "f2", null),
                order(day, board, "e3", null)),
            mostInCall);
    assertThat(decisions.stream().map(Decision::verdict))
        .containsExactly(
            Verdict.APPLIED,
            Verdict.APPLIED,
            Verdict.OUT_OF_STEP,
            Verdict.WAITING,
            Verdict.APPLIED,
            Verdict.WAITING);
    assertThat(LiveContent.of(servers, day).keys()).as("no trace of the batch").hasSize(3);
  }

  @Test
  void independentEventsAreDeferredOneByOne() {
    List<Decision> decisions =
        eventApplier.each(List.of(order(day, board, "e1", NEVER), order(day, board, "e2", null)));
    assertThat(decisions.stream().map(Decision::verdict))
        .containsExactly(Verdict.OUT_OF_STEP, Verdict.APPLIED);
  }

  @Test
  void aRefusedEventDefersNoOther() {
    List<EventOutcome> outcomes =
        world.take(
            List.of(
                Fact.by("ann").does("coin").times(60),
                Fact.by("ann").does("coin").times(60),
                Fact.by("ann").does("coin").times(40),
                Fact.by("bob")));
    assertThat(outcomes.stream().map(EventOutcome::kind))
        .containsExactly(Kind.APPLIED, Kind.REFUSED, Kind.APPLIED, Kind.APPLIED);
  }

  @Test
  void deferredEventsAreSentAgainInOrder() {
    servers.flush();
    servers.sql("update period set live_at = null");
    Fact like = Fact.by("ann").on("post");
    List<EventOutcome> outcomes = world.take(List.of(like, like.undone(), like.again()));
    assertThat(outcomes.stream().map(EventOutcome::kind))
        .containsExactly(Kind.APPLIED, Kind.UNDONE, Kind.APPLIED);
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  private static ApplyRequest order(Period period, Board board, String id, @Nullable Long number) {
    var entry =
        new LiveEntry(1, id, "ann", "like", null, Verdict.APPLIED, 1, 1, null, 0, "", World.START);
    return new ApplyRequest(
        BoardChange.again(LiveKeys.of(period), entry, board), "open", number, 0);
  }
}
