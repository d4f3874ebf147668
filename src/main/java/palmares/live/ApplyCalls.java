package palmares.live;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Times;
import palmares.live.Applying.Order;
import palmares.time.SettableClock;

/** What applying an event sends to Redis; for those too who send it by other means, to compare. */
@Component
@EnableConfigurationProperties(LiveSettings.class)
public class ApplyCalls {
  private final Clock clock;
  private final LiveSettings settings;

  ApplyCalls(Clock clock, LiveSettings settings) {
    this.clock = clock;
    this.settings = settings;
  }

  /** The script that is called. */
  public byte[] script() {
    return LuaScript.APPLY.text().clone();
  }

  /** The call that applies a change by itself. */
  public ScriptCall of(Change change) {
    return of(Order.alone(change, Applying.OPEN, null));
  }

  ScriptCall of(Order order) {
    Change change = order.change();
    Action action = change.action();
    Change.Worth worth = change.worth();
    Change.@Nullable Day day = change.day();
    return new ScriptCall(
        keys(order),
        LiveBoards.arguments(
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
            change.digest(),
            order.state(),
            order.number() == null ? "" : order.number().toString(),
            Long.toString(settings.maxBacklog()),
            order.turn().place()));
  }

  private static byte[][] keys(Order order) {
    LiveKeys keys = order.change().keys();
    byte[][] all = keys.all();
    byte[][] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = keys.turn(order.turn().batch());
    return more;
  }

  /** Nothing, so that Redis takes its own time, unless somebody moves the clock. */
  private String movedTime() {
    return clock instanceof SettableClock moved ? micros(moved.instant()) : "";
  }

  private static String micros(Instant time) {
    return Long.toString(Times.micros(time));
  }
}
