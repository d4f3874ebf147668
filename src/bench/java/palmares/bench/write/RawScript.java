package palmares.bench.write;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import palmares.bench.write.SendResult.Pace;
import palmares.bench.write.Volley.CoinEvent;
import palmares.bench.write.Volley.CoinEvents;
import palmares.live.board.ApplyCalls;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.BoardChange.Worth;
import palmares.live.board.Event;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveKeys;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.Slot;

/**
 * The floor of Redis: a plain client calls the apply script and discards the answers. Two pipelines
 * are in flight, so that Redis is never idle.
 */
final class RawScript implements Way {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final BoardDays days;
  private final LiveBoards live;
  private final ApplyCalls calls;
  private final StatefulRedisConnection<byte[], byte[]> redis;
  private final CoinEvents source;
  private final int batch;

  /**
   * @param batch number of events in a pipeline; 1 for single calls
   */
  RawScript(
      BoardDays days,
      LiveBoards live,
      ApplyCalls calls,
      StatefulRedisConnection<byte[], byte[]> redis,
      CoinEvents source,
      int batch) {
    this.days = days;
    this.live = live;
    this.calls = calls;
    this.redis = redis;
    this.source = source;
    this.batch = batch;
  }

  @Override
  public SendResult write(Slot day, long first, int events) {
    Period period = days.unrecorded(day);
    live.create(period, days.board());
    live.open(period);
    String digest = redis.sync().scriptLoad(calls.script());
    var took = new long[events / batch];
    long begun = System.nanoTime();
    redis.setAutoFlushCommands(batch == 1);
    try {
      long sentAt = begun;
      List<RedisFuture<?>> sent = List.of();
      for (int i = 0; i < took.length; i++) {
        List<RedisFuture<?>> next = send(period, digest, first + (long) i * batch);
        if (batch > 1) {
          redis.flushCommands();
        }
        await(sent);
        took[i] = System.nanoTime() - sentAt;
        sentAt = System.nanoTime();
        sent = next;
      }
      await(sent);
    } finally {
      redis.setAutoFlushCommands(true);
    }
    return new SendResult(Pace.of(events, System.nanoTime() - begun, took), 0);
  }

  private List<RedisFuture<?>> send(Period period, String digest, long first) {
    var keys = new LiveKeys(period.board(), period.name());
    var sent = new ArrayList<RedisFuture<?>>(batch);
    for (long at = first; at < first + batch; at += ApplyCalls.MAX_EVENTS_PER_CALL) {
      ScriptCall call =
          calls.of(
              LongStream.range(at, Math.min(at + ApplyCalls.MAX_EVENTS_PER_CALL, first + batch))
                  .mapToObj(number -> change(keys, source.event(number)))
                  .toList());
      sent.add(
          redis.async().evalsha(digest, ScriptOutputType.MULTI, call.keys(), call.arguments()));
    }
    return sent;
  }

  private BoardChange change(LiveKeys keys, CoinEvent event) {
    Board board = days.board();
    Action action = Objects.requireNonNull(board.actions().get(event.action()), event.action());
    String digest = event.id().substring(0, 16);
    return new BoardChange(
        keys,
        new Event(
            event.id(),
            new MemberId(event.member()),
            event.action(),
            null,
            false,
            event.points(),
            null,
            null,
            null,
            null),
        action,
        new Worth(action.points() * event.points(), null, 0),
        null,
        Arrival.NOW,
        null,
        digest);
  }

  private static void await(List<RedisFuture<?>> sent) {
    if (!LettuceFutures.awaitAll(TIMEOUT, sent.toArray(RedisFuture[]::new))) {
      throw new IllegalStateException("Redis did not answer within " + TIMEOUT);
    }
  }

  @Override
  public Optional<Population> collect(Slot day) {
    return days.collect(days.unrecorded(day));
  }
}
