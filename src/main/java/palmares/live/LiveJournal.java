package palmares.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XTrimArgs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import palmares.board.Times;
import palmares.period.Period;

/** The journal beside a live board: a Redis stream whose ids are the events' numbers. */
@Component
public class LiveJournal {
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
    Map<String, String> body =
        message.getBody().entrySet().stream()
            .collect(
                Collectors.toMap(
                    field -> new String(field.getKey(), UTF_8),
                    field -> new String(field.getValue(), UTF_8)));
    Instant occurredAt = Times.instant(Long.parseLong(field(body, "occurred")));
    String subject = field(body, "subject");
    return new LiveEntry(
        seq(message),
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
        occurredAt);
  }

  private static String field(Map<String, String> body, String name) {
    String value = body.get(name);
    if (value == null) {
      throw new IllegalStateException("a journal entry lacks its field " + name + ": " + body);
    }
    return value;
  }
}
