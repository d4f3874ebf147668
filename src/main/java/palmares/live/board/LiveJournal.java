package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static palmares.live.board.LiveBoards.text;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.XTrimArgs;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisClient.Answers;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.ScriptCall;
import palmares.platform.text.Choice;
import palmares.platform.time.Microseconds;

/**
 * Reads and trims the journals of live boards. A journal is a Redis stream; an entry holds the
 * events that one call decided, and its id begins with the number of the last.
 */
@Component
public class LiveJournal {
  /** The largest number of entries of a command, since each may hold many events. */
  private static final int MAX_ENTRIES_PER_COMMAND = 500;

  /** The largest number of events that one call trims, in a few milliseconds. */
  private static final int MAX_EVENTS_PER_TRIM = 20_000;

  private final RedisClient redis;

  LiveJournal(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * Returns the first events that Redis still holds from a number on, in order, up to the end of an
   * entry.
   *
   * @param count how many are wanted; the result is shorter only if Redis holds no more
   */
  public List<JournalEntry> from(Period period, long seq, int count) {
    return read(LiveKeys.of(period).journal(), Boundary.including(Long.toString(seq)), count);
  }

  /** Returns the first events of a stream, as {@link #from} does. */
  List<JournalEntry> first(byte[] stream, int count) {
    return read(stream, Boundary.unbounded(), count);
  }

  /** Passes on every event that Redis holds, page by page. */
  public void all(Period period, int size, Consumer<List<JournalEntry>> page) {
    byte[] stream = LiveKeys.of(period).journal();
    List<JournalEntry> found = first(stream, size);
    while (!found.isEmpty()) {
      page.accept(found);
      found = read(stream, Boundary.excluding(found.get(found.size() - 1).id()), size);
    }
  }

  /** Reads entries in several commands, each sized by the mean size of the entries so far. */
  private List<JournalEntry> read(byte[] stream, Boundary<String> after, int count) {
    var events = new ArrayList<JournalEntry>(count);
    Boundary<String> from = after;
    int entries = 0;
    while (events.size() < count) {
      long perEntry =
          entries == 0 ? ApplyCalls.MAX_EVENTS_PER_CALL : Math.max(1, events.size() / entries);
      long asked = Math.min(1 + (count - events.size()) / perEntry, MAX_ENTRIES_PER_COMMAND);
      Range<String> range = Range.from(from, Boundary.unbounded());
      var found = redis.command(commands -> commands.xrange(stream, range, Limit.from(asked)));
      found.forEach(entry -> events.addAll(JournalEntry.of(entry)));
      entries += found.size();
      if (found.size() < asked) {
        break;
      }
      from = Boundary.excluding(found.get(found.size() - 1).getId());
    }
    return events;
  }

  /**
   * What Redis has of a live board; it was halted if it is torn.
   *
   * @param exists whether Redis has the board, in any state
   * @param isRebuilding whether a rebuild has halted it
   * @param halt why it is halted otherwise; null if it is not
   * @param decided how many events it has decided; 0 if it does not exist
   * @param drained the number of the last event that PostgreSQL had when it was last asked
   * @param first the number at which the first entry of its journal ends; 0 if there is none
   * @param last the number of the last event of its journal; 0 if there is none
   * @param age how long ago the first entry was written
   * @param closed the word of the state that PostgreSQL had committed, and after which it may have
   *     paid; null if none
   * @param ends the end of its period as it knows it, in microseconds; 0 if it does not exist
   */
  public record BoardProgress(
      boolean exists,
      boolean isRebuilding,
      @Nullable Halt halt,
      long decided,
      long drained,
      long first,
      long last,
      Duration age,
      @Nullable String closed,
      long ends) {
    private static final BoardProgress LOST =
        new BoardProgress(false, false, null, 0, 0, 0, 0, Duration.ZERO, null, 0);

    private static BoardProgress of(List<byte[]> answer) {
      if (answer.isEmpty()) {
        return LOST;
      }
      String halt = text(answer.get(3));
      String closed = text(answer.get(7));
      return new BoardProgress(
          true,
          LiveRebuild.isRebuilding(text(answer.get(0))),
          halt.isEmpty() ? null : Choice.of(Halt.class, halt),
          number(answer, 1),
          number(answer, 2),
          number(answer, 4),
          number(answer, 5),
          Duration.of(number(answer, 6), ChronoUnit.MICROS),
          ClosedMarks.reached(closed).map(PeriodState::word).orElse(null),
          number(answer, 8));
    }

    /** Whether it knows another end of its period than PostgreSQL. */
    public boolean hasOtherEnd(Period period) {
      return exists && ends != Microseconds.micros(period.slot().endsAt());
    }

    private static long number(List<byte[]> answer, int at) {
      return Long.parseLong(text(answer.get(at)));
    }
  }

  /** Returns what Redis has of each period's live board, in the same order. */
  public List<BoardProgress> progress(List<Period> periods) {
    return redis.run(LiveScripts.CHECK_BOARD, checks(periods)).stream()
        .map(BoardProgress::of)
        .toList();
  }

  private static List<ScriptCall> checks(List<Period> periods) {
    return periods.stream().map(period -> ScriptCall.on(LiveKeys.of(period).all())).toList();
  }

  /**
   * As {@link #progress}, also while a node of a cluster does not answer.
   *
   * @throws RedisUnavailable if no node answers
   */
  public Answers<BoardProgress> reach(List<Period> periods) {
    Answers<List<byte[]>> answers = redis.runEach(LiveScripts.CHECK_BOARD, checks(periods));
    return new Answers<>(
        answers.each().stream().map(answer -> answer.map(BoardProgress::of)).toList(),
        answers.failure());
  }

  /** Halts the period's live board; does nothing if it does not exist or is torn. Idempotent. */
  public void halt(Period period, Halt halt) {
    setHalt(period, halt, "halt");
  }

  /** Ends such a halt; does nothing if the board is halted for another reason. Idempotent. */
  public void resume(Period period, Halt halt) {
    setHalt(period, halt, "resume");
  }

  private void setHalt(Period period, Halt halt, String change) {
    redis.run(
        LiveScripts.SET_HALT, ScriptCall.on(LiveKeys.of(period).meta()).with(halt.word(), change));
  }

  /**
   * Notes that PostgreSQL has the journal up to the end of an entry, and trims events that need not
   * be kept any more. If the journal does not hold that entry, Redis went back in time: then
   * nothing changes, and the next drain compares.
   *
   * @param entry the id of the entry
   * @param last the number of its last event
   * @param keepFor how long an event is kept after it was decided
   * @param keepEvents how many of the last events are kept longer than that
   */
  public void trim(Period period, String entry, long last, Duration keepFor, long keepEvents) {
    LiveKeys keys = LiveKeys.of(period);
    redis.run(
        LiveScripts.TRIM_JOURNAL,
        ScriptCall.on(keys.journal(), keys.meta())
            .with(
                entry,
                Long.toString(last),
                Long.toString(Microseconds.micros(keepFor)),
                Long.toString(keepEvents),
                Integer.toString(MAX_EVENTS_PER_TRIM)));
  }

  /** Trims no event for a time, since PostgreSQL went back and may do so again. */
  public void keep(Period period, Duration time) {
    redis.run(
        LiveScripts.KEEP_JOURNAL,
        ScriptCall.on(LiveKeys.of(period).meta()).with(Long.toString(Microseconds.micros(time))));
  }

  /** Returns the number up to which the period's live board has trimmed ids. */
  public long forgotten(Period period) {
    byte @Nullable [] number =
        redis.command(
            commands -> commands.hget(LiveKeys.of(period).meta(), "forgotten".getBytes(UTF_8)));
    return number == null ? 0 : Long.parseLong(text(number));
  }

  /**
   * Trims ids whose events PostgreSQL has.
   *
   * @param from the number up to which ids are trimmed before the call
   * @param to the number up to which ids are trimmed after the call
   * @return false if the board is not open, or another process has trimmed ids meanwhile
   */
  public boolean forget(Period period, long from, long to, List<String> ids) {
    LiveKeys keys = LiveKeys.of(period);
    var arguments = new ArrayList<>(List.of(Long.toString(from), Long.toString(to)));
    arguments.addAll(ids);
    return !redis
        .run(
            LiveScripts.TRIM_IDS,
            ScriptCall.on(keys.meta(), keys.ids()).with(arguments.toArray(String[]::new)))
        .isEmpty();
  }

  /** Returns the option of XTRIM that keeps the entries after a number. */
  static XTrimArgs after(long seq) {
    return new XTrimArgs().minId((seq + 1) + "-0");
  }
}
