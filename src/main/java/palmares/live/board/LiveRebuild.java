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
 * A live board while it is made anew. It is halted meanwhile: its state names the lease, and
 * neither writers nor a closing nor a rebuild of another lease change anything.
 */
@Component
public class LiveRebuild {
  private static final int PAGE = 5_000;

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
   * What a live board was when it was halted.
   *
   * @param state open, sealed, or that of a rebuild that broke off
   * @param events how many it had decided
   */
  public record Halted(String state, long events) {
    /** Whether it was whole: no rebuild had broken off. */
    public boolean whole() {
      return !isHalted(state);
    }
  }

  /** Whether the period has a live board that no rebuild has left behind. */
  public boolean isWhole(Period period) {
    byte @Nullable [] state =
        redis.command(
            commands -> commands.hget(LiveBoards.keys(period).meta(), "state".getBytes(UTF_8)));
    return state != null && !isHalted(LiveBoards.text(state));
  }

  static boolean isHalted(String state) {
    return state.startsWith("rebuilding");
  }

  /** From here on nobody else changes the live board; empty if there is none. */
  public Optional<Halted> halt(Period period, Lease lease) {
    List<byte[]> held =
        redis.run(
            LiveScripts.HALT, call(List.of(LiveBoards.keys(period).meta()), List.of(state(lease))));
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Halted(LiveBoards.text(held.get(0)), Long.parseLong(LiveBoards.text(held.get(1)))));
  }

  /**
   * Empties the halted board, or makes an empty one where there is none, that knows who is
   * excluded.
   *
   * @param drained the number of the last event that PostgreSQL has
   * @throws IllegalStateException if somebody else makes it anew by now, or its journal holds later
   *     events
   */
  public void reset(Period period, Board board, Lease lease, long drained) {
    List<byte[]> answer =
        redis.run(
            LiveScripts.RESET,
            new ScriptCall(
                LiveBoards.keys(period).all(),
                new byte[][] {
                  state(lease).getBytes(UTF_8),
                  ((drained + 1) + "-0").getBytes(UTF_8),
                  LiveBoards.rules(period, board)
                }));
    String said = String.join(" ", answer.stream().map(LiveBoards::text).toList());
    if (!said.equals("done")) {
      throw new IllegalStateException(
          "the live board of %s could not be emptied: %s".formatted(period.label(), said));
    }
    exclusions.tell(period);
  }

  /** Decides events of the journal again, in their order, as if they came for the first time. */
  public List<Decision> replay(Period period, Board board, Lease lease, List<LiveEntry> events) {
    return run(
        events.stream().map(entry -> order(period, board, lease, entry, entry.seq())).toList());
  }

  /**
   * Takes the number of an event that changes nothing.
   *
   * @return false if another number is next
   */
  public boolean skip(Period period, Lease lease, long seq) {
    return !redis
        .run(
            LiveScripts.SKIP,
            call(
                List.of(LiveBoards.keys(period).meta()), List.of(state(lease), Long.toString(seq))))
        .isEmpty();
  }

  /** The ids of the events that the halted board has decided, page by page; some may come twice. */
  public void ids(Period period, Consumer<List<String>> page) {
    pages.hash(
        LiveBoards.keys(period).ids(),
        found -> page.accept(found.keySet().stream().map(LiveBoards::text).toList()));
  }

  /** Decides events that the journal does not have, after all that it has. */
  public List<Decision> decide(Period period, Board board, Lease lease, List<LiveEntry> events) {
    return run(events.stream().map(entry -> order(period, board, lease, entry, null)).toList());
  }

  /** Decides changes that were committed, after all that the journal has. */
  public List<Decision> decide(Lease lease, List<BoardChange> changes) {
    return run(
        changes.stream()
            .map(change -> new EventApplier.Order(change, state(lease), null, 0))
            .toList());
  }

  private List<Decision> run(List<EventApplier.Order> orders) {
    List<Decision> decisions = eventApplier.each(orders);
    for (int i = 0; i < orders.size(); i++) {
      eventApplier.requireNotHeld(orders.get(i).change(), decisions.get(i));
    }
    return decisions;
  }

  private static EventApplier.Order order(
      Period period, Board board, Lease lease, LiveEntry entry, @Nullable Long number) {
    BoardChange change = BoardChange.again(LiveBoards.keys(period), entry, board);
    return new EventApplier.Order(change, state(lease), number, 0);
  }

  /** The number up to which the journal in Redis holds events without a gap; 0 if it is empty. */
  public long journaled(Period period) {
    long[] reached = {0};
    journal.all(
        period,
        PAGE,
        page -> {
          for (JournalEntry event : page) {
            if (reached[0] == 0 || event.seq() == reached[0] + 1) {
              reached[0] = event.seq();
            }
          }
        });
    return reached[0];
  }

  /** Puts the journal's entries aside, for those that differ from PostgreSQL's to be kept. */
  public void putAside(Period period) {
    LiveKeys keys = LiveBoards.keys(period);
    if (!redis.command(commands -> commands.renamenx(keys.journal(), keys.strays()))) {
      throw new IllegalStateException(
          "Redis went back twice while %s was made anew: see the streams %s and %s"
              .formatted(
                  period.label(), LiveBoards.text(keys.journal()), LiveBoards.text(keys.strays())));
    }
  }

  /** The first events of those that were put aside, as {@link LiveJournal#first} reads them. */
  public List<LiveEntry> aside(Period period, int count) {
    return journal.first(LiveBoards.keys(period).strays(), count).stream()
        .map(JournalEntry::decode)
        .toList();
  }

  /** Forgets the entries that were put aside up to the number of the last event of one. */
  public void forgetAside(Period period, long seq) {
    redis.command(
        commands -> commands.xtrim(LiveBoards.keys(period).strays(), LiveJournal.after(seq)));
  }

  /** What the halted board holds. */
  public Population population(Period period) {
    LiveKeys keys = LiveBoards.keys(period);
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
   * Lets everybody to the halted board again, as it is, and keeps nothing aside.
   *
   * @param state open or sealed
   * @throws IllegalStateException if somebody else makes it anew by now
   */
  public void finish(Period period, Lease lease, String state) {
    LiveKeys keys = LiveBoards.keys(period);
    resume(period, lease, state, List.of(keys.meta(), keys.strays()));
  }

  /** As {@link #finish}, and leaves alone what was put aside. */
  public void resume(Period period, Lease lease, String state) {
    resume(period, lease, state, List.of(LiveBoards.keys(period).meta()));
  }

  private void resume(Period period, Lease lease, String state, List<byte[]> keys) {
    List<byte[]> answer = redis.run(LiveScripts.RESUME, call(keys, List.of(state(lease), state)));
    if (answer.isEmpty()) {
      throw new IllegalStateException(
          "the live board of %s is made anew by somebody else by now".formatted(period.label()));
    }
  }

  private static String state(Lease lease) {
    return "rebuilding " + lease.fence();
  }

  private static ScriptCall call(List<byte[]> keys, List<String> arguments) {
    return new ScriptCall(
        keys.toArray(byte[][]::new), ScriptCall.arguments(arguments.toArray(String[]::new)));
  }
}
