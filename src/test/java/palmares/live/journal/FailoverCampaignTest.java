package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * While clients write, PostgreSQL is set back again and again, and live boards lose parts. Each
 * event that was acknowledged counts once.
 */
@WorldTest
class FailoverCampaignTest {
  /** How often PostgreSQL is set back; a campaign asks for more: -Dtests.failovers=100. */
  private static final int FAILOVERS = Integer.getInteger("tests.failovers", 3);

  /** How many boards are torn; a campaign asks for more: -Dtests.tears=100. */
  private static final int TEARS = Integer.getInteger("tests.tears", 4);

  /** The longest time by which a standby lags behind: 30 s in a campaign. */
  private static final Duration MAX_LAG =
      FAILOVERS < 10 ? Duration.ofMillis(500) : Duration.ofSeconds(30);

  private static final int WRITERS = 2;
  private static final int EVENTS_PER_REQUEST = 10;
  private static final int MEMBERS = 300;

  private static final Map<String, String> KINDS =
      Map.of(
          "packed", "",
          "wide", "layout: wide",
          "dense", "ranks: dense",
          "limited", "actions: { like: { points: 1, undo: true, once-per: subject } }",
          "committed", "durability: committed");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private DrainRound round;
  @Autowired private JournalFaults faults;
  @Autowired private Rebuild rebuild;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions lists;

  private final Random random = new Random(34);
  private final Map<String, Board> boards = new ConcurrentHashMap<>();
  private final Map<String, Period> periods = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> acknowledged = new ConcurrentHashMap<>();
  private final AtomicInteger refused = new AtomicInteger();
  private final Set<String> accepted = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final List<Future<?>> running = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
  private volatile boolean stopped;

  @AfterEach
  void stop() throws Exception {
    stopped = true;
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdownNow();
  }

  @Test
  void aDatabaseThatGoesBackLosesNothing() throws Exception {
    KINDS.keySet().forEach(this::open);
    start();
    var standby = new ArrayList<Snapshot>(List.of(snapshot()));
    long longest = 0;
    for (int failover = 0; failover < FAILOVERS; failover++) {
      long until = System.nanoTime() + MAX_LAG.toNanos() / 15;
      while (System.nanoTime() < until) {
        standby.add(snapshot());
        pace(20);
      }
      long lag = (long) (random.nextDouble() * MAX_LAG.toNanos());
      standby.removeIf(each -> each.age() > MAX_LAG.toNanos());
      standby.add(snapshot());
      int older = standby.size() - 1;
      while (older > 0 && standby.get(older).age() < lag) {
        older--;
      }
      Snapshot back = standby.get(older);
      standby.subList(older + 1, standby.size()).clear();
      longest = Math.max(longest, back.age());
      restore(back);
    }
    stop();
    int events = settleAll();
    System.out.printf(
        "%d failovers, the longest lag %d ms: %d events acknowledged, all count; %d that only"
            + " PostgreSQL had are lost%n",
        FAILOVERS, longest / 1_000_000, events, accepted.size());
  }

  @Test
  void aTornBoardLosesNothing() throws Exception {
    KINDS.keySet().forEach(this::open);
    exclude("m1", ExclusionLevel.HIDDEN);
    exclude("m2", ExclusionLevel.UNRANKED);
    lists.updateAll();
    start();
    for (int tear = 0; tear < TEARS; tear++) {
      String kind = List.copyOf(KINDS.keySet()).get(tear % KINDS.size());
      Period period = of(periods, kind);
      pace(20 + random.nextInt(50));
      while (of(acknowledged, kind).isEmpty()) {
        pace(5);
      }
      List<byte[]> keys = keys(period);
      byte[] key = keys.get(random.nextInt(keys.size()));
      tear(key);
      while (faults.all().isEmpty()) {
        pace(5);
      }
      assertThat(faults.all())
          .as(new String(key, UTF_8))
          .extracting(JournalFaults.Fault::kind)
          .containsAnyOf(JournalFaults.Kind.TORN, JournalFaults.Kind.LOST)
          .hasSize(1);
      assertThat(rebuild.run(period.id(), Present.REPLACE, null, () -> {}, done -> {})).isPresent();
      while (!faults.all().isEmpty()) {
        pace(5);
      }
    }
    stop();
    int events = settleAll();
    assertThat(accepted).as("PostgreSQL had them").isEmpty();
    System.out.printf(
        "%d torn boards: %d events acknowledged, all count; %d requests refused meanwhile%n",
        TEARS, events, refused.get());
  }

  private static <V> V of(Map<String, V> all, String kind) {
    return Objects.requireNonNull(all.get(kind), kind);
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
  }

  private void open(String kind) {
    String text = of(KINDS, kind);
    Rules rules = Rules.day();
    if (!text.isEmpty()) {
      rules.with(text);
    }
    Board board = world.board(rules);
    boards.put(kind, board);
    periods.put(kind, world.open(board));
    acknowledged.put(kind, Collections.newSetFromMap(new ConcurrentHashMap<>()));
  }

  private void start() {
    stopped = false;
    running.add(threads.submit(() -> repeat(() -> round.run(() -> !stopped))));
    IntStream.range(0, WRITERS)
        .forEach(n -> running.add(threads.submit(() -> write(new Random(n)))));
  }

  private void repeat(Runnable work) {
    while (!stopped) {
      work.run();
      pace(50);
    }
  }

  private void write(Random choices) {
    repeat(
        () -> {
          for (Map.Entry<String, Period> each : periods.entrySet()) {
            Board board = of(boards, each.getKey());
            List<Fact> facts =
                IntStream.range(0, EVENTS_PER_REQUEST)
                    .mapToObj(
                        n ->
                            Fact.by("m" + choices.nextInt(MEMBERS))
                                .on("s" + choices.nextInt())
                                .to(board))
                    .toList();
            try {
              note(each.getKey(), facts, world.take(facts));
            } catch (Refusal halted) {
              refused.incrementAndGet();
              resend(each.getKey(), facts);
            }
          }
        });
  }

  /** Until the board takes them: those that were taken before the refusal are duplicates. */
  private void resend(String kind, List<Fact> facts) {
    while (!stopped) {
      pace(20);
      try {
        note(kind, facts, world.take(facts));
        return;
      } catch (Refusal halted) {
        refused.incrementAndGet();
      }
    }
  }

  private void note(String kind, List<Fact> facts, List<EventOutcome> outcomes) {
    for (int i = 0; i < facts.size(); i++) {
      switch (outcomes.get(i).kind()) {
        case APPLIED, DUPLICATE -> of(acknowledged, kind).add(facts.get(i).id());
        case ACCEPTED -> accepted.add(facts.get(i).id());
        default -> throw new AssertionError(outcomes.get(i));
      }
    }
  }

  /** Settles all boards, and returns how many events were acknowledged. */
  private int settleAll() {
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    int events = 0;
    for (Map.Entry<String, Period> each : periods.entrySet()) {
      Set<String> journaled =
          Set.copyOf(
              records.words(
                  "select id from event where period_id = ?", each.getValue().id().value()));
      assertThat(journaled).as(each.getKey()).containsAll(of(acknowledged, each.getKey()));
      accepted.removeAll(journaled);
      events += of(acknowledged, each.getKey()).size();
      world.settle(each.getValue());
      assertThat(
              records.number(
                  "select sealed_points from period where id = ?", each.getValue().id().value()))
          .as("each counts once")
          .isEqualTo(journaled.size());
    }
    assertThat(records.verify().named()).isEmpty();
    return events;
  }

  private List<byte[]> keys(Period period) {
    byte[] pattern = LiveKeys.of(period).name("*").getBytes(UTF_8);
    return servers.redis(connection -> List.copyOf(connection.keyCommands().keys(pattern))).stream()
        .filter(key -> !new String(key, UTF_8).matches(".*:(journal|turn:.*)"))
        .toList();
  }

  /** Loses the key, or a part of it. */
  private void tear(byte[] key) {
    boolean whole = random.nextBoolean() || new String(key, UTF_8).endsWith(":meta");
    servers.redis(
        connection -> {
          if (whole) {
            return connection.keyCommands().del(key);
          }
          return switch (connection.keyCommands().type(key)) {
            case ZSET -> connection.zSetCommands().zRemRange(key, 0, 0);
            case HASH ->
                connection.hashCommands().hDel(key, connection.hashCommands().hRandField(key));
            default -> throw new IllegalStateException();
          };
        });
  }

  /** How far PostgreSQL was, of one period. */
  private record Progress(
      long period, long drained, String entry, String checksum, long committed, long relayed) {}

  /** All that PostgreSQL knew of the journals at a moment, since rows are only added to them. */
  private record Snapshot(long at, List<Progress> periods, List<Long> unrelayed) {
    long age() {
      return System.nanoTime() - at;
    }
  }

  private Snapshot snapshot() {
    long at = System.nanoTime();
    return transaction.execute(
        status -> {
          jdbc.sql("set transaction isolation level repeatable read").update();
          List<Progress> progress =
              jdbc.sql(
                      """
                      select id as period, coalesce(drained, 0) as drained, entry,
                        coalesce(checksum, 0)::text as checksum,
                        coalesce(committed, 0) as committed,
                        coalesce(relayed, 0) as relayed
                      from period
                      left join journal_position on journal_position.period_id = id
                      left join relay on relay.period_id = id
                      """)
                  .query(Progress.class)
                  .list();
          List<Long> unrelayed =
              jdbc.sql("select n from committed_event where outcome is null")
                  .query(Long.class)
                  .list();
          return new Snapshot(at, progress, unrelayed);
        });
  }

  /** A standby that is promoted has what it had: later rows are gone. */
  private void restore(Snapshot back) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("lock table journal_position, relay, committed_event, event in exclusive mode")
              .update();
          for (Progress of : back.periods()) {
            execute(
                "update journal_position set drained = ?, entry = ?, checksum = ?::numeric"
                    + " where period_id = ?",
                of.drained(),
                of.entry(),
                of.checksum(),
                of.period());
            execute(
                "update relay set committed = ?, relayed = ? where period_id = ?",
                of.committed(),
                of.relayed(),
                of.period());
            execute("delete from event where period_id = ? and seq > ?", of.period(), of.drained());
            execute(
                "delete from committed_event where period_id = ? and n > ?",
                of.period(),
                of.committed());
          }
          execute(
              "update committed_event set outcome = null, points = null, total = null"
                  + " where n = any(?)",
              (Object) back.unrelayed().toArray(Long[]::new));
        });
  }

  private void execute(String sql, Object... parameters) {
    var statement = jdbc.sql(sql);
    for (Object parameter : parameters) {
      statement = statement.param(parameter);
    }
    statement.update();
  }

  private static void pace(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
