package palmares.live.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import palmares.live.intake.EventOutcome;
import palmares.period.Period;
import palmares.platform.Refusal;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;

/**
 * Clients that write to several kinds of boards until they are stopped, while a server drains. What
 * it refuses or does not answer is sent again with the same ids.
 */
final class SteadyWriters implements AutoCloseable {
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

  private final World world;
  private final Records records;
  private final DrainRound round;
  private final Set<String> failing;
  private final Map<String, Written> written = new ConcurrentHashMap<>();
  private final Set<String> accepted = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final AtomicInteger refused = new AtomicInteger();
  private final List<CompletableFuture<Void>> running = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
  private volatile boolean stopped;

  /**
   * What was written to a board.
   *
   * @param acknowledged when each event was acknowledged, by its id, as {@link System#nanoTime}
   */
  record Written(Board board, Period period, Map<String, Long> acknowledged) {}

  /**
   * @param failing the servers whose outages clients and drains survive: {@code Redis}, {@code
   *     PostgreSQL}
   */
  SteadyWriters(World world, Records records, DrainRound round, String... failing) {
    this.failing = Set.of(failing);
    this.world = world;
    this.records = records;
    this.round = round;
    KINDS.keySet().forEach(this::open);
  }

  private void open(String kind) {
    String text = Objects.requireNonNull(KINDS.get(kind));
    Rules rules = Rules.day();
    if (!text.isEmpty()) {
      rules.with(text);
    }
    Board board = world.board(rules);
    written.put(kind, new Written(board, world.open(board), new ConcurrentHashMap<>()));
  }

  static List<String> kinds() {
    return KINDS.keySet().stream().sorted().toList();
  }

  Written of(String kind) {
    return Objects.requireNonNull(written.get(kind), kind);
  }

  /** The period of a board, by the name of the board. */
  Period period(String board) {
    return written.values().stream()
        .map(Written::period)
        .filter(period -> period.board().value().equals(board))
        .findFirst()
        .orElseThrow();
  }

  void start() {
    stopped = false;
    run(() -> repeat(this::drain));
    IntStream.range(0, WRITERS).forEach(n -> run(() -> write(new Random(n))));
  }

  private void run(Runnable work) {
    running.add(CompletableFuture.runAsync(work, threads));
  }

  private void drain() {
    try {
      round.run(() -> !stopped);
    } catch (RuntimeException outage) {
      requireExpected(outage); // The next round tries again, as that of a server does.
    }
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
          for (Written each : written.values()) {
            List<Fact> facts =
                IntStream.range(0, EVENTS_PER_REQUEST)
                    .mapToObj(
                        n ->
                            Fact.by("m" + choices.nextInt(MEMBERS))
                                .on("s" + choices.nextInt())
                                .to(each.board()))
                    .toList();
            while (!send(each, facts) && !stopped) {
              pace(20);
            }
          }
        });
  }

  /** False if the server refuses: those that it took nevertheless are duplicates the next time. */
  private boolean send(Written to, List<Fact> facts) {
    List<EventOutcome> outcomes;
    try {
      outcomes = world.take(facts);
    } catch (RuntimeException e) {
      if (!(e instanceof Refusal)) {
        requireExpected(e);
      }
      refused.incrementAndGet();
      return false;
    }
    for (int i = 0; i < facts.size(); i++) {
      switch (outcomes.get(i).kind()) {
        case APPLIED, DUPLICATE -> to.acknowledged().put(facts.get(i).id(), System.nanoTime());
        case ACCEPTED -> accepted.add(facts.get(i).id());
        default -> throw new AssertionError(outcomes.get(i));
      }
    }
    return true;
  }

  private void requireExpected(RuntimeException outage) {
    if (Outages.server(outage).filter(failing::contains).isEmpty()) {
      throw outage;
    }
  }

  /** Waits until each board has taken an event more. */
  void awaitEvents() {
    for (Written each : written.values()) {
      int before = each.acknowledged().size() + accepted.size();
      while (each.acknowledged().size() + accepted.size() == before) {
        requireRunning();
        pace(5);
      }
    }
  }

  /** Throws what has ended a client or the drain. */
  void requireRunning() {
    running.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
  }

  void stop() {
    stopped = true;
    running.forEach(CompletableFuture::join);
    running.clear();
  }

  int refused() {
    return refused.get();
  }

  /**
   * What the writers have come to.
   *
   * @param acknowledged events whose acceptance clients received
   * @param lost those of them that no journal has, and when they were acknowledged
   * @param committedLost those of the lost ones that a committed board had acknowledged
   * @param unapplied events that were accepted, and that no journal has
   */
  record Balance(
      int acknowledged, Map<String, Long> lost, Set<String> committedLost, Set<String> unapplied) {}

  /** Settles all boards, on which each event of the journals counts once. */
  Balance settleAll() {
    int acknowledged = 0;
    var lost = new ConcurrentHashMap<String, Long>();
    var committedLost = new HashSet<String>();
    var unapplied = new HashSet<>(accepted);
    for (Map.Entry<String, Written> each : written.entrySet()) {
      Period period = each.getValue().period();
      Set<String> journaled =
          Set.copyOf(
              records.words("select id from event where period_id = ?", period.id().value()));
      var missing = new ConcurrentHashMap<>(each.getValue().acknowledged());
      missing.keySet().removeAll(journaled);
      if (each.getValue().board().durability() == Durability.COMMITTED) {
        committedLost.addAll(missing.keySet());
      }
      lost.putAll(missing);
      unapplied.removeAll(journaled);
      acknowledged += each.getValue().acknowledged().size();
      world.settle(period);
      assertThat(
              records.number("select sealed_points from period where id = ?", period.id().value()))
          .as("%s: each counts once", each.getKey())
          .isEqualTo(journaled.size());
    }
    assertThat(records.verify().named()).isEmpty();
    return new Balance(acknowledged, lost, committedLost, unapplied);
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      threads.shutdownNow();
    }
  }

  static void pace(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
