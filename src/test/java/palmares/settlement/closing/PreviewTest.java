package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.journal.Journal;
import palmares.operations.report.PeriodList;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A preview changes nothing and keeps nobody from working on the period. */
@WorldTest
class PreviewTest {
  private static final String WAITING_FOR_THIS_TRANSACTION =
      """
      select count(*) from pg_locks
      where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Preview preview;
  @Autowired private Sweep sweep;
  @Autowired private PeriodList list;

  private Period day;

  @BeforeEach
  void play() {
    Board board = world.board(Contest.rules());
    day = world.open(board);
    world.take(Contest.facts());
    world.due(day);
    journal.drain(day);
  }

  private String tag() {
    return list.tag(list.get(day.id()));
  }

  @Test
  void aPreviewLeavesThePeriodAsItWas() {
    String tag = tag();
    List<String> rows = records.words("select t::text from period t");
    int rules = preview.ask(day, forecast -> forecast.rules().size());
    assertThat(rules).isPositive();
    assertThat(tag()).isEqualTo(tag);
    assertThat(records.words("select t::text from period t")).isEqualTo(rows);
    assertThat(records.number("select count(*) from revision")).isZero();
  }

  /** The closing takes its lease while one preview is computed, and others follow at once. */
  @Test
  void aLoopOfPreviewsDoesNotKeepAPeriodFromBeingSettled() {
    List<CompletableFuture<ClosingResult>> closings =
        preview.ask(
            day,
            forecast -> {
              // Not in the transaction of the preview, which is rolled back.
              List<CompletableFuture<ClosingResult>> begun =
                  CompletableFuture.supplyAsync(sweep::run).join();
              while (list.get(day.id()).workedOnBy() == null) {
                Thread.onSpinWait();
              }
              return begun;
            });
    var closing = CompletableFuture.allOf(closings.toArray(CompletableFuture[]::new));
    while (!closing.isDone()) {
      try {
        preview.ask(world.again(day), forecast -> forecast);
      } catch (WrongState refused) {
        assertThat(refused).hasMessageContaining("is being closed");
      }
    }
    assertThat(closings.stream().map(CompletableFuture::join))
        .extracting(ClosingResult::outcome)
        .containsExactly(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Neither another preview of the board, nor a closing whose tables begin a volume. */
  @Test
  void noOtherPeriodWaitsForAPreview() {
    Board board =
        world.board(Contest.rules().with("payout: { budget: { credits: { month: 9 } } }"));
    Period first = world.open(board);
    world.take(Contest.facts());
    world.due(first);
    Period second = world.open(board);
    journal.drain(first);
    int volume = (int) records.number("select last_value / 256 + 1 from own_outcome");
    servers.sql("alter sequence own_outcome restart " + (volume * 256 + 1));

    preview.ask(
        first,
        forecast -> {
          assertThat(forecast.reasons()).hasSize(1);
          var work =
              CompletableFuture.supplyAsync(
                  () -> {
                    long members = preview.ask(second, other -> other.members());
                    return world.close(day).outcome() + " after a preview of " + members;
                  });
          while (!work.isDone()) {
            assertThat(records.number(WAITING_FOR_THIS_TRANSACTION)).isZero();
          }
          assertThat(work.join()).isEqualTo("SETTLED after a preview of 0");
          return forecast;
        });
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void oneOpenPeriodHasOnePreviewAtATime() {
    preview.ask(
        day,
        forecast -> {
          assertThatThrownBy(
                  () ->
                      CompletableFuture.supplyAsync(() -> preview.ask(day, other -> other)).join())
              .hasCauseInstanceOf(PeriodBusy.class);
          return forecast;
        });
    boolean isEstimate = preview.ask(day, forecast -> forecast.estimate());
    assertThat(isEstimate).isTrue();
  }
}
