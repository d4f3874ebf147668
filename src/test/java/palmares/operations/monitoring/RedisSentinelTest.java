package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.RedisSentinels;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A server follows the master that sentinels name. After a failover nothing that was acknowledged
 * is lost: what the replica lacks is found, and PostgreSQL has it.
 */
@WorldTest
class RedisSentinelTest {
  private static final int MASTER = 0;
  private static final int REPLICA = 1;
  private static final Duration FAILOVER = Duration.ofSeconds(40);

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private JdbcConnectionDetails postgres;

  private final List<Fact> facts = Contest.facts();
  private RedisSentinels redis;
  private Elsewhere server;
  private World world;
  private Period day;

  @BeforeEach
  void aBoard() throws IOException {
    redis = RedisSentinels.start();
    server =
        Elsewhere.on(
            postgres,
            "--spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
            "--spring.data.redis.sentinel.nodes=" + redis.addresses(),
            "--palmares.live.answer-timeout=1s");
    world = server.begin(here.now());
    day = world.open(world.board(Contest.rules()));
  }

  @AfterEach
  void end() throws IOException {
    server.close();
    redis.close();
  }

  @Test
  void theMasterThatTakesOverIsFollowedAndItsBoardSettlesExactly() throws IOException {
    assertThat(String.valueOf(health().getDetails().get("servers")))
        .startsWith("the Redis master 'boards' of the sentinels at " + redis.address(2));
    world.take(facts.subList(0, 5));
    awaitCopied();
    redis.kill(MASTER);
    redis.awaitMaster(REPLICA);
    takeOnceFollowed(facts.get(5));
    assertThat(health().getStatus()).isEqualTo(Status.UP);
    world.take(facts.subList(6, facts.size()));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aMasterThatHungAndComesBackDemotedTakesNoEvents() throws IOException {
    world.take(facts.subList(0, 5));
    awaitCopied();
    redis.pause(MASTER);
    redis.awaitMaster(REPLICA);
    takeOnceFollowed(facts.get(5));
    redis.resume(MASTER);
    redis.awaitReplica(MASTER);
    world.take(facts.subList(6, facts.size()));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  @Test
  void whatTheReplicaLacksIsFoundAndRebuilt() throws IOException {
    world.take(facts.subList(0, 2));
    awaitCopied();
    redis.detach(REPLICA);
    world.take(facts.subList(2, facts.size()));
    server.get(Journal.class).drain(day);
    redis.kill(MASTER);
    redis.awaitMaster(REPLICA);
    await().atMost(FAILOVER).until(() -> health().getStatus().equals(Status.UP));

    ClosingResult stopped = world.close(world.due(day));
    assertThat(stopped.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(stopped.text()).contains("Redis went back to an earlier state");
    assertThat(records.paid(day)).isEmpty();
    server.get(Rebuild.class).run(day.id(), Present.REPLACE, null, () -> {}, done -> {});
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  /** Until the replica has all that the master has answered. */
  private void awaitCopied() {
    assertThat(redis.<Long>command(MASTER, commands -> commands.waitForReplication(1, 5_000)))
        .isOne();
  }

  private void takeOnceFollowed(Fact fact) {
    await()
        .atMost(FAILOVER)
        .ignoreExceptionsInstanceOf(RedisUnavailable.class)
        .until(() -> world.take(fact) != null);
  }

  private Health health() {
    return Objects.requireNonNull(
        server.get("redisHealthIndicator", HealthIndicator.class).health());
  }
}
