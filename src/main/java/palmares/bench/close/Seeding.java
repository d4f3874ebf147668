package palmares.bench.close;

import static java.time.ZoneOffset.UTC;

import java.time.LocalDate;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.board.Board;
import palmares.calendar.Slot;
import palmares.live.LiveMemory;
import palmares.live.LiveStarts;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.time.SettableClock;

/**
 * Makes periods that a crowd has taken part in. They are opened by the application itself; what the
 * crowd did stands then where its events would have left it, which the closing proves.
 */
final class Seeding {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

  /** Of how many entries of a key its bytes are estimated. */
  private static final int SAMPLES = 1_000;

  private final SettableClock clock;
  private final Board board;
  private final Watcher watcher;
  private final Periods periods;
  private final LiveStarts starts;
  private final LiveLoad live;
  private final JournalLoad journal;
  private final LiveMemory memory;
  private final JdbcClient jdbc;

  Seeding(Parts parts, Board board, SettableClock clock, Watcher watcher) {
    this.clock = clock;
    this.board = board;
    this.watcher = watcher;
    this.periods = parts.get(Periods.class);
    this.starts = parts.get(LiveStarts.class);
    this.live = new LiveLoad(parts);
    this.journal = new JournalLoad(parts);
    this.memory = parts.get(LiveMemory.class);
    this.jdbc = parts.get(JdbcClient.class);
  }

  /** A period in which nobody takes part, over now. */
  Period nobody(int day) {
    return over(open(day));
  }

  /**
   * A day of the crowd's, over now.
   *
   * @param readings is told what it takes of Redis and of PostgreSQL, by member and by event
   */
  Ground day(Crowd crowd, Readings readings) {
    Period period = open(crowd.day());
    var ground = new Ground(period, board, crowd, crowd.events());
    TableSizes before = TableSizes.now(jdbc);
    try (Task task = watcher.begin("live board", crowd.members())) {
      live.lines(ground, task);
    }
    try (Task task = watcher.begin("answers", ground.events())) {
      live.events(ground, task);
    }
    try (Task task = watcher.begin("journal", ground.events())) {
      journal.load(ground, task);
    }
    over(period);
    double events = ground.events();
    readings.note("events", events);
    readings.note("event_bytes", TableSizes.now(jdbc).grownSince(before, "event") / events);
    readings.note("redis_bytes_per_member", bytes(period, "board") / (double) crowd.members());
    readings.note("redis_bytes_per_event", bytes(period, "ids") / events);
    return ground;
  }

  /** What one of the live board's keys takes in Redis. */
  private long bytes(Period period, String part) {
    long[] bytes = {0};
    memory.scan(
        SAMPLES,
        key -> {
          if (period.name().equals(key.period()) && key.part().equals(part)) {
            bytes[0] += key.bytes();
          }
        });
    return bytes[0];
  }

  private Period open(int day) {
    Slot slot = board.calendar().at(FIRST_DAY.plusDays(day).atStartOfDay(UTC).toInstant()).orElseThrow();
    clock.set(slot.startsAt());
    Period period = periods.open(board, slot);
    starts.start(period, board);
    return period;
  }

  private Period over(Period period) {
    clock.set(Objects.requireNonNull(period.closesAt()));
    return period;
  }
}
