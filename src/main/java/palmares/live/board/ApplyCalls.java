package palmares.live.board;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import palmares.platform.redis.ScriptCall;
import palmares.platform.text.Setting;
import palmares.platform.time.Microseconds;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Action;

/**
 * Builds calls of the script {@code apply_events.lua}. Public for the benchmark, which sends the
 * same calls by other means.
 */
@Component
@EnableConfigurationProperties(ApplyCalls.LiveSettings.class)
public class ApplyCalls {
  /** The largest number of events of a call, which blocks Redis for about a millisecond. */
  public static final int MAX_EVENTS_PER_CALL = 50;

  private final Clock clock;
  private final long maxBacklog;

  ApplyCalls(Clock clock, LiveSettings settings) {
    this.clock = clock;
    this.maxBacklog = settings.maxBacklog();
  }

  /**
   * A change, and the conditions under which it may be applied.
   *
   * @param state the state that its board must have
   * @param number its number in the journal; null if it has none yet
   * @param searched the number up to which PostgreSQL was searched for its id; 0 for none
   */
  record ApplyRequest(BoardChange change, String state, @Nullable Long number, long searched) {
    /** The state of a board that takes events. */
    static final String OPEN = "open";

    /** Returns the order of a new event for an open board. */
    static ApplyRequest fresh(BoardChange change) {
      return searched(change, 0);
    }

    /** Returns the order of a new event whose id PostgreSQL does not have up to a number. */
    static ApplyRequest searched(BoardChange change, long position) {
      return new ApplyRequest(change, OPEN, null, position);
    }
  }

  /**
   * The place of a call among the calls of its batch on its board.
   *
   * @param place null if no event of the call depends on another
   * @param batch null if the batch takes one call
   */
  record Turn(@Nullable String place, @Nullable String batch) {
    static final Turn NONE = new Turn(null, null);

    /** Returns the turn of call {@code number}, from 0, of {@code calls}. */
    static Turn of(String batch, int number, int calls) {
      if (calls == 1) {
        return new Turn("only", null);
      }
      return new Turn(number == 0 ? "first" : number == calls - 1 ? "last" : "next", batch);
    }
  }

  public byte[] script() {
    return LiveScripts.APPLY_EVENTS.text().clone();
  }

  /**
   * Returns the call that applies changes of one board, none of which depends on another.
   *
   * @param changes at least one, at most {@link #MAX_EVENTS_PER_CALL}
   */
  public ScriptCall of(List<BoardChange> changes) {
    return call(changes.stream().map(ApplyRequest::fresh).toList(), Turn.NONE);
  }

  /** Returns the call that applies orders of one board in one state. */
  ScriptCall call(List<ApplyRequest> orders, Turn turn) {
    ApplyRequest first = orders.get(0);
    MessagePack arguments = begin(first.state(), turn);
    for (ApplyRequest order : orders) {
      encode(order, arguments);
    }
    return new ScriptCall(keys(first.change().keys(), turn), new byte[][] {arguments.bytes()});
  }

  /**
   * Returns the call that applies new events of one board, none of which depends on another.
   *
   * @param keys the board's
   * @param events as {@link #encode(ApplyRequest)} returns them
   */
  ScriptCall call(byte[][] keys, List<byte[]> events) {
    MessagePack arguments = begin(ApplyRequest.OPEN, Turn.NONE);
    events.forEach(arguments::append);
    return new ScriptCall(keys, new byte[][] {arguments.bytes()});
  }

  /** Begins the arguments; the events follow. */
  private MessagePack begin(String state, Turn turn) {
    return new MessagePack().text(state).number(maxBacklog).text(turn.place());
  }

  byte[] encode(ApplyRequest order) {
    var event = new MessagePack();
    encode(order, event);
    return event.bytes();
  }

  private void encode(ApplyRequest order, MessagePack event) {
    BoardChange change = order.change();
    BoardChange.Worth worth = change.worth();
    event
        .text(change.id())
        .text(change.event().member().value())
        .text(JournalEntry.middle(change))
        .number(change.event().quantity())
        .number(worth.points())
        .number(worth.value())
        .number(worth.thenBy())
        .number(change.occurredAt() == null ? movedTime() : micros(change.occurredAt()));
    if (change.arrival() == BoardChange.Arrival.ANY) {
      event.text("any");
    } else {
      event.number(movedTime());
    }
    event.text(change.digest()).number(order.number()).number(order.searched());
    encodeLimits(change, event);
  }

  private static void encodeLimits(BoardChange change, MessagePack event) {
    Action action = change.action();
    BoardChange.@Nullable Day day = change.day();
    if (!change.event().undo() && day == null && !action.isLimited()) {
      event.text(null);
      return;
    }
    event
        .array(9)
        .text(action.name())
        .text(change.event().subject())
        .number(change.event().undo() ? 1L : 0L)
        .text(action.oncePer().word())
        .number(action.maxPerDay())
        .number(action.maxPerPeriod())
        .text(day == null ? null : day.name())
        .number(day == null ? null : micros(day.startsAt()))
        .number(day == null ? null : micros(day.endsAt()));
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

  /** Returns null, so that Redis uses its own time, unless the clock is that of a sandbox. */
  private @Nullable Long movedTime() {
    return SettableClock.movedTime(clock).map(ApplyCalls::micros).orElse(null);
  }

  private static Long micros(Instant time) {
    return Microseconds.micros(time);
  }

  /**
   * Settings of live boards.
   *
   * @param maxBacklog the largest number of events of a live journal that PostgreSQL does not have;
   *     at least 1. Each takes 110 to 470 bytes of Redis
   */
  @ConfigurationProperties("palmares.live")
  record LiveSettings(@DefaultValue("1000000") long maxBacklog) {
    LiveSettings {
      new Setting("palmares.live.max-backlog").requireAtLeast(1, maxBacklog);
    }
  }
}
