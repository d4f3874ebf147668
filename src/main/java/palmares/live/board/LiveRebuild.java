package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyValue;
import io.lettuce.core.ScoredValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberScore;

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
            .map(change -> new ApplyCalls.ApplyRequest(change, state(lease), null, 0))
            .toList());
  }

  private List<Decision> run(List<ApplyCalls.ApplyRequest> orders) {
    List<Decision> decisions = eventApplier.each(orders);
    for (int i = 0; i < orders.size(); i++) {
      eventApplier.requireNotHeld(orders.get(i).change(), decisions.get(i));
    }
    return decisions;
  }

  private static ApplyCalls.ApplyRequest order(
      Period period, Board board, Lease lease, LiveEntry entry, @Nullable Long number) {
    BoardChange change = BoardChange.again(LiveKeys.of(period), entry, board);
    return new ApplyCalls.ApplyRequest(change, state(lease), number, 0);
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

  /**
   * Keeps facts about a rebuild that gives events up, until it ends. If the process dies, the next
   * rebuild finds them.
   */
  public void keepMissing(Period period, Map<String, String> facts) {
    Map<byte[], byte[]> fields =
        facts.entrySet().stream()
            .collect(
                Collectors.toMap(
                    fact -> fact.getKey().getBytes(UTF_8),
                    fact -> fact.getValue().getBytes(UTF_8)));
    redis.command(commands -> commands.hset(LiveKeys.of(period).missing(), fields));
  }

  /** Returns what an interrupted rebuild has kept; empty if it gave nothing up. */
  public Map<String, String> keptMissing(Period period) {
    var facts = new HashMap<String, String>();
    redis
        .command(commands -> commands.hgetall(LiveKeys.of(period).missing()))
        .forEach((field, value) -> facts.put(LiveBoards.text(field), LiveBoards.text(value)));
    return facts;
  }

  /** Keeps the lines of a halted board, to be compared with those of the rebuilt one. */
  public void keepFormer(Period period) {
    LiveKeys keys = LiveKeys.of(period);
    if (redis.command(commands -> commands.exists(keys.lines())) == 1) {
      redis.command(commands -> commands.renamenx(keys.lines(), keys.former()));
    }
  }

  /**
   * A line whose points a rebuild has changed.
   *
   * @param before the points before the rebuild
   * @param now the points now; null if the member has no line any more
   */
  public record ChangedLine(String member, long before, @Nullable Long now) {}

  /** Passes on the lines that were kept and have other points now. */
  public void changedLines(Period period, Board board, Consumer<ChangedLine> changed) {
    LiveKeys keys = LiveKeys.of(period);
    Layout layout = board.layout(period.slot());
    pages.zset(
        LiveBoards.text(keys.former()),
        page -> {
          List<MemberScore> former =
              page.stream().flatMap(line -> decode(layout, line).stream()).toList();
          List<@Nullable Long> now = points(keys, layout, former);
          for (int i = 0; i < former.size(); i++) {
            MemberScore line = former.get(i);
            Long points = now.get(i);
            if (points == null || points != line.points()) {
              changed.accept(new ChangedLine(line.member(), line.points(), points));
            }
          }
        });
  }

  /** Decodes a line; empty if somebody wrote an entry that is none. */
  private static Optional<MemberScore> decode(Layout layout, ScoredValue<byte[]> line) {
    try {
      return Optional.of(layout.decode(LiveBoards.text(line.getValue()), line.getScore()));
    } catch (IllegalArgumentException | IndexOutOfBoundsException foreign) {
      return Optional.empty();
    }
  }

  /** Returns the present points of members; null for those without a line. */
  private List<@Nullable Long> points(LiveKeys keys, Layout layout, List<MemberScore> members) {
    if (members.isEmpty()) {
      return List.of();
    }
    byte[][] names =
        members.stream().map(line -> line.member().getBytes(UTF_8)).toArray(byte[][]::new);
    byte[][] entries = layout.scale().wide() ? entries(keys, names) : names;
    List<Double> scores = redis.command(commands -> commands.zmscore(keys.lines(), entries));
    var points = new ArrayList<@Nullable Long>();
    for (int i = 0; i < entries.length; i++) {
      Double score = scores.get(i);
      points.add(score == null ? null : layout.decode(LiveBoards.text(entries[i]), score).points());
    }
    return points;
  }

  /** Returns the members' entries on a wide board; the bare name of a member without one. */
  private byte[][] entries(LiveKeys keys, byte[][] names) {
    List<KeyValue<byte[], byte[]>> ties =
        redis.command(commands -> commands.hmget(keys.places(), names));
    return ties.stream()
        .map(
            tie ->
                (tie.hasValue() ? LiveBoards.text(tie.getValue()) : "")
                    + LiveBoards.text(tie.getKey()))
        .map(entry -> entry.getBytes(UTF_8))
        .toArray(byte[][]::new);
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
    resume(period, lease, state, keys.meta(), keys.strays(), keys.missing(), keys.former());
  }

  /** Ends the halt as {@link #finish} does, and keeps the journal that was moved aside. */
  public void resume(Period period, Lease lease, String state) {
    LiveKeys keys = LiveKeys.of(period);
    resume(period, lease, state, keys.meta(), keys.missing());
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
