package palmares.live;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Times;
import palmares.time.SettableClock;

/** Calls of the script that applies an event. */
@Component
@EnableConfigurationProperties(LiveSettings.class)
class Applying {
  private static final String OPEN = "open";

  private final Redis redis;
  private final Clock clock;
  private final LiveSettings settings;

  Applying(Redis redis, Clock clock, LiveSettings settings) {
    this.redis = redis;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * A change, and when it may be applied.
   *
   * @param state the state that its board must have
   * @param number its number in the journal; null if it is not there yet
   * @param turn of the batch that it belongs to
   */
  record Order(Change change, String state, @Nullable Long number, Turn turn) {

    /** One that stands for itself. */
    static Order alone(Change change, String state, @Nullable Long number) {
      return new Order(change, state, number, new Turn("", ""));
    }

    /** New ones; once one is put off, so are all behind it on its board. */
    static List<Order> inTurn(List<Change> changes) {
      String batch = UUID.randomUUID().toString();
      var left = new HashMap<LiveKeys, Integer>();
      changes.forEach(change -> left.merge(change.keys(), 1, Integer::sum));
      var begun = new HashSet<LiveKeys>();
      var orders = new ArrayList<Order>(changes.size());
      for (Change change : changes) {
        boolean first = begun.add(change.keys());
        boolean last = left.merge(change.keys(), -1, Integer::sum) == 0;
        orders.add(new Order(change, OPEN, null, Turn.of(batch, first, last)));
      }
      return orders;
    }
  }

  /** Where a change stands among those of its batch on its board. */
  record Turn(String batch, String place) {
    static Turn of(String batch, boolean first, boolean last) {
      return new Turn(batch, first ? last ? "" : "first" : last ? "last" : "next");
    }
  }

  /** Decides each by itself. */
  List<Decision> run(List<Order> orders) {
    return redis.run(LuaScript.APPLY, orders.stream().map(this::call).toList()).stream()
        .map(Applying::decision)
        .toList();
  }

  /**
   * @throws LiveBoardHeld if the decision is that the board takes nothing for a while
   */
  void requireNotHeld(Change change, Decision decision) {
    switch (decision.verdict()) {
      case REBUILDING -> throw LiveBoardHeld.rebuilding(change.keys());
      case BACKLOG -> throw LiveBoardHeld.backlog(change.keys(), settings.maxBacklog());
      default -> {}
    }
  }

  private Redis.Call call(Order order) {
    Change change = order.change();
    Action action = change.action();
    Change.Worth worth = change.worth();
    Change.@Nullable Day day = change.day();
    return new Redis.Call(
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

  static Decision decision(List<byte[]> answer) {
    Verdict verdict = Verdict.of(LiveBoards.text(answer.get(0)));
    @Nullable Verdict first = answer.size() > 4 ? Verdict.of(LiveBoards.text(answer.get(4))) : null;
    return new Decision(
        verdict,
        Long.parseLong(LiveBoards.text(answer.get(1))),
        Long.parseLong(LiveBoards.text(answer.get(2))),
        Times.instant(Long.parseLong(LiveBoards.text(answer.get(3)))),
        first);
  }
}
