package palmares.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static palmares.live.LiveBoards.text;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XTrimArgs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;

/** The journal of a live board: a Redis stream whose ids begin with the events' numbers. */
@Component
public class LiveJournal {
  private final Redis redis;

  LiveJournal(Redis redis) {
    this.redis = redis;
  }

  /** The first entries that Redis still holds, in order. */
  public List<JournalEntry> first(Period period, int count) {
    return read(period, Range.unbounded(), count);
  }

  /** Every entry that Redis holds, page by page. */
  public void all(Period period, int size, Consumer<List<JournalEntry>> page) {
    List<JournalEntry> found = first(period, size);
    while (!found.isEmpty()) {
      page.accept(found);
      String last = found.get(found.size() - 1).id();
      found = read(period, Range.from(Boundary.excluding(last), Boundary.unbounded()), size);
    }
  }

  private List<JournalEntry> read(Period period, Range<String> range, int count) {
    return redis
        .command(
            commands ->
                commands.xrange(LiveBoards.keys(period).journal(), range, Limit.from(count)))
        .stream()
        .map(JournalEntry::of)
        .toList();
  }

  /** Those of the periods whose journals hold entries, in the same order. */
  public List<Backlog> backlogs(List<Period> periods) {
    List<Long> entries =
        redis.each(periods, (commands, period) -> commands.xlen(LiveBoards.keys(period).journal()));
    var held = new LinkedHashMap<Period, Long>();
    for (int i = 0; i < periods.size(); i++) {
      if (entries.get(i) > 0) {
        held.put(periods.get(i), entries.get(i));
      }
    }
    return backlogs(held);
  }

  private List<Backlog> backlogs(Map<Period, Long> held) {
    List<Period> periods = List.copyOf(held.keySet());
    List<List<StreamMessage<byte[], byte[]>>> firsts =
        redis.each(
            periods,
            (commands, period) ->
                commands.xrange(
                    LiveBoards.keys(period).journal(), Range.unbounded(), Limit.from(1)));
    var backlogs = new ArrayList<Backlog>();
    for (int i = 0; i < periods.size(); i++) {
      Period period = periods.get(i);
      long entries = Objects.requireNonNull(held.get(period));
      firsts
          .get(i)
          .forEach(
              first -> backlogs.add(new Backlog(period, entries, JournalEntry.of(first).seq())));
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
   */
  public void trim(Period period, JournalEntry last) {
    redis.run(
        LuaScript.TRIM,
        new ScriptCall(
            new byte[][] {LiveBoards.keys(period).journal()},
            new byte[][] {
              last.id().getBytes(UTF_8), last.bytes(), (last.seq() + 1 + "-0").getBytes(UTF_8)
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
            LuaScript.FORGET,
            new ScriptCall(
                new byte[][] {keys.meta(), keys.ids()},
                LiveBoards.arguments(arguments.toArray(String[]::new))))
        .isEmpty();
  }

  /** Keeps the entries behind a number. */
  static XTrimArgs after(long seq) {
    return new XTrimArgs().minId((seq + 1) + "-0");
  }
}
