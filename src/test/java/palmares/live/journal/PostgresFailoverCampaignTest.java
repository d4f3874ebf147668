package palmares.live.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.manifest.Anchors;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.FaultJournal;
import palmares.testing.Records;
import palmares.testing.StreamingReplica;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * While clients write and a period closes, all of PostgreSQL's primary is killed, and its replica
 * is promoted. Each event that was acknowledged counts once, and each payment of the model is made
 * once. An asynchronous replica may lack the last commits: of committed boards those events may be
 * lost that were acknowledged in them, and a person must let a closing go on that may have paid.
 */
@WorldTest
class PostgresFailoverCampaignTest {
  private static final int CAMPAIGN = 10;
  private static final int FAILOVERS_OF_A_ROUND = 5;

  /** How often the primary is lost with each kind of replica: -Dtests.pg-failovers=25. */
  private static final int FAILOVERS = Integer.getInteger("tests.pg-failovers", 1);

  private static final long SEED = Long.getLong("tests.pg-failover-seed", 37);

  /** How long the replica receives nothing before the primary is lost. */
  private static final int MAX_LAG_MILLIS = FAILOVERS < CAMPAIGN ? 300 : 2_000;

  private static final Acknowledgement CONSENT =
      new Acknowledgement("zoe", "no wallet has received anything");

  private static final List<String> STEPS = List.of("seal", "drain", "fill", "pay", "");
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Autowired private World here;
  @Autowired private DataRedisConnectionDetails redis;

  private Random random = new Random(SEED);
  private final List<Span> lags = new ArrayList<>();
  private StreamingReplica postgres;
  private Elsewhere server;
  private World world;
  private int forgotten;

  /** Whether the present primary has a replica, and was not lost. */
  private boolean isWhole = true;

  /** A time, as {@link System#nanoTime}. */
  private record Span(long from, long to) {
    boolean holds(long at) {
      return at >= from && at <= to;
    }
  }

  @BeforeEach
  void aServerOnBoth() throws IOException {
    postgres = StreamingReplica.start();
    var node = Objects.requireNonNull(redis.getStandalone());
    server =
        Elsewhere.on(
            new OfBoth(postgres.url()),
            "--spring.data.redis.host=" + node.getHost(),
            "--spring.data.redis.port=" + node.getPort(),
            "--spring.data.redis.password=" + Objects.toString(redis.getPassword(), ""),
            // The first one has the boards of the other tests' database.
            "--spring.data.redis.database=1",
            "--palmares.live.answer-timeout=5s");
    world = server.begin(here.now());
  }

  private record OfBoth(String getJdbcUrl) implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
      return "postgres";
    }

    @Override
    public String getPassword() {
      return "";
    }
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void aPrimaryThatDiesLosesNothingThatItsReplicaHas() throws IOException {
    run("PostgreSQL's primary dies, its replica is synchronous", true);
    run("PostgreSQL's primary dies, its replica is asynchronous", false);
  }

  private void run(String fault, boolean synchronous) throws IOException {
    FaultJournal.Round round = (failovers, seed) -> play(synchronous, failovers, seed);
    if (FAILOVERS < CAMPAIGN) {
      round.play(FAILOVERS, SEED);
    } else {
      new FaultJournal("failovers", fault, SEED).rounds(FAILOVERS, FAILOVERS_OF_A_ROUND, round);
    }
  }

  /** Returns how many events were acknowledged. */
  private long play(boolean synchronous, int failovers, long seed) throws IOException {
    random = new Random(seed);
    makeWhole(synchronous);
    Deque<Period> due = dueContests(failovers);
    DrainRound round = server.get(DrainRound.class);
    Records records = server.get(Records.class);
    lags.clear();
    forgotten = 0;
    try (var writers = new SteadyWriters(world, records, round, "PostgreSQL")) {
      writers.start();
      for (int failover = 0; failover < failovers; failover++) {
        makeWhole(synchronous);
        writers.awaitEvents();
        Period contest = due.remove();
        loseThePrimaryWhile(contest);
        writers.awaitEvents();
        settle(contest);
        assertThat(records.paid(contest)).isEqualTo(Contest.PAID);
      }
      writers.stop();
      drainAll(round);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(server.get(JournalFaults.class).all()).isEmpty());
      SteadyWriters.Balance balance = writers.settleAll();
      assertLost(balance, synchronous);
      System.out.printf(
          "%d primaries die, whose replica is %s: %d events acknowledged, of which %d are lost that"
              + " no replica had; a person let %d closings go on; %d requests sent again%n",
          failovers,
          synchronous ? "synchronous" : "asynchronous",
          balance.acknowledged(),
          balance.lost().size(),
          forgotten,
          writers.refused());
      return balance.acknowledged();
    }
  }

  private void makeWhole(boolean synchronous) throws IOException {
    if (!isWhole) {
      postgres.replace();
      isWhole = true;
    }
    postgres.replicate(synchronous);
  }

  /** One for each failover, a day before the boards of the writers. */
  private Deque<Period> dueContests(int failovers) {
    var due = new ArrayDeque<Period>();
    for (int n = 0; n < failovers; n++) {
      Board board = world.board(Contest.rules());
      world.take(Contest.facts().stream().map(fact -> fact.to(board)).toList());
      due.add(world.open(board));
    }
    world.now(world.now().plus(Duration.ofDays(1)));
    return due;
  }

  /**
   * The closing goes on until the primary is dead, or waits at the step for that; so a commit may
   * be made that the replica lacks, or is not known to be made.
   */
  private void loseThePrimaryWhile(Period closing) throws IOException {
    String step = STEPS.get(random.nextInt(STEPS.size()));
    boolean waits = random.nextBoolean();
    var reached = new CompletableFuture<Void>();
    var dead = new CompletableFuture<Void>();
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> {
              try {
                close(
                    closing,
                    entered -> {
                      if (entered.equals(step)) {
                        reached.complete(null);
                        if (waits) {
                          dead.join();
                        }
                      }
                    });
              } finally {
                reached.complete(null);
              }
            });
    int lag = random.nextInt(MAX_LAG_MILLIS);
    reached.join();
    long from = System.nanoTime();
    postgres.stall();
    SteadyWriters.pace(lag);
    postgres.killPrimary();
    isWhole = false;
    lags.add(new Span(from, System.nanoTime()));
    dead.complete(null);
    postgres.promoteReplica();
    closed.join();
    world.pass(LEASE);
  }

  private void close(Period closing, Consumer<String> watcher) {
    try {
      world.close(closing, watcher);
    } catch (RuntimeException e) {
      requireOutage(e);
    }
  }

  private static void requireOutage(RuntimeException e) {
    if (!Outages.server(e).equals(Optional.of("PostgreSQL"))) {
      throw e;
    }
  }

  /** Does what operators do about a closing that may have paid. */
  private void settle(Period contest) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              world.pass(LEASE);
              ClosingResult closed = world.close(contest);
              if (closed.text().contains("PostgreSQL has forgotten that")) {
                forgotten++;
                Files.deleteIfExists(server.get(Anchors.class).file());
                server
                    .get(Rebuild.class)
                    .run(contest.id(), Present.REPLACE, CONSENT, () -> {}, done -> {});
              }
              return List.of(Status.SETTLED, Status.ALREADY_SETTLED).contains(closed.outcome());
            });
  }

  private static void drainAll(DrainRound round) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                round.run(() -> true);
                return true;
              } catch (RuntimeException e) {
                requireOutage(e);
                return false;
              }
            });
  }

  private void assertLost(SteadyWriters.Balance balance, boolean synchronous) {
    assertThat(balance.lost().keySet())
        .as("only PostgreSQL had it")
        .isEqualTo(balance.committedLost());
    if (synchronous) {
      assertThat(balance.lost()).as("lost").isEmpty();
      assertThat(balance.unapplied()).as("PostgreSQL has them").isEmpty();
    }
    assertThat(balance.lost().values())
        .as("lost")
        .allMatch(at -> lags.stream().anyMatch(lag -> lag.holds(at)));
  }
}
