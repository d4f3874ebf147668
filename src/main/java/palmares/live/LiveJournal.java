package palmares.live;

import static palmares.live.LiveBoards.text;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XTrimArgs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.board.Times;
import palmares.period.Period;

/** The journal beside a live board: a Redis stream whose ids are the events' numbers. */
@Component
public class LiveJournal {
  private static final String WHOLE = "event";
  private static final String SEPARATOR = "\037";
  private static final int WORDS = 11;

  private final Redis redis;

  LiveJournal(Redis redis) {
    this.redis = redis;
  }

  /** The first entries that Redis still holds, in order. */
  public List<LiveEntry> first(Period period, int count) {
    List<StreamMessage<byte[], byte[]>> messages =
        redis.command(
            commands ->
                commands.xrange(
                    LiveBoards.keys(period).journal(), Range.unbounded(), Limit.from(count)));
    return messages.stream().map(LiveJournal::entry).toList();
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
      firsts.get(i).forEach(first -> backlogs.add(new Backlog(period, entries, seq(first))));
    }
    return backlogs;
  }

  /** Forgets the entries up to a number, which PostgreSQL has by now. */
  public void trim(Period period, long seq) {
    redis.command(commands -> commands.xtrim(LiveBoards.keys(period).journal(), after(seq)));
  }

  /** Keeps the entries behind a number. */
  static XTrimArgs after(long seq) {
    return new XTrimArgs().minId((seq + 1) + "-0");
  }

  private static long seq(StreamMessage<byte[], byte[]> message) {
    String id = message.getId();
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }

  static LiveEntry entry(StreamMessage<byte[], byte[]> message) {
    Map<String, String> body = new HashMap<>();
    message.getBody().forEach((name, value) -> body.put(text(name), text(value)));
    String whole = body.get(WHOLE);
    return whole == null ? entry(seq(message), body) : entry(seq(message), whole);
  }

  /** As the script writes it. */
  private static LiveEntry entry(long seq, String whole) {
    String[] words = whole.split(SEPARATOR, -1);
    if (words.length < WORDS) {
      throw new IllegalStateException("the journal's entry " + seq + " is no event: " + whole);
    }
    return new LiveEntry(
        seq,
        words[0],
        words[1],
        words[2],
        words[3].isEmpty() ? null : words[3],
        Verdict.of(words[4]),
        Long.parseLong(words[5]),
        Long.parseLong(words[6]),
        words[8].isEmpty() ? null : Long.valueOf(words[8]),
        Long.parseLong(words[9]),
        words[10],
        Times.instant(Long.parseLong(words[7])));
  }

  /** As earlier versions wrote it, a field for each word. */
  private static LiveEntry entry(long seq, Map<String, String> body) {
    String subject = field(body, "subject");
    return new LiveEntry(
        seq,
        field(body, "id"),
        field(body, "member"),
        field(body, "action"),
        subject.isEmpty() ? null : subject,
        Verdict.of(field(body, "outcome")),
        Long.parseLong(field(body, "quantity")),
        Long.parseLong(field(body, "points")),
        body.getOrDefault("value", "").isEmpty() ? null : Long.valueOf(field(body, "value")),
        Long.parseLong(body.getOrDefault("then", "0")),
        body.get("digest"),
        Times.instant(Long.parseLong(field(body, "occurred"))));
  }

  private static String field(Map<String, String> body, String name) {
    String value = body.get(name);
    if (value == null) {
      throw new IllegalStateException("a journal entry lacks its field " + name + ": " + body);
    }
    return value;
  }
}
