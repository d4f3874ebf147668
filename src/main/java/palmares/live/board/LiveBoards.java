package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import palmares.live.board.EventApplier.Order;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Layout;
import palmares.rules.board.Microseconds;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;

/** Live boards: made, written to, sealed and dropped. */
@Component
public class LiveBoards {
  private static final int MOST_SEARCHES = 3;

  /** So many forgetful boards are kept in mind; past that, all are met again. */
  private static final int MOST_KNOWN = 10_000;

  private final RedisClient redis;
  private final EventApplier eventApplier;
  private final SharedCalls shared;
  private final KeyRemoval removal;
  private final MeterRegistry metrics;
  private final StoredDecisions.Journals journals;

  private final Map<BoardId, Map<Verdict, Counter>> counters = new ConcurrentHashMap<>();

  /** Boards that have forgotten ids, whose events are searched for at once. */
  private final Set<LiveKeys> forgetful = ConcurrentHashMap.newKeySet();

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
    this.metrics = metrics;
  }

  /** Makes the period's live board, unless it is there in any state. */
  public void make(Period period, Board board) {
    redis.run(
        LiveScripts.MAKE,
        new ScriptCall(new byte[][] {keys(period).meta()}, new byte[][] {rules(period, board)}));
  }

  /** Lets a live board that was made take events; changes none that took events before. */
  public void open(Period period) {
    redis.run(LiveScripts.OPEN, new ScriptCall(new byte[][] {keys(period).meta()}, new byte[0][]));
  }

  /** The rules of a period, as make.lua has them. */
  static byte[] rules(Period period, Board board) {
    Layout layout = board.layout(period.slot());
    Scale scale = layout.scale();
    return new MessagePack()
        .number(layout.unit())
        .number(scale.wide() ? 1L : 0L)
        .number(board.ranks() == RankMethod.DENSE ? 1L : 0L)
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

  /** Those of the periods that have a live board, in any state. */
  List<Period> existing(List<Period> periods) {
    List<Long> there =
        redis.each(periods, (commands, period) -> commands.exists(keys(period).meta()));
    return IntStream.range(0, periods.size())
        .filter(i -> there.get(i) == 1)
        .mapToObj(periods::get)
        .toList();
  }

  /** Whether the period has a live board, open or sealed. */
  public boolean exists(Period period) {
    return redis.command(commands -> commands.exists(keys(period).meta())) == 1;
  }

  /**
   * Applies each change by itself, in this order. None overtakes an earlier one: once a board has
   * put one off, it is {@link Verdict#WAITING} with all behind, which are to be asked for again in
   * turn.
   *
   * @throws LiveBoardHeld if a live board takes nothing for a while. What was applied before is
   *     answered as a duplicate when all is sent again
   */
  public List<Decision> apply(List<BoardChange> changes) {
    List<Decision> decisions = decide(changes);
    for (int i = 0; i < decisions.size(); i++) {
      count(changes.get(i), decisions.get(i));
    }
    for (int i = 0; i < decisions.size(); i++) {
      eventApplier.requireNotHeld(changes.get(i), decisions.get(i));
    }
    return decisions;
  }

  private List<Decision> decide(List<BoardChange> changes) {
    var decisions = new Decision[changes.size()];
    var boards = new LinkedHashMap<LiveKeys, List<Integer>>();
    var others = new ArrayList<Integer>();
    for (int i = 0; i < decisions.length; i++) {
      LiveKeys keys = changes.get(i).keys();
      if (forgetful.contains(keys)) {
        boards.computeIfAbsent(keys, board -> new ArrayList<>()).add(i);
      } else {
        others.add(i);
      }
    }
    decideUnsearched(changes, others, decisions);
    for (int i : others) {
      boolean behind = boards.containsKey(changes.get(i).keys());
      if (decisions[i].verdict() == Verdict.FORGOTTEN
          || (behind && decisions[i].verdict() == Verdict.WAITING)) {
        boards.computeIfAbsent(changes.get(i).keys(), board -> new ArrayList<>()).add(i);
      }
    }
    boards.forEach((board, positions) -> decideSearched(changes, positions, decisions));
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
                positions.stream().map(at -> Order.fresh(changes.get(at))).toList(),
                ApplyCalls.MOST);
    for (int i = 0; i < decided.size(); i++) {
      decisions[positions.get(i)] = decided.get(i);
    }
  }

  /**
   * Decides changes of one board, which has forgotten ids: those that PostgreSQL knows are repeats.
   * If the board forgets more between the search and the call, both are done again.
   */
  private void decideSearched(
      List<BoardChange> changes, List<Integer> positions, Decision[] decisions) {
    LiveKeys keys = changes.get(positions.get(0)).keys();
    if (forgetful.size() >= MOST_KNOWN) {
      forgetful.clear();
    }
    forgetful.add(keys);
    List<Integer> asked = positions;
    for (int search = 0; search < MOST_SEARCHES && !asked.isEmpty(); search++) {
      StoredDecisions storedDecisions = journals.search(asked.stream().map(changes::get).toList());
      var unknown = new ArrayList<Integer>();
      for (int i = 0; i < asked.size(); i++) {
        int at = asked.get(i);
        storedDecisions
            .decisions()
            .get(i)
            .ifPresentOrElse(known -> decisions[at] = known, () -> unknown.add(at));
      }
      List<Decision> decided =
          eventApplier.inTurn(
              unknown.stream()
                  .map(at -> Order.searched(changes.get(at), storedDecisions.position()))
                  .toList(),
              ApplyCalls.MOST);
      asked = new ArrayList<>();
      for (int i = 0; i < decided.size(); i++) {
        decisions[unknown.get(i)] = decided.get(i);
        if (decided.get(i).verdict() == Verdict.FORGOTTEN || !asked.isEmpty()) {
          asked.add(unknown.get(i));
        }
      }
    }
    if (!asked.isEmpty()) {
      throw LiveBoardHeld.forgotten(keys);
    }
  }

  /**
   * What each change's board decided on it before, if it did: as duplicates, or conflicts; missing
   * where there is no board that could tell.
   */
  public List<Optional<Decision>> decided(List<BoardChange> changes) {
    var calls =
        changes.stream()
            .map(
                change ->
                    new ScriptCall(
                        new byte[][] {change.keys().meta(), change.keys().ids()},
                        ScriptCall.arguments(change.id(), change.digest())))
            .toList();
    return redis.run(LiveScripts.DECIDED, calls).stream()
        .map(
            answer ->
                answer.isEmpty()
                    ? Optional.<Decision>empty()
                    : Optional.of(EventApplier.decision(answer.get(0))))
        .toList();
  }

  private void count(BoardChange change, Decision decision) {
    counters
        .computeIfAbsent(change.keys().board(), board -> new ConcurrentHashMap<>())
        .computeIfAbsent(
            decision.verdict(),
            verdict ->
                metrics.counter(
                    "palmares.events",
                    "board",
                    change.keys().board().value(),
                    "outcome",
                    verdict.word()))
        .increment();
  }

  /**
   * Ends all changes, and says what the board holds; empty if the period has no live board.
   *
   * @throws LiveBoardHeld if it is being made anew
   */
  public Optional<Population> seal(Period period) {
    LiveKeys keys = keys(period);
    List<byte[]> held =
        redis.run(
            LiveScripts.SEAL,
            new ScriptCall(new byte[][] {keys.meta(), keys.lines()}, new byte[0][]));
    if (held.size() == 1) {
      throw LiveBoardHeld.rebuilding(keys);
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
   * Lets the live board take events again, if it is there: where a seal was marked in Redis, and
   * the transaction that would have recorded it was not committed.
   */
  public void unseal(Period period) {
    redis.run(
        LiveScripts.UNSEAL, new ScriptCall(new byte[][] {keys(period).meta()}, new byte[0][]));
  }

  /**
   * Drops all that Redis holds of the period, slice by slice; a late write cannot bring it back.
   *
   * @param meanwhile is run now and then; what it throws ends the work, and the next call goes on
   */
  public void drop(Period period, Runnable meanwhile) {
    drop(keys(period), meanwhile);
  }

  /** As {@link #drop(Period, Runnable)}, for a period that PostgreSQL may not know. */
  public void drop(LiveKeys keys, Runnable meanwhile) {
    removal.remove(keys.everything(), meanwhile);
  }

  static LiveKeys keys(Period period) {
    return new LiveKeys(period.board(), period.name());
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
