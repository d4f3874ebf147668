package palmares.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.platform.text.Next;
import palmares.rules.board.Board;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.Sweep;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** While a board is paused, no closing of it starts, and its events count. */
@WorldTest
class PausesTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private BoardPauses pauses;
  @Autowired private DuePeriods due;
  @Autowired private Sweep sweep;
  @Autowired private Approvals approvals;

  private Period over(Rules rules) {
    Period day = world.open(world.board(rules));
    world.take(Contest.facts());
    return world.due(day);
  }

  @Test
  void noClosingOfAPausedBoardStartsAndOthersDo() {
    Period paused = world.open(world.board(Contest.rules()));
    Period other = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.due(other);
    pauses.pause(paused.board(), "ann", "prizes are checked");
    assertThat(due.due()).containsExactly(other.id());
    assertThat(due.dueOnDemand()).containsExactly(other.id());
    assertThat(due.countDueOnPausedBoards()).isEqualTo(Map.of(paused.board(), 1L));
    sweep.run().forEach(closing -> closing.join());
    assertThat(world.again(other).state()).isEqualTo(PeriodState.SETTLED);
    assertThatThrownBy(() -> world.close(paused))
        .isInstanceOf(WrongState.class)
        .hasMessageStartingWith("board %s is paused since ", paused.board())
        .hasMessageContaining("by ann (prizes are checked)")
        .hasMessageEndingWith("and no closing of it starts")
        .satisfies(
            refusal ->
                assertThat(((WrongState) refusal).next())
                    .containsExactly(Next.of("resume").with("board", paused.board())));
    assertThat(world.again(paused).state()).isEqualTo(PeriodState.OPEN);
    assertThat(records.number("select count(*) from run where period_id = ?", paused.id().value()))
        .isZero();

    pauses.resume(paused.board(), "bob", "they are right");
    sweep.run().forEach(closing -> closing.join());
    assertThat(world.again(paused).state()).isEqualTo(PeriodState.SETTLED);
    assertThat(records.paid(world.again(paused))).isEqualTo(Contest.PAID);
    assertThat(
            records.words(
                """
                select verb || ' by ' || by || coalesce(' of ' || (
                  select other.verb from audit_entry other
                  where other.verb = 'pause' and other.board = entry.board
                    and other.at = (entry.details->>'from')::timestamptz), '')
                from audit_entry entry
                order by id
                """))
        .contains("pause by ann", "resume by bob of pause");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void eventsOfAPausedBoardCount() {
    Board board = world.board(Rules.day());
    pauses.pause(board.id(), "ann", "why not");
    Period day = world.open(board);
    world.take(Fact.by("ann"));
    assertThat(records.points(day, "ann")).isEqualTo(1);
    world.pass(Duration.ofDays(2));
    pauses.resume(board.id(), "ann", "done");
    assertThat(world.settle(day).state()).isEqualTo(PeriodState.SETTLED);
  }

  @Test
  void aHeldClosingIsNotApprovedWhileItsBoardIsPaused() {
    Period held = over(Contest.rules().with("payout: { approval: required }"));
    world.close(held);
    pauses.pause(held.board(), "ann", "wait");
    var decision = new ApprovalDecision("bob", "fine", null);
    assertThatThrownBy(() -> approvals.approve(held.id(), decision))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is paused");
    pauses.resume(held.board(), "ann", "go on");
    assertThat(approvals.approve(held.id(), decision)).isEmpty();
  }

  @Test
  void aBoardIsPausedOnceAndResumedOnce() {
    Board board = world.board(Rules.day());
    pauses.pause(board.id(), "ann", "first");
    assertThatThrownBy(() -> pauses.pause(board.id(), "bob", "second"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is already paused, since")
        .hasMessageEndingWith("by ann (first)");
    pauses.resume(board.id(), "bob", "enough");
    assertThatThrownBy(() -> pauses.resume(board.id(), "bob", "again"))
        .isInstanceOf(WrongState.class)
        .hasMessage("board %s is not paused", board.id());
    assertThat(records.number("select count(*) from audit_entry")).isEqualTo(2);
  }
}
