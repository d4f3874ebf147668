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
import palmares.live.board.ApplyCalls;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.BoardChange.Worth;
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
 * The floor of Redis: the script that applies events, called for each by a plain client, and its
 * answers thrown away. Two pipelines are under way at a time, so that Redis never waits.
 */
final class RawScript implements Way {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Days days;
  private final LiveBoards live;
  private final ApplyCalls calls;
  private final StatefulRedisConnection<byte[], byte[]> redis;
  private final Crowd crowd;
  private final int batch;

  /**
   * @param batch how many calls are sent at once; 1 for one by one
   */
  RawScript(
      Days days,
      LiveBoards live,
      ApplyCalls calls,
      StatefulRedisConnection<byte[], byte[]> redis,
      Crowd crowd,
      int batch) {
    this.days = days;
    this.live = live;
    this.calls = calls;
    this.redis = redis;
    this.crowd = crowd;
    this.batch = batch;
  }

  @Override
  public Sent write(Slot day, long first, int events) {
    Period period = days.unrecorded(day);
    live.make(period, days.board());
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
    return new Sent(Pace.of(events, System.nanoTime() - begun, took), 0);
  }

  private List<RedisFuture<?>> send(Period period, String digest, long first) {
    var keys = new LiveKeys(period.board(), period.name());
    var sent = new ArrayList<RedisFuture<?>>(batch);
    for (long at = first; at < first + batch; at += ApplyCalls.MOST) {
      ScriptCall call =
          calls.of(
              LongStream.range(at, Math.min(at + ApplyCalls.MOST, first + batch))
                  .mapToObj(number -> change(keys, crowd.deed(number)))
                  .toList());
      sent.add(
          redis.async().evalsha(digest, ScriptOutputType.MULTI, call.keys(), call.arguments()));
    }
    return sent;
  }

  private BoardChange change(LiveKeys keys, Deed deed) {
    Board board = days.board();
    Action action = Objects.requireNonNull(board.actions().get(Deed.ACTION), Deed.ACTION);
    String digest = deed.id().substring(0, 16);
    return new BoardChange(
        keys,
        deed.id(),
        new MemberId(deed.member()),
        action,
        null,
        false,
        deed.points(),
        new Worth(action.points() * deed.points(), null, 0),
        null,
        Arrival.NOW,
        null,
        digest);
  }

  private static void await(List<RedisFuture<?>> sent) {
    if (!LettuceFutures.awaitAll(PATIENCE, sent.toArray(RedisFuture[]::new))) {
      throw new IllegalStateException("Redis did not answer within " + PATIENCE);
    }
  }

  @Override
  public Optional<Population> collect(Slot day) {
    return days.collect(days.unrecorded(day));
  }
}
