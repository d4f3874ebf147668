package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.health.contributor.Status;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.nodes.Nodes;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.testing.Proxy;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A process works only while it is known that no other does its work. */
@WorldTest
class WorkPermitTest {
  private static final String SERVED_BY = "palmares:served-by";
  private static final Duration A_WHILE = Duration.ofSeconds(30);
  private static final String OF_A_COPY = "11111111-2222-4333-8444-555555555555";

  @Autowired private World world;
  @Autowired private RedisAtStart atStart;
  @Autowired private Nodes nodes;
  @Autowired private Clock clock;
  @Autowired private JdbcClient jdbc;
  @Autowired private PlatformTransactionManager transactions;
  @Autowired private StringRedisTemplate redis;
  @Autowired private DataRedisConnectionDetails server;

  private Proxy network;
  private LettuceConnectionFactory connections;
  private RedisClient client;
  private RedisOwner owner;
  private WorkPermit permit;
  private long nanos;
  private long millis;

  @BeforeEach
  void aProcess() throws IOException {
    redis.delete(SERVED_BY);
    var node = Objects.requireNonNull(server.getStandalone());
    network = Proxy.to(node.getHost(), node.getPort());
    var configuration = new RedisStandaloneConfiguration("127.0.0.1", network.port());
    configuration.setPassword(Objects.toString(server.getPassword(), ""));
    connections = new LettuceConnectionFactory(configuration);
    connections.afterPropertiesSet();
    connections.start();
    client = new RedisClient(connections, new RedisClient.Settings(Duration.ofSeconds(5)));
    owner = new RedisOwner(atStart, client, jdbc, clock, true);
    permit = permit(owner);
  }

  @AfterEach
  void end() throws IOException {
    connections.destroy();
    network.close();
    redis.delete(SERVED_BY);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    millis += time.toMillis();
  }

  private void anotherCopyServes() {
    redis.opsForValue().set(SERVED_BY, OF_A_COPY);
  }

  private void assertSuspended() {
    assertThatThrownBy(permit::require).isInstanceOf(WorkSuspended.class);
    assertThatThrownBy(permit::requireNotSuspended).isInstanceOf(WorkSuspended.class);
    assertThat(permit.isGranted()).isFalse();
    assertThat(permit.health().getStatus()).isEqualTo(Status.DOWN);
  }

  @Test
  void beforeItsFirstCheckAProcessAsksAndACopyMayNot() {
    anotherCopyServes();
    assertSuspended();
    assertThat(permit.obstacle().orElseThrow().since()).isEqualTo(world.now());
    redis.delete(SERVED_BY);
    pass(Duration.ofSeconds(1));
    assertSuspended(); // Redis may have lost it.
    pass(Duration.ofSeconds(1));
    world.pass(RedisOwner.SERVED);
    assertThatCode(permit::require).doesNotThrowAnyException();
    assertThat(permit.obstacle()).isEmpty();
    assertThat(permit.health().getStatus()).isEqualTo(Status.UP);
    assertThat(redis.opsForValue().get(SERVED_BY)).isNotNull();
  }

  /** A copy takes over a minute after the last heartbeat, and this process was paused longer. */
  @Test
  void whatWasGrantedEndsBeforeACopyMayTakeOver() {
    permit.renew();
    anotherCopyServes();
    pass(Duration.ofMillis(44_999));
    assertThatCode(permit::require).doesNotThrowAnyException();
    pass(Duration.ofMillis(1));
    assertSuspended();
  }

  @Test
  void aProcessWhoseMachineWasSuspendedAsksAgain() {
    permit.renew();
    anotherCopyServes();
    millis += Duration.ofMinutes(2).toMillis();
    assertSuspended();
  }

  @Test
  void aHeartbeatFindsACopyAtOnce() {
    permit.renew();
    anotherCopyServes();
    assertThatThrownBy(permit::renew)
        .isInstanceOf(WorkSuspended.class)
        .hasMessageContainingAll(
            "takes no events, and drains, relays, closes and delivers nothing",
            "another copy of this database",
            "stop that server");
    assertSuspended();
  }

  /** Doubt pays nobody; events are in journals, which their owner drains. */
  @Test
  void withoutRedisEventsAreTakenAndWorkEndsInTime() {
    network.refuse("LOADING Redis is loading the dataset in memory");
    assertThatCode(owner::afterPropertiesSet).as("it starts").doesNotThrowAnyException();
    assertThatThrownBy(permit::require).isInstanceOf(RedisUnavailable.class);
    assertThatCode(permit::requireNotSuspended).doesNotThrowAnyException();
    assertThat(permit.isGranted()).isFalse();
    network.restore();
    permit.renew();
    network.refuse("LOADING Redis is loading the dataset in memory");
    assertThatThrownBy(permit::renew).isInstanceOf(RedisUnavailable.class);
    assertThatCode(permit::require).doesNotThrowAnyException();
    pass(Duration.ofSeconds(45));
    assertThatThrownBy(permit::require).isInstanceOf(RedisUnavailable.class);
    assertThatCode(permit::requireNotSuspended).doesNotThrowAnyException();
  }

  @Test
  void withoutPostgresEventsOfFastBoardsAreTaken() {
    permit =
        permit(
            new RedisOwner(atStart, client, jdbc, clock, true) {
              @Override
              void serve() {
                throw new DataAccessResourceFailureException("no connection");
              }
            });
    assertThatThrownBy(permit::require).isInstanceOf(DataAccessResourceFailureException.class);
    pass(Duration.ofSeconds(45));
    assertThatCode(permit::requireNotSuspended).doesNotThrowAnyException();
  }

  @Test
  void anOlderServerStopsItsWorkWhileANewerOneRuns() {
    permit.renew();
    node("newer", Nodes.FORMAT + 1);
    assertThatThrownBy(permit::renew)
        .isInstanceOf(WorkSuspended.class)
        .hasMessageContainingAll("newer runs a newer version", "start the newer version here");
    assertSuspended();
    world.pass(Nodes.MAX_HEARTBEAT_AGE.plusSeconds(1));
    node("older", Nodes.FORMAT - 1);
    permit.renew();
    assertThatCode(permit::require).doesNotThrowAnyException();
  }

  private void node(String name, int format) {
    jdbc.sql(
            """
            insert into node (name, process, roles, format, redis, started_at, seen_at)
            values (?, 'there:1', '{writer}', ?, 'redis', ?, ?)
            """)
        .params(name, format, world.now(), world.now())
        .update();
  }

  @Test
  void aServerWhoseNameAnotherOneHasStopsItsWork() {
    node(nodes.name(), Nodes.FORMAT);
    assertThatThrownBy(permit::renew)
        .isInstanceOf(WorkSuspended.class)
        .hasMessageContainingAll("another server has the name", "there:1", "palmares.node");
    world.pass(Nodes.MAX_HEARTBEAT_AGE.plusSeconds(1));
    permit.renew();
  }

  /** An owner whose check lasts until it is let go. */
  private final class SlowOwner extends RedisOwner {
    private final AtomicInteger checks = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    SlowOwner() {
      super(atStart, client, jdbc, clock, true);
    }

    @Override
    void serve() {
      checks.incrementAndGet();
      begun.countDown();
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      owner.serve();
    }
  }

  private SlowOwner slow() {
    var slow = new SlowOwner();
    permit = permit(slow);
    return slow;
  }

  private WorkPermit permit(RedisOwner checked) {
    return new WorkPermit(checked, nodes, clock, transactions, () -> nanos, () -> millis);
  }

  /** Calls this in a thread, and returns once that waits for a check or has ended. */
  private static CompletableFuture<Boolean> waiting(Runnable call) {
    var result = new CompletableFuture<Boolean>();
    var thread =
        new Thread(
            () ->
                result.completeAsync(
                    () -> {
                      call.run();
                      return true;
                    },
                    Runnable::run));
    thread.start();
    await()
        .until(
            () ->
                result.isDone()
                    || thread.getState() == Thread.State.WAITING
                    || thread.getState() == Thread.State.TIMED_WAITING);
    return result;
  }

  /** Otherwise each waits for Redis in turn, and the heartbeats behind them. */
  @Test
  void allThatWaitForACheckHaveItsFailure() throws Exception {
    SlowOwner slow = slow();
    CompletableFuture<Boolean> first = waiting(permit::renew);
    slow.begun.await();
    network.refuse("LOADING Redis is loading the dataset in memory");
    List<CompletableFuture<Boolean>> others =
        List.of(waiting(permit::require), waiting(permit::require), waiting(permit::renew));
    slow.goesOn.countDown();
    assertThat(first)
        .failsWithin(A_WHILE)
        .withThrowableThat()
        .withCauseInstanceOf(RedisUnavailable.class);
    others.forEach(
        other ->
            assertThat(other)
                .failsWithin(A_WHILE)
                .withThrowableThat()
                .withCauseInstanceOf(RedisUnavailable.class));
    assertThat(slow.checks).hasValue(1);
  }

  @Test
  void noEventsAreTakenBeforeTheFirstCheckHasEnded() throws Exception {
    SlowOwner slow = slow();
    anotherCopyServes();
    CompletableFuture<Boolean> first = waiting(permit::renew);
    slow.begun.await();
    CompletableFuture<Boolean> intake = waiting(permit::requireNotSuspended);
    assertThat(intake).isNotDone();
    slow.goesOn.countDown();
    assertThat(first).failsWithin(A_WHILE);
    assertThat(intake)
        .failsWithin(A_WHILE)
        .withThrowableThat()
        .withCauseInstanceOf(WorkSuspended.class);
    assertThat(slow.checks).hasValue(1);
  }

  /** A long transaction would lock the row of the installation, for which all servers wait. */
  @Test
  void aCheckIsNoPartOfTheTransactionThatNeedsIt() {
    new TransactionTemplate(transactions)
        .executeWithoutResult(
            status -> {
              permit.require();
              status.setRollbackOnly();
            });
    assertThat(
            jdbc.sql("select heartbeats[1]::text from installation").query(String.class).single())
        .isEqualTo(redis.opsForValue().get(SERVED_BY));
  }
}
