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
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * The journal of a live board: a Redis stream. An entry holds the events that one call decided; its
 * id begins with the number of the last.
 */
@Component
public class LiveJournal {
  /** More entries are read in several commands, since each may hold many events. */
  private static final int MAX_ENTRIES_PER_READ = 500;

  private final RedisClient redis;

  LiveJournal(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * The first events that Redis still holds, in order: all that came with the last of them too.
   *
   * @param count how many are wanted; there are fewer only if Redis holds no more
   */
  public List<JournalEntry> first(Period period, int count) {
    return first(LiveBoards.keys(period).journal(), count);
  }

  /** As {@link #first(Period, int)}, of a stream. */
  List<JournalEntry> first(byte[] stream, int count) {
    return read(stream, Boundary.unbounded(), count);
  }

  /** Every event that Redis holds, page by page. */
  public void all(Period period, int size, Consumer<List<JournalEntry>> page) {
    byte[] stream = LiveBoards.keys(period).journal();
    List<JournalEntry> found = first(stream, size);
    while (!found.isEmpty()) {
      page.accept(found);
      found = read(stream, Boundary.excluding(found.get(found.size() - 1).id()), size);
    }
  }

  /** Reads as many entries at a time as would do if all were as large as those before. */
  private List<JournalEntry> read(byte[] stream, Boundary<String> after, int count) {
    var events = new ArrayList<JournalEntry>(count);
    Boundary<String> from = after;
    int entries = 0;
    while (events.size() < count) {
      long perEntry = entries == 0 ? ApplyCalls.MOST : Math.max(1, events.size() / entries);
      long asked = Math.min(1 + (count - events.size()) / perEntry, MAX_ENTRIES_PER_READ);
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

  /** Those of the periods whose journals hold events, in the same order. */
  public List<JournalBacklog> backlogs(List<Period> periods) {
    List<Long> entries =
        redis.each(periods, (commands, period) -> commands.xlen(LiveBoards.keys(period).journal()));
    var held =
        IntStream.range(0, periods.size())
            .filter(i -> entries.get(i) > 0)
            .mapToObj(periods::get)
            .toList();
    var firsts =
        redis.each(
            held,
            (commands, period) ->
                commands.xrange(
                    LiveBoards.keys(period).journal(), Range.unbounded(), Limit.from(1)));
    var lasts =
        redis.each(
            held,
            (commands, period) ->
                commands.xrevrange(
                    LiveBoards.keys(period).journal(), Range.unbounded(), Limit.from(1)));
    var backlogs = new ArrayList<JournalBacklog>();
    for (int i = 0; i < held.size(); i++) {
      if (!firsts.get(i).isEmpty() && !lasts.get(i).isEmpty()) { // else drained meanwhile
        long first = JournalEntry.of(firsts.get(i).get(0)).get(0).seq();
        long last = JournalEntry.seq(lasts.get(i).get(0).getId());
        backlogs.add(new JournalBacklog(held.get(i), last - first + 1, first));
      }
    }
    return backlogs;
  }

  /**
   * How many events each period's live board has decided, in the same order; 0 where there is no
   * board.
   */
  public List<Long> decided(List<Period> periods) {
    return redis
        .each(
            periods,
            (commands, period) ->
                commands.hget(LiveBoards.keys(period).meta(), "seq".getBytes(UTF_8)))
        .stream()
        .map(seq -> seq == null ? 0 : Long.parseLong(text(seq)))
        .toList();
  }

  /**
   * Forgets the entries up to one that PostgreSQL has by now. If the journal does not hold exactly
   * that entry, Redis went back in time or another process has trimmed it: then nothing is
   * forgotten, and the next drain compares.
   *
   * @param last its last event
   */
  public void trim(Period period, JournalEntry last) {
    redis.run(
        LiveScripts.TRIM,
        new ScriptCall(
            new byte[][] {LiveBoards.keys(period).journal(), LiveBoards.keys(period).meta()},
            new byte[][] {
              last.id().getBytes(UTF_8), last.bytes(), Long.toString(last.seq()).getBytes(UTF_8)
            }));
  }

  /** The number up to which the period's live board has forgotten ids. */
  public long forgotten(Period period) {
    byte @Nullable [] number =
        redis.command(
            commands -> commands.hget(LiveBoards.keys(period).meta(), "forgotten".getBytes(UTF_8)));
    return number == null ? 0 : Long.parseLong(text(number));
  }

  /**
   * Forgets ids whose events PostgreSQL has.
   *
   * @param from the number up to which ids are forgotten
   * @param to the number from now on
   * @return false if the board is not open, or another process has forgotten ids meanwhile
   */
  public boolean forget(Period period, long from, long to, List<String> ids) {
    LiveKeys keys = LiveBoards.keys(period);
    var arguments = new ArrayList<>(List.of(Long.toString(from), Long.toString(to)));
    arguments.addAll(ids);
    return !redis
        .run(
            LiveScripts.FORGET,
            new ScriptCall(
                new byte[][] {keys.meta(), keys.ids()},
                ScriptCall.arguments(arguments.toArray(String[]::new))))
        .isEmpty();
  }

  /** Keeps the entries behind a number. */
  static XTrimArgs after(long seq) {
    return new XTrimArgs().minId((seq + 1) + "-0");
  }
}
