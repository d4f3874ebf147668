package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.platform.time.Microseconds;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;

/** Creates, changes, seals and deletes live boards. */
@Component
public class LiveBoards {
  private static final int MAX_SEARCHES = 3;

  /** The largest number of boards in {@link #withTrimmedIds}; above it the set is cleared. */
  private static final int MAX_REMEMBERED_BOARDS = 10_000;

  private static final Duration[] BUCKETS =
      Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final RedisClient redis;
  private final EventApplier eventApplier;
  private final SharedCalls shared;
  private final KeyRemoval removal;
  private final StoredDecisions.Journals journals;
  private final Timer duration;

  /**
   * Boards that have trimmed ids. Their events are searched in PostgreSQL before the first call.
   */
  private final Set<LiveKeys> withTrimmedIds = ConcurrentHashMap.newKeySet();

  LiveBoards(
      RedisClient redis,
      EventApplier eventApplier,
      SharedCalls shared,
      KeyRemoval removal,
      MeterRegistry metrics,
      StoredDecisions.Journals journals) {
    this.journals = journals;
    this.redis = redis;
    this.eventApplier = eventApplier;
    this.shared = shared;
    this.removal = removal;
    this.duration =
        Timer.builder("palmares.events.apply")
            .description("how long live boards take to decide the events of a request")
            .serviceLevelObjectives(BUCKETS)
            .register(metrics);
  }

  /** Creates the period's live board, unless it exists in any state. */
  public void create(Period period, Board board) {
    redis.run(
        LiveScripts.CREATE_BOARD,
        ScriptCall.on(LiveKeys.of(period).meta()).with(rules(period, board)));
  }

  /** Opens a new live board for events; does nothing in any other state. */
  public void open(Period period) {
    redis.run(LiveScripts.OPEN_BOARD, ScriptCall.on(LiveKeys.of(period).meta()));
  }

  /**
   * Gives the live board of an open period, if it has one, the end that its period has now. A seal
   * whose transaction in PostgreSQL was not committed is lifted.
   */
  void replaceRules(Period period, Board board) {
    redis.run(
        LiveScripts.REPLACE_RULES,
        ScriptCall.on(LiveKeys.of(period).meta()).with(rules(period, board)));
  }

  static byte[] rules(Period period, Board board) {
    Layout layout = board.layout(period.slot());
    Scale scale = layout.scale();
    return new MessagePack()
        .number(layout.unit())
        .number(scale.wide() ? 1L : 0L)
        .number(board.ranks() == RankMethod.DENSE ? 1L : 0L)
        .number(board.actions().values().stream().anyMatch(Action::isLimited) ? 1L : 0L)
        .number(Microseconds.micros(period.slot().startsAt()))
        .number(Microseconds.micros(period.slot().endsAt()))
        .number(period.closesAt() == null ? null : Microseconds.micros(period.closesAt()))
        .number(layout.horizon())
        .number(scale.resolution().micros())
        .text(scale.scoring().word())
        .number(scale.maxPoints())
        .number(scale.span())
        .number(scale.maxThen())
        .number(scale.fewestThen() ? 1L : 0L)
        .number(scale.maxEvents())
        .bytes();
  }

  /** Returns those of the periods that have a live board that Redis reaches, in any state. */
  List<Period> existing(List<Period> periods) {
    List<Optional<Long>> exists =
        redis
            .reach(periods, (commands, period) -> commands.exists(LiveKeys.of(period).meta()))
            .each();
    return IntStream.range(0, periods.size())
        .filter(i -> exists.get(i).orElse(0L) == 1)
        .mapToObj(periods::get)
        .toList();
  }

  /** Whether the period has a live board, in any state. */
  public boolean exists(Period period) {
    return redis.command(commands -> commands.exists(LiveKeys.of(period).meta())) == 1;
  }

  /**
   * Applies the changes in this order, each atomically. If a board defers a change, all later
   * changes of the board are {@link Verdict#WAITING}; the caller sends them again in order.
   *
   * @throws LiveBoardUnavailable if a live board takes no events at present. If the caller sends
   *     all again, changes that were applied are duplicates
   */
  public List<Decision> apply(List<BoardChange> changes) {
    long began = System.nanoTime();
    List<Decision> decisions = decide(changes);
    duration.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    for (int i = 0; i < decisions.size(); i++) {
      eventApplier.requireNotHeld(changes.get(i), decisions.get(i));
    }
    return decisions;
  }

  private List<Decision> decide(List<BoardChange> changes) {
    var decisions = new Decision[changes.size()];
    var toSearch = new LinkedHashMap<LiveKeys, List<Integer>>();
    var others = new ArrayList<Integer>();
    for (int i = 0; i < decisions.length; i++) {
      LiveKeys keys = changes.get(i).keys();
      if (withTrimmedIds.contains(keys)) {
        toSearch.computeIfAbsent(keys, board -> new ArrayList<>()).add(i);
      } else {
        others.add(i);
      }
    }
    decideUnsearched(changes, others, decisions);
    for (int i : others) {
      boolean behind = toSearch.containsKey(changes.get(i).keys());
      if (decisions[i].verdict() == Verdict.FORGOTTEN
          || (behind && decisions[i].verdict() == Verdict.WAITING)) {
        toSearch.computeIfAbsent(changes.get(i).keys(), board -> new ArrayList<>()).add(i);
      }
    }
    toSearch.forEach((board, positions) -> decideSearched(changes, positions, decisions));
    return Arrays.asList(decisions);
  }

  private void decideUnsearched(
      List<BoardChange> changes, List<Integer> positions, Decision[] decisions) {
    if (positions.isEmpty()) {
      return;
    }
    List<Decision> decided =
        changes.size() == 1
            ? List.of(shared.apply(changes.get(0)))
            : eventApplier.inTurn(
                positions.stream().map(at -> ApplyRequest.fresh(changes.get(at))).toList(),
                ApplyCalls.MAX_EVENTS_PER_CALL);
    for (int i = 0; i < decided.size(); i++) {
      decisions[positions.get(i)] = decided.get(i);
    }
  }

  /**
   * Decides changes of one board that has trimmed ids. Those that PostgreSQL knows are repeats; the
   * board decides the others. If it trims more ids between the search and the call, both are
   * repeated.
   */
  private void decideSearched(
      List<BoardChange> changes, List<Integer> positions, Decision[] decisions) {
    LiveKeys keys = changes.get(positions.get(0)).keys();
    if (withTrimmedIds.size() >= MAX_REMEMBERED_BOARDS) {
      withTrimmedIds.clear();
    }
    withTrimmedIds.add(keys);
    List<Integer> undecided = positions;
    for (int search = 0; search < MAX_SEARCHES && !undecided.isEmpty(); search++) {
      StoredDecisions stored = journals.search(undecided.stream().map(changes::get).toList());
      var unknown = new ArrayList<Integer>();
      for (int i = 0; i < undecided.size(); i++) {
        int at = undecided.get(i);
        stored
            .decisions()
            .get(i)
            .ifPresentOrElse(known -> decisions[at] = known, () -> unknown.add(at));
      }
      List<Decision> decided =
          eventApplier.inTurn(
              unknown.stream()
                  .map(at -> ApplyRequest.searched(changes.get(at), stored.position()))
                  .toList(),
              ApplyCalls.MAX_EVENTS_PER_CALL);
      undecided = new ArrayList<>();
      for (int i = 0; i < decided.size(); i++) {
        decisions[unknown.get(i)] = decided.get(i);
        if (decided.get(i).verdict() == Verdict.FORGOTTEN || !undecided.isEmpty()) {
          undecided.add(unknown.get(i));
        }
      }
    }
    if (!undecided.isEmpty()) {
      throw LiveBoardUnavailable.forgotten(keys);
    }
  }

  /**
   * Finds what each change's board decided earlier on its id: a duplicate or a conflict, or
   * nothing. The verdict is {@link Verdict#MISSING} if the board does not exist, is torn or has
   * trimmed ids.
   */
  public List<Optional<Decision>> findDecisions(List<BoardChange> changes) {
    var calls =
        changes.stream()
            .map(change -> ScriptCall.on(change.keys().all()).with(change.id(), change.digest()))
            .toList();
    return redis.run(LiveScripts.FIND_DECISION, calls).stream()
        .map(
            answer ->
                answer.isEmpty()
                    ? Optional.<Decision>empty()
                    : Optional.of(EventApplier.decision(answer.get(0))))
        .toList();
  }

  /**
   * Seals the board, and returns what it has counted; empty if the period has no live board. If it
   * is torn, it holds something else, and the closing stops when it is filled.
   *
   * @throws LiveBoardUnavailable if it is being rebuilt
   */
  public Optional<Population> seal(Period period) {
    LiveKeys keys = LiveKeys.of(period);
    List<byte[]> held = redis.run(LiveScripts.SEAL_BOARD, ScriptCall.on(keys.meta()));
    if (held.size() == 1) {
      throw LiveBoardUnavailable.rebuilding(keys);
    }
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Population(
                Long.parseLong(text(held.get(0))),
                Long.parseLong(text(held.get(1))),
                Long.parseLong(text(held.get(2)))));
  }

  /**
   * Opens a sealed live board again. For a seal whose transaction in PostgreSQL was not committed.
   */
  public void unseal(Period period) {
    redis.run(LiveScripts.UNSEAL_BOARD, ScriptCall.on(LiveKeys.of(period).meta()));
  }

  /**
   * Deletes all keys of the period in slices.
   *
   * @param heartbeat is run now and then; if it throws, the next call continues the deletion
   */
  public void delete(Period period, Runnable heartbeat) {
    delete(LiveKeys.of(period), heartbeat);
  }

  /** Deletes all keys of a live board whose period PostgreSQL may not know. */
  public void delete(LiveKeys keys, Runnable heartbeat) {
    removal.remove(keys.everything(), heartbeat);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  /**
   * The decisions that PostgreSQL has on events whose ids a live board may have trimmed.
   *
   * @param position the number up to which PostgreSQL has the board's events, read before the
   *     search
   * @param decisions on each of the sought events, in their order; empty if it has none with that
   *     id
   */
  public record StoredDecisions(long position, List<Optional<Decision>> decisions) {
    public StoredDecisions {
      decisions = List.copyOf(decisions);
    }

    /** Searches the journals in PostgreSQL, which keep all ids. */
    public interface Journals {
      /** Searches for the changes' ids; all changes are of one board's period. */
      StoredDecisions search(List<BoardChange> changes);
    }
  }
}
