package palmares.live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.board.Times;

/** Calls of the script that applies an event. */
@Component
class Applying {
  static final String OPEN = "open";

  private final Redis redis;
  private final ApplyCalls calls;
  private final LiveSettings settings;

  Applying(Redis redis, ApplyCalls calls, LiveSettings settings) {
    this.redis = redis;
    this.calls = calls;
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
    return redis.run(LuaScript.APPLY, orders.stream().map(calls::of).toList()).stream()
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
