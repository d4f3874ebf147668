package palmares.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Board;
import palmares.board.Layout;
import palmares.board.RankMethod;
import palmares.board.Scale;
import palmares.board.Times;
import palmares.period.Period;
import palmares.period.Population;
import palmares.time.SettableClock;

/** Live boards: made, written to, sealed and dropped. */
@Component
public class LiveBoards {
  private final Redis redis;
  private final Clock clock;

  LiveBoards(Redis redis, Clock clock) {
    this.redis = redis;
    this.clock = clock;
  }

  /** Makes the period's live board, unless it is there, open or sealed. */
  public void open(Period period, Board board) {
    Layout layout = board.layout(period.slot());
    Scale scale = layout.scale();
    var meta = new LinkedHashMap<String, Object>();
    meta.put("starts", Times.micros(period.slot().startsAt()));
    meta.put("ends", Times.micros(period.slot().endsAt()));
    meta.put("closes", period.closesAt() == null ? "" : Times.micros(period.closesAt()));
    meta.put("unit", layout.unit());
    meta.put("deadline", layout.horizon());
    meta.put("tick", scale.resolution().micros());
    meta.put("scoring", scale.scoring().word());
    meta.put("max", scale.maxPoints());
    meta.put("span", scale.span());
    meta.put("then", scale.maxThen());
    meta.put("fewest", scale.fewestThen() ? 1 : 0);
    meta.put("wide", scale.wide() ? 1 : 0);
    meta.put("events", scale.maxEvents());
    meta.put("dense", board.ranks() == RankMethod.DENSE ? 1 : 0);
    redis.run(LuaScript.OPEN, new Redis.Call(new byte[][] {keys(period).meta()}, flat(meta)));
  }

  /** Whether the period has a live board, open or sealed. */
  public boolean exists(Period period) {
    return redis.command(commands -> commands.exists(keys(period).meta())) == 1;
  }

  /** Applies each change by itself, in this order for changes of one board. */
  public List<Decision> apply(List<Change> changes) {
    return redis.run(LuaScript.APPLY, changes.stream().map(this::call).toList()).stream()
        .map(LiveBoards::decision)
        .toList();
  }

  /** What each change's board decided on it before, if it did: as duplicates, or conflicts. */
  public List<Optional<Decision>> decided(List<Change> changes) {
    var calls =
        changes.stream()
            .map(
                change ->
                    new Redis.Call(
                        new byte[][] {change.keys().ids()},
                        arguments(change.id(), change.digest())))
            .toList();
    return redis.run(LuaScript.DECIDED, calls).stream()
        .map(
            answer -> answer.isEmpty() ? Optional.<Decision>empty() : Optional.of(decision(answer)))
        .toList();
  }

  private Redis.Call call(Change change) {
    Action action = change.action();
    Change.Worth worth = change.worth();
    Change.@Nullable Day day = change.day();
    return new Redis.Call(
        change.keys().all(),
        arguments(
            change.id(),
            change.member().value(),
            action.name(),
            change.subject() == null ? "" : change.subject(),
            change.undo() ? "1" : "0",
            Long.toString(change.quantity()),
            Long.toString(worth.points()),
            worth.value() == null ? "" : worth.value().toString(),
            Long.toString(worth.thenBy()),
            change.occurredAt() == null ? movedTime() : micros(change.occurredAt()),
            change.arrival() == Change.Arrival.ANY ? "any" : movedTime(),
            action.oncePer().word(),
            Long.toString(action.maxPerDay()),
            Long.toString(action.maxPerPeriod()),
            day == null ? "" : day.name(),
            day == null ? "" : micros(day.startsAt()),
            day == null ? "" : micros(day.endsAt()),
            change.digest()));
  }

  /** Nothing, so that Redis takes its own time, unless somebody moves the clock. */
  private String movedTime() {
    return clock instanceof SettableClock moved ? micros(moved.instant()) : "";
  }

  private static String micros(Instant time) {
    return Long.toString(Times.micros(time));
  }

  private static Decision decision(List<byte[]> answer) {
    Verdict verdict = Verdict.of(text(answer.get(0)));
    @Nullable Verdict first = answer.size() > 4 ? Verdict.of(text(answer.get(4))) : null;
    return new Decision(
        verdict,
        Long.parseLong(text(answer.get(1))),
        Long.parseLong(text(answer.get(2))),
        Times.instant(Long.parseLong(text(answer.get(3)))),
        first);
  }

  /** Ends all changes, and says what the board holds; empty if the period has no live board. */
  public Optional<Population> seal(Period period) {
    LiveKeys keys = keys(period);
    List<byte[]> held =
        redis.run(
            LuaScript.SEAL,
            new Redis.Call(new byte[][] {keys.meta(), keys.lines()}, new byte[0][]));
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Population(
                Long.parseLong(text(held.get(0))),
                Long.parseLong(text(held.get(1))),
                Long.parseLong(text(held.get(2)))));
  }

  /**
   * Lets the live board take events again, if it is there: where a seal was marked in Redis, and
   * the transaction that would have recorded it was not committed.
   */
  public void unseal(Period period) {
    redis.run(LuaScript.UNSEAL, new Redis.Call(new byte[][] {keys(period).meta()}, new byte[0][]));
  }

  /** Drops all that Redis holds of the period; a late write cannot bring it back. */
  public void drop(Period period) {
    redis.command(commands -> commands.unlink(keys(period).all()));
  }

  static LiveKeys keys(Period period) {
    return new LiveKeys(period.board(), period.name());
  }

  private static byte[][] flat(Map<String, Object> fields) {
    return arguments(
        fields.entrySet().stream()
            .flatMap(field -> List.of(field.getKey(), field.getValue().toString()).stream())
            .toArray(String[]::new));
  }

  static byte[][] arguments(String... texts) {
    var bytes = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      bytes[i] = texts[i].getBytes(UTF_8);
    }
    return bytes;
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
