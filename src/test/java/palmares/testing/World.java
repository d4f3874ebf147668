package palmares.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.Intake;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Sweep;

/** What a test acts through: its own boards, time that it moves, events and closings. */
public final class World {
  /** Every test begins on this Friday. */
  public static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

  /** With a key for every board. */
  public static final EventOrigin ANYBODY = new EventOrigin.Api(Set.of());

  private static final Consumer<String> NOBODY = step -> {};

  private final Servers servers;
  private final TestBoards boards;
  private final SettableClock clock;
  private final Intake intake;
  private final Periods periods;
  private final PeriodTimeline timeline;
  private final Closings closings;
  private final Sweep sweep;

  public World(
      Servers servers,
      TestBoards boards,
      SettableClock clock,
      Intake intake,
      Periods periods,
      PeriodTimeline timeline,
      Closings closings,
      Sweep sweep) {
    this.servers = servers;
    this.boards = boards;
    this.clock = clock;
    this.intake = intake;
    this.periods = periods;
    this.timeline = timeline;
    this.closings = closings;
    this.sweep = sweep;
  }

  /** Empties both stores, and sets the clock back. */
  public void begin() {
    servers.empty();
    boards.begin();
    clock.set(START);
  }

  void end() {
    boards.end();
  }

  /** Puts the boards of {@code jobs/} in force, in place of a test's own. */
  public void useSampleBoards() {
    boards.end();
  }

  public Board board(Rules rules) {
    return boards.add(rules.text());
  }

  public Board board(String rules) {
    return boards.add(rules);
  }

  /** Boards of one catalogue, in the order of their texts. */
  public List<Board> boards(List<String> rules) {
    return boards.addAll(rules);
  }

  /** The board's file is edited, and every process restarted. */
  public Board edit(Board board, Rules rules) {
    return boards.edit(board, rules.text());
  }

  public Instant now() {
    return clock.instant();
  }

  public void now(Instant time) {
    clock.set(time);
  }

  public void pass(Duration time) {
    clock.advance(time);
  }

  public EventOutcome take(Fact fact) {
    return take(List.of(fact)).get(0);
  }

  public List<EventOutcome> take(List<Fact> facts) {
    return take(facts, ANYBODY);
  }

  public List<EventOutcome> take(List<Fact> facts, EventOrigin origin) {
    return intake.take(facts.stream().map(Fact::event).toList(), origin);
  }

  /** The slot of the board that the present time lies in. */
  public Slot slot(Board board) {
    return board.calendar().at(now()).orElseThrow();
  }

  /** The period of the board that the present time lies in, opened if it is not yet. */
  public Period open(Board board) {
    return timeline.open(board, now()).orElseThrow();
  }

  public Period period(Board board, String name) {
    return periods.find(board.id(), new PeriodName(name)).orElseThrow();
  }

  /** The period as its row is now. */
  public Period again(Period period) {
    return periods.get(period.id());
  }

  /** Moves the time to when the period is due, unless it is later already. */
  public Period due(Period period) {
    Instant closes = Objects.requireNonNull(period.closesAt());
    if (now().isBefore(closes)) {
      now(closes);
    }
    return again(period);
  }

  public ClosingResult close(Period period) {
    return close(period, NOBODY);
  }

  /** Closes the period once it is due, watched by somebody who may throw. */
  public ClosingResult close(Period period, Consumer<String> watcher) {
    return closings.close(due(period).id(), ClosingCause.of("test"), watcher);
  }

  /** Closes the period, which must succeed. */
  public Period settle(Period period) {
    ClosingResult closed = close(period);
    if (closed.outcome() != ClosingResult.Status.SETTLED) {
      throw new AssertionError(period.label() + " was not settled: " + closed);
    }
    return closed.period();
  }

  /** Sweeps, and closes all that is due. */
  public List<ClosingResult> sweep() {
    var closed = new ArrayList<ClosingResult>();
    List<CompletableFuture<ClosingResult>> begun;
    do {
      begun = sweep.run();
      begun.forEach(closing -> closed.add(closing.join()));
    } while (!begun.isEmpty());
    return closed;
  }

  /** Many facts, a few hundred in a request. */
  public List<EventOutcome> takeAll(List<Fact> facts, EventOrigin origin) {
    var outcomes = new ArrayList<EventOutcome>(facts.size());
    for (int i = 0; i < facts.size(); i += 500) {
      outcomes.addAll(take(facts.subList(i, Math.min(i + 500, facts.size())), origin));
    }
    return outcomes;
  }
}
