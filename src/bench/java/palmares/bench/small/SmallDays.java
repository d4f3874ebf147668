package palmares.bench.small;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import palmares.bench.Beans;
import palmares.bench.ProgressListener.Task;
import palmares.bench.WrongResult;
import palmares.live.board.Event;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.Intake;
import palmares.period.DuePeriods;
import palmares.platform.time.SettableClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Sweep;

/**
 * Fills the days of many small boards through the intake, and closes them by the sweep and the
 * queue.
 */
final class SmallDays {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

  /** Time after midnight at which the periods are due. */
  private static final Duration DUE_AFTER_MIDNIGHT = Duration.ofMinutes(10).plusSeconds(1);

  private static final int BATCH = 500;
  private static final int MAX_PLAYS = 1_000;

  /** Approximate number of boards that a member plays on. */
  private static final int BOARDS_PER_MEMBER = 5;

  private static final EventOrigin ORIGIN = new EventOrigin.Api(Set.of());

  private final SmallBoards boards;
  private final SettableClock clock;
  private final Intake intake;
  private final Sweep sweep;
  private final DuePeriods duePeriods;
  private final ClosingQueue queue;
  private LocalDate day = FIRST_DAY;

  SmallDays(Beans beans, SmallBoards boards, SettableClock clock) {
    this.boards = boards;
    this.clock = clock;
    this.intake = beans.get(Intake.class);
    this.sweep = beans.get(Sweep.class);
    this.duePeriods = beans.get(DuePeriods.class);
    this.queue = beans.get(ClosingQueue.class);
  }

  /**
   * Sends an event of each member of each board.
   *
   * @param members members of each board
   * @throws WrongResult if an event is not applied
   */
  void fill(int members, Random random, Task task) {
    clock.set(day.atTime(12, 0).toInstant(ZoneOffset.UTC));
    int allMembers = Math.max(members, boards.count() * members / BOARDS_PER_MEMBER);
    var batch = new ArrayList<Event>(BATCH);
    long taken = 0;
    for (BoardId board : boards.ids()) {
      int first = random.nextInt(allMembers);
      for (int n = 0; n < members; n++) {
        batch.add(play(board, "member-" + (first + n) % allMembers, random));
        if (batch.size() == BATCH) {
          taken += take(batch);
          task.at(taken);
        }
      }
    }
    task.at(taken + take(batch));
  }

  /** An event with a heavy-tailed number of plays. */
  private Event play(BoardId board, String member, Random random) {
    long plays = Math.min(MAX_PLAYS, Math.round(1 / (1 - random.nextDouble())));
    return new Event(
        "%s %s %s".formatted(day, board, member),
        new MemberId(member),
        SmallBoards.ACTION,
        null,
        false,
        plays,
        null,
        null,
        null,
        board);
  }

  private int take(List<Event> batch) {
    for (EventOutcome outcome : intake.take(batch, ORIGIN)) {
      if (outcome.kind() != EventOutcome.Kind.APPLIED) {
        throw new WrongResult("an event was not applied: " + outcome);
      }
    }
    int taken = batch.size();
    batch.clear();
    return taken;
  }

  /**
   * Ends the day, and waits until all its periods are settled.
   *
   * @throws WrongResult if a period is not settled
   */
  void close(Task task) {
    day = day.plusDays(1);
    clock.set(day.atStartOfDay().toInstant(ZoneOffset.UTC).plus(DUE_AFTER_MIDNIGHT));
    sweep.prepare();
    List<CompletableFuture<ClosingResult>> closings =
        queue.close(duePeriods.due(), ClosingCause.of("schedule"));
    if (closings.size() != boards.count()) {
      throw new WrongResult(
          "%d periods are due, not %d".formatted(closings.size(), boards.count()));
    }
    for (int i = 0; i < closings.size(); i++) {
      WrongResult.requireSettled(closings.get(i).join());
      task.at(i + 1);
    }
  }
}
