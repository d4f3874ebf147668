package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyValue;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;

/**
 * Changes a live board during a rebuild. The board is halted: its state names the rebuild's lease,
 * and no writer, closing or other rebuild can change it.
 */
@Component
public class LiveRebuild {
  private static final int PAGE_EVENTS = 5_000;

  private final RedisClient redis;
  private final EventApplier eventApplier;
  private final LiveJournal journal;
  private final LiveExclusions exclusions;
  private final KeyScan pages;

  LiveRebuild(
      RedisClient redis,
      EventApplier eventApplier,
      LiveJournal journal,
      LiveExclusions exclusions,
      KeyScan pages) {
    this.redis = redis;
    this.eventApplier = eventApplier;
    this.journal = journal;
    this.exclusions = exclusions;
    this.pages = pages;
  }

  /**
   * A live board at the moment of its halt.
   *
   * @param state open, sealed, or the state that an interrupted rebuild left
   * @param events how many it had decided
   */
  public record Halted(String state, long events) {
    /** Whether it was complete: no rebuild was interrupted. */
    public boolean whole() {
      return !isRebuilding(state);
    }
  }

  /** Whether the period has a live board, and no rebuild of it was interrupted. */
  public boolean isWhole(Period period) {
    byte @Nullable [] state =
        redis.command(
            commands -> commands.hget(LiveKeys.of(period).meta(), "state".getBytes(UTF_8)));
    return state != null && !isRebuilding(LiveBoards.text(state));
  }

  static boolean isRebuilding(String state) {
    return state.startsWith("rebuilding");
  }

  /** Halts the live board, so that nobody else changes it; empty if there is none. */
  public Optional<Halted> halt(Period period, Lease lease) {
    List<byte[]> held =
        redis.run(
            LiveScripts.HALT_BOARD, ScriptCall.on(LiveKeys.of(period).meta()).with(state(lease)));
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Halted(LiveBoards.text(held.get(0)), Long.parseLong(LiveBoards.text(held.get(1)))));
  }

  /**
   * Empties the halted board, or creates an empty one, and copies the exclusions to it.
   *
   * @param drained the number of the last event that PostgreSQL has
   * @throws IllegalStateException if another process rebuilds the board by now, or its journal
   *     holds later events
   */
  public void reset(Period period, Board board, Lease lease, long drained) {
    List<byte[]> answer =
        redis.run(
            LiveScripts.RESET_BOARD,
            ScriptCall.on(LiveKeys.of(period).all())
                .with(
                    state(lease).getBytes(UTF_8),
                    ((drained + 1) + "-0").getBytes(UTF_8),
                    LiveBoards.rules(period, board)));
    String result = String.join(" ", answer.stream().map(LiveBoards::text).toList());
    if (!result.equals("done")) {
      throw new IllegalStateException(
          "the live board of %s could not be emptied: %s".formatted(period.label(), result));
    }
    exclusions.update(period);
  }

  /** Replays events of the journal in their order, under their numbers. */
  public List<Decision> replay(Period period, Board board, Lease lease, List<LiveEntry> events) {
    return run(
        events.stream().map(entry -> order(period, board, lease, entry, entry.seq())).toList());
  }

  /**
   * Uses the number of an event that changes nothing.
   *
   * @return false if another number is next
   */
  public boolean skip(Period period, Lease lease, long seq) {
    return !redis
        .run(
            LiveScripts.SKIP_NUMBER,
            ScriptCall.on(LiveKeys.of(period).meta()).with(state(lease), Long.toString(seq)))
        .isEmpty();
  }

  /** Passes on the ids of the halted board, page by page; an id may be passed on twice. */
  public void ids(Period period, Consumer<List<String>> page) {
    pages.hash(
        LiveKeys.of(period).ids(),
        found -> page.accept(found.keySet().stream().map(LiveBoards::text).toList()));
  }

  /** Decides events that the journal does not have, after all events of the journal. */
  public List<Decision> decide(Period period, Board board, Lease lease, List<LiveEntry> events) {
    return run(events.stream().map(entry -> order(period, board, lease, entry, null)).toList());
  }

  /** Decides committed events, after all events of the journal. */
  public List<Decision> decide(Lease lease, List<BoardChange> changes) {
    return run(
        changes.stream()
            .map(change -> new EventApplier.ApplyRequest(change, state(lease), null, 0))
            .toList());
  }

  private List<Decision> run(List<EventApplier.ApplyRequest> orders) {
    List<Decision> decisions = eventApplier.each(orders);
    for (int i = 0; i < orders.size(); i++) {
      eventApplier.requireNotHeld(orders.get(i).change(), decisions.get(i));
    }
    return decisions;
  }

  private static EventApplier.ApplyRequest order(
      Period period, Board board, Lease lease, LiveEntry entry, @Nullable Long number) {
    BoardChange change = BoardChange.again(LiveKeys.of(period), entry, board);
    return new EventApplier.ApplyRequest(change, state(lease), number, 0);
  }

  /** Returns the number up to which the journal in Redis has no gap; 0 if it is empty. */
  public long journaled(Period period) {
    long[] reached = {0};
    journal.all(
        period,
        PAGE_EVENTS,
        page -> {
          for (JournalEntry event : page) {
            if (reached[0] == 0 || event.seq() == reached[0] + 1) {
              reached[0] = event.seq();
            }
          }
        });
    return reached[0];
  }

  /** Moves the journal aside, whose entries differ from PostgreSQL's. */
  public void putAside(Period period) {
    LiveKeys keys = LiveKeys.of(period);
    if (!redis.command(commands -> commands.renamenx(keys.journal(), keys.strays()))) {
      throw new IllegalStateException(
          "Redis went back twice while %s was being rebuilt: inspect the streams %s and %s"
              .formatted(
                  period.label(), LiveBoards.text(keys.journal()), LiveBoards.text(keys.strays())));
    }
  }

  /** Returns the first events of the journal that was moved aside. */
  public List<LiveEntry> aside(Period period, int count) {
    return journal.first(LiveKeys.of(period).strays(), count).stream()
        .map(JournalEntry::decode)
        .toList();
  }

  /** Trims the journal that was moved aside, up to a number at the end of an entry. */
  public void forgetAside(Period period, long seq) {
    redis.command(commands -> commands.xtrim(LiveKeys.of(period).strays(), LiveJournal.after(seq)));
  }

  /** Counts the members, points and events of the halted board. */
  public Population population(Period period) {
    LiveKeys keys = LiveKeys.of(period);
    List<KeyValue<byte[], byte[]>> held =
        redis.command(
            commands ->
                commands.hmget(keys.meta(), "points".getBytes(UTF_8), "seq".getBytes(UTF_8)));
    return new Population(
        redis.command(commands -> commands.zcard(keys.lines())),
        Long.parseLong(LiveBoards.text(held.get(0).getValue())),
        Long.parseLong(LiveBoards.text(held.get(1).getValue())));
  }

  /**
   * Ends the halt, and deletes the journal that was moved aside.
   *
   * @param state open or sealed
   * @throws IllegalStateException if another process rebuilds the board by now
   */
  public void finish(Period period, Lease lease, String state) {
    LiveKeys keys = LiveKeys.of(period);
    resume(period, lease, state, keys.meta(), keys.strays());
  }

  /** Ends the halt as {@link #finish} does, and keeps the journal that was moved aside. */
  public void resume(Period period, Lease lease, String state) {
    resume(period, lease, state, LiveKeys.of(period).meta());
  }

  private void resume(Period period, Lease lease, String state, byte[]... keys) {
    List<byte[]> answer =
        redis.run(LiveScripts.RESUME_BOARD, ScriptCall.on(keys).with(state(lease), state));
    if (answer.isEmpty()) {
      throw new IllegalStateException(
          "another process rebuilds the live board of %s by now".formatted(period.label()));
    }
  }

  private static String state(Lease lease) {
    return "rebuilding " + lease.fence();
  }
}
