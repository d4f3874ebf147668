package palmares.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Times;
import palmares.live.Applying.Order;
import palmares.time.SettableClock;

/** What applying events sends to Redis; for those too who send it by other means, to compare. */
@Component
@EnableConfigurationProperties(LiveSettings.class)
public class ApplyCalls {
  /**
   * So many events a call, at the most: about two milliseconds in which Redis serves nobody else.
   */
  public static final int MOST = 50;

  private final Clock clock;
  private final byte[] mostEntries;

  ApplyCalls(Clock clock, LiveSettings settings) {
    this.clock = clock;
    this.mostEntries = bytes(Long.toString(settings.maxBacklog()));
  }

  /** Where a call stands among those of its batch on its board. */
  record Turn(String place, @Nullable String batch) {
    /** Of events that do not wait for each other. */
    static final Turn NONE = new Turn("", null);

    /** Call {@code number} of {@code calls}. */
    static Turn of(String batch, int number, int calls) {
      if (calls == 1) {
        return new Turn("only", null);
      }
      return new Turn(number == 0 ? "first" : number == calls - 1 ? "last" : "next", batch);
    }
  }

  /** An event, as the script reads it, and what it has in common with all of its call. */
  record Spelled(LiveKeys keys, String state, byte[][] words) {}

  /** The script that is called. */
  public byte[] script() {
    return LuaScript.APPLY.text().clone();
  }

  /**
   * The call that applies changes of one board, none of which waits for another.
   *
   * @param changes at least one, and {@link #MOST} at the most
   */
  public ScriptCall of(List<Change> changes) {
    return call(changes.stream().map(change -> spell(Order.fresh(change))).toList(), Turn.NONE);
  }

  ScriptCall call(List<Spelled> events, Turn turn) {
    Spelled first = events.get(0);
    byte[][] head = {bytes(first.state()), mostEntries, bytes(turn.place())};
    int size = first.words().length;
    byte[][] arguments = Arrays.copyOf(head, head.length + events.size() * size);
    for (int i = 0; i < events.size(); i++) {
      System.arraycopy(events.get(i).words(), 0, arguments, head.length + i * size, size);
    }
    return new ScriptCall(keys(first.keys(), turn), arguments);
  }

  Spelled spell(Order order) {
    Change change = order.change();
    Action action = change.action();
    Change.Worth worth = change.worth();
    Change.@Nullable Day day = change.day();
    byte[][] words =
        LiveBoards.arguments(
            change.id(),
            change.member().value(),
            action.name(),
            Objects.requireNonNullElse(change.subject(), ""),
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
            change.digest(),
            order.number() == null ? "" : order.number().toString(),
            Long.toString(order.searched()));
    return new Spelled(change.keys(), order.state(), words);
  }

  private static byte[][] keys(LiveKeys keys, Turn turn) {
    byte[][] all = keys.all();
    if (turn.batch() == null) {
      return all;
    }
    byte[][] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = keys.turn(turn.batch());
    return more;
  }

  /** Nothing, so that Redis takes its own time, unless somebody moves the clock. */
  private String movedTime() {
    return clock instanceof SettableClock moved ? micros(moved.instant()) : "";
  }

  private static String micros(Instant time) {
    return Long.toString(Times.micros(time));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
