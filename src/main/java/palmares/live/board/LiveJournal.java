package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static palmares.live.board.LiveBoards.text;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.XTrimArgs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.form.Choice;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * Reads and trims the journals of live boards. A journal is a Redis stream; an entry holds the
 * events that one call decided, and its id begins with the number of the last.
 */
@Component
public class LiveJournal {
  /** The largest number of entries of a command, since each may hold many events. */
  private static final int MAX_ENTRIES_PER_COMMAND = 500;

  private final RedisClient redis;

  LiveJournal(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * The backlog of a live journal. PostgreSQL may have a few of its events already.
   *
   * @param events how many; at least 1
   * @param first the number of the oldest
   */
  public record JournalBacklog(Period period, long events, long first) {}

  /**
   * Returns the first events that Redis still holds, in order, up to the end of an entry.
   *
   * @param count how many are wanted; the result is shorter only if Redis holds no more
   */
  public List<JournalEntry> first(Period period, int count) {
    return first(LiveKeys.of(period).journal(), count);
  }

  /** Returns the first events of a stream, as {@link #first(Period, int)} does. */
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

  /** Returns the backlogs of those of the periods that have one, in the same order. */
  public List<JournalBacklog> backlogs(List<Period> periods) {
    List<Long> entries =
        redis.each(periods, (commands, period) -> commands.xlen(LiveKeys.of(period).journal()));
    var held =
        IntStream.range(0, periods.size())
            .filter(i -> entries.get(i) > 0)
            .mapToObj(periods::get)
            .toList();
    var firsts =
        redis.each(
            held,
            (commands, period) ->
                commands.xrange(LiveKeys.of(period).journal(), Range.unbounded(), Limit.from(1)));
    var lasts =
        redis.each(
            held,
            (commands, period) ->
                commands.xrevrange(
                    LiveKeys.of(period).journal(), Range.unbounded(), Limit.from(1)));
    var backlogs = new ArrayList<JournalBacklog>();
    for (int i = 0; i < held.size(); i++) {
      if (!firsts.get(i).isEmpty() && !lasts.get(i).isEmpty()) { // else it was drained meanwhile
        long first = JournalEntry.of(firsts.get(i).get(0)).get(0).seq();
        long last = JournalEntry.seq(lasts.get(i).get(0).getId());
        backlogs.add(new JournalBacklog(held.get(i), last - first + 1, first));
      }
    }
    return backlogs;
  }

  /**
   * What Redis has of a live board; it was halted if it is torn.
   *
   * @param exists whether Redis has the board, in any state
   * @param isRebuilding whether a rebuild has halted it
   * @param halt why it is halted otherwise; null if it is not
   * @param decided how many events it has decided; 0 if it does not exist
   */
  public record BoardProgress(
      boolean exists, boolean isRebuilding, @Nullable Halt halt, long decided) {
    private static final BoardProgress LOST = new BoardProgress(false, false, null, 0);

    private static BoardProgress of(List<byte[]> answer) {
      if (answer.isEmpty()) {
        return LOST;
      }
      String halt = text(answer.get(3));
      return new BoardProgress(
          true,
          LiveRebuild.isRebuilding(text(answer.get(0))),
          halt.isEmpty() ? null : Choice.of(Halt.class, halt),
          Long.parseLong(text(answer.get(1))));
    }
  }

  /** Returns what Redis has of each period's live board, in the same order. */
  public List<BoardProgress> progress(List<Period> periods) {
    return redis
        .run(
            LiveScripts.CHECK_BOARD,
            periods.stream().map(period -> ScriptCall.on(LiveKeys.of(period).all())).toList())
        .stream()
        .map(BoardProgress::of)
        .toList();
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
   * Trims the journal up to an entry that PostgreSQL has. If the journal does not hold exactly that
   * entry, another process has trimmed it or Redis went back in time: then nothing is trimmed, and
   * the next drain compares.
   *
   * @param last the last event of the entry
   * @return whether it is trimmed
   */
  public boolean trim(Period period, JournalEntry last) {
    return !redis
        .run(
            LiveScripts.TRIM_JOURNAL,
            ScriptCall.on(LiveKeys.of(period).journal(), LiveKeys.of(period).meta())
                .with(
                    last.id().getBytes(UTF_8),
                    last.bytes(),
                    Long.toString(last.seq()).getBytes(UTF_8)))
        .isEmpty();
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
