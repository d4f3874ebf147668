package palmares.bench.small;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.closing.Closed;
import palmares.closing.Sweep;
import palmares.intake.Event;
import palmares.intake.Intake;
import palmares.intake.Origin;
import palmares.intake.Outcome;
import palmares.time.SettableClock;

/**
 * Days of many small boards: filled by events through the intake, and closed by the sweep and the
 * queue that close any other.
 */
public final class SmallPeriods {
  private static final int BATCH = 500;
  private static final int MOST_PLAYS = 1_000;

  /** On how many of the boards a member plays, about. */
  private static final int BOARDS_A_MEMBER = 5;

  /** After it, what ended at midnight is due. */
  private static final Duration PAST_GRACE = Duration.ofMinutes(10).plusSeconds(1);

  private static final Origin ANYBODY = new Origin.Api(Set.of());

  private final SmallBoards boards;
  private final SettableClock clock;
  private final Intake intake;
  private final Sweep sweep;
  private LocalDate day = SmallBoards.FIRST_DAY;

  public SmallPeriods(SmallBoards boards, SettableClock clock, Intake intake, Sweep sweep) {
    this.boards = boards;
    this.clock = clock;
    this.intake = intake;
    this.sweep = sweep;
  }

  /** What the clock must say before the application starts. */
  public static Instant begin() {
    return noon(SmallBoards.FIRST_DAY);
  }

  private static Instant noon(LocalDate day) {
    return day.atTime(12, 0).toInstant(ZoneOffset.UTC);
  }

  /**
   * Lets members play on every board; each once, so that all of them stand there.
   *
   * @param members how many on each
   * @param taken is told how many events were
   * @throws IllegalStateException if an event does not count
   */
  public void fill(int members, Random random, LongConsumer taken) {
    clock.set(noon(day));
    int everybody = Math.max(members, boards.count() * members / BOARDS_A_MEMBER);
    var batch = new ArrayList<Event>(BATCH);
    long sent = 0;
    for (BoardId board : boards.ids()) {
      int first = random.nextInt(everybody);
      for (int n = 0; n < members; n++) {
        batch.add(play(board, (first + n) % everybody, random));
        if (batch.size() == BATCH) {
          take(batch);
          taken.accept(sent += BATCH);
        }
      }
    }
    take(batch);
  }

  /** Few play a lot. */
  private Event play(BoardId board, int member, Random random) {
    long plays = Math.min(MOST_PLAYS, Math.round(1 / (1 - random.nextDouble())));
    String name = "member-" + member;
    String id = day + ":" + board + ":" + name;
    return new Event(
        id,
        new MemberId(name),
        SmallBoards.ACTION,
        null,
        false,
        plays,
        null,
        null,
        null,
        board);
  }

  private void take(List<Event> batch) {
    for (Outcome outcome : intake.take(batch, ANYBODY)) {
      if (outcome.kind() != Outcome.Kind.APPLIED) {
        throw new IllegalStateException("an event does not count: " + outcome);
      }
    }
    batch.clear();
  }

  /**
   * Lets the day end, and waits until all that is due by then is settled.
   *
   * @param settled is told how many periods are
   * @throws IllegalStateException if one of them is not
   */
  public void close(LongConsumer settled) {
    day = day.plusDays(1);
    clock.set(day.atStartOfDay().toInstant(ZoneOffset.UTC).plus(PAST_GRACE));
    List<CompletableFuture<Closed>> closings = sweep.run();
    if (closings.size() != boards.count()) {
      throw new IllegalStateException(
          "%d periods are due, not %d".formatted(closings.size(), boards.count()));
    }
    for (int i = 0; i < closings.size(); i++) {
      Closed closed = closings.get(i).join();
      if (closed.outcome() != Closed.Outcome.SETTLED) {
        throw new IllegalStateException(
            "%s is not settled: %s".formatted(closed.period().label(), closed.detail()));
      }
      settled.accept(i + 1);
    }
  }
}
