package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveKeys;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.FaultJournal;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * While clients write, PostgreSQL is set back again and again, and live boards lose parts. Each
 * event that was acknowledged counts once.
 */
@WorldTest
class FailoverCampaignTest {
  private static final int CAMPAIGN = 10;
  private static final int FAULTS_OF_A_ROUND = 10;
  private static final String JOURNAL = "failovers";
  private static final long SEED = Long.getLong("tests.failover-seed", 34);

  /** How often PostgreSQL is set back; a campaign asks for more: -Dtests.failovers=100. */
  private static final int FAILOVERS = Integer.getInteger("tests.failovers", 3);

  /** How many boards are torn; a campaign asks for more: -Dtests.tears=100. */
  private static final int TEARS = Integer.getInteger("tests.tears", 4);

  /** The longest time by which a standby lags behind: 30 s in a campaign. */
  private static final Duration MAX_LAG =
      FAILOVERS < CAMPAIGN ? Duration.ofMillis(500) : Duration.ofSeconds(30);

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

  private Random random = new Random(SEED);

  @Test
  void aDatabaseThatGoesBackLosesNothing() throws IOException {
    play("PostgreSQL is set back by up to 30 s", FAILOVERS, this::setBack);
  }

  @Test
  void aTornBoardLosesNothing() throws IOException {
    exclude("m1", ExclusionLevel.HIDDEN);
    exclude("m2", ExclusionLevel.UNRANKED);
    lists.updateAll();
    play("a live board loses a part", TEARS, this::tearBoards);
  }

  /** What happens under load; returns how many events were acknowledged. */
  private interface Faults {
    long inject(SteadyWriters writers, int faults);
  }

  private void play(String fault, int count, Faults faults) throws IOException {
    FaultJournal.Round play =
        (ofRound, seed) -> {
          random = new Random(seed);
          try (var writers = new SteadyWriters(world, records, round)) {
            return faults.inject(writers, ofRound);
          }
        };
    if (count < CAMPAIGN) {
      play.play(count, SEED);
    } else {
      new FaultJournal(JOURNAL, fault, SEED).rounds(count, FAULTS_OF_A_ROUND, play);
    }
  }

  private long setBack(SteadyWriters writers, int failovers) {
    writers.start();
    var standby = new ArrayList<Snapshot>(List.of(snapshot()));
    long longest = 0;
    for (int failover = 0; failover < failovers; failover++) {
      long until = System.nanoTime() + MAX_LAG.toNanos() / 15;
      while (System.nanoTime() < until) {
        standby.add(snapshot());
        SteadyWriters.pace(20);
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
    SteadyWriters.Balance balance = settleAll(writers);
    System.out.printf(
        "%d failovers, the longest lag %d ms: %d events acknowledged, all count; %d that only"
            + " PostgreSQL had are lost%n",
        failovers, longest / 1_000_000, balance.acknowledged(), balance.unapplied().size());
    return balance.acknowledged();
  }

  private long tearBoards(SteadyWriters writers, int tears) {
    writers.start();
    for (int tear = 0; tear < tears; tear++) {
      List<String> kinds = SteadyWriters.kinds();
      Period period = writers.of(kinds.get(tear % kinds.size())).period();
      SteadyWriters.pace(20 + random.nextInt(50));
      writers.awaitEvents();
      List<byte[]> keys = keys(period);
      byte[] key = keys.get(random.nextInt(keys.size()));
      tear(key);
      while (faults.all().isEmpty()) {
        SteadyWriters.pace(5);
      }
      assertThat(faults.all())
          .as(new String(key, UTF_8))
          .extracting(JournalFaults.Fault::kind)
          .containsAnyOf(JournalFaults.Kind.TORN, JournalFaults.Kind.LOST)
          .hasSize(1);
      assertThat(rebuild.run(period.id(), Present.REPLACE, null, () -> {}, done -> {})).isPresent();
      while (!faults.all().isEmpty()) {
        SteadyWriters.pace(5);
      }
    }
    SteadyWriters.Balance balance = settleAll(writers);
    assertThat(balance.unapplied()).as("PostgreSQL had them").isEmpty();
    System.out.printf(
        "%d torn boards: %d events acknowledged, all count; %d requests refused meanwhile%n",
        tears, balance.acknowledged(), writers.refused());
    return balance.acknowledged();
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
  }

  private SteadyWriters.Balance settleAll(SteadyWriters writers) {
    writers.stop();
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    SteadyWriters.Balance balance = writers.settleAll();
    assertThat(balance.lost()).as("acknowledged").isEmpty();
    return balance;
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
                      left join relay_position on relay_position.period_id = id
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
          jdbc.sql(
                  "lock table journal_position, relay, relay_position, committed_event, event"
                      + " in exclusive mode")
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
                "update relay set committed = ? where period_id = ?", of.committed(), of.period());
            execute(
                "update relay_position set relayed = ? where period_id = ?",
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
}
