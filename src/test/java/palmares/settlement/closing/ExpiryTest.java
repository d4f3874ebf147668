package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.impl.matchers.GroupMatcher;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Live keys stay as long as they were promised, then go for good. */
@WorldTest
class ExpiryTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Sweep sweep;
  @Autowired private Scheduler scheduler;

  private Period day;

  @BeforeEach
  void aSettledContest() {
    day = world.open(world.board(Contest.rules().with("clock: event").with("retention: 3 days")));
    world.take(Contest.facts().stream().map(fact -> fact.at(World.START)).toList());
    world.settle(day);
  }

  @Test
  void keysAreRemovedWhenTheRetentionIsOver() {
    world.now(day.expiresAt().minusNanos(1_000));
    expiry.expire();
    assertThat(keys()).isNotEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);

    world.now(day.expiresAt());
    expiry.expire();
    assertThat(keys()).isEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().clean()).isTrue();
  }

  @Test
  void aLateWriteBringsNoKeyBack() {
    world.now(day.expiresAt());
    expiry.expire();
    assertThat(world.take(Fact.by("ann").at(World.START)).kind()).isEqualTo(EventOutcome.Kind.LATE);
    assertThat(keys()).isEmpty();
  }

  @Test
  void keysOfAPeriodThatDoesNotVerifyStay() {
    pointsOfAnn(201);
    world.now(day.expiresAt());
    expiry.expire();
    assertThat(keys()).isNotEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);
  }

  /** Each period has its own back-off, and periods that never failed go first. */
  @Test
  void aPeriodThatDoesNotVerifyIsPutOffAndDelaysNoOther() {
    pointsOfAnn(201);
    Period other = world.open(world.board(Contest.rules().with("retention: 3 days")));
    world.take(Contest.facts());
    world.settle(other);
    world.now(other.expiresAt());
    expiry.expire();
    assertThat(world.again(other).state()).isEqualTo(PeriodState.EXPIRED);
    assertThat(failures()).isEqualTo(1);
    assertThat(records.words("select expiry_failure from period_overview where board = ?", board()))
        .singleElement()
        .asString()
        .contains("unequal: " + day.label());

    expiry.expire();
    assertThat(failures()).as("not before its time").isEqualTo(1);
    world.pass(Duration.ofMinutes(1));
    expiry.expire();
    assertThat(failures()).isEqualTo(2);
    world.pass(Duration.ofMinutes(1));
    expiry.expire();
    assertThat(failures()).as("twice as long each time").isEqualTo(2);
    expiry.expire(duePeriods.expirableOnDemand());
    assertThat(failures()).as("an operator does not wait").isEqualTo(3);

    pointsOfAnn(200);
    world.pass(Duration.ofHours(6));
    expiry.expire();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
    assertThat(failures()).isZero();
  }

  private void pointsOfAnn(long points) {
    servers.unguarded(() -> servers.sql("update line set points = ? where member = 'ann'", points));
  }

  private long failures() {
    return records.number("select expiry_failures from period where id = ?", day.id().value());
  }

  private String board() {
    return day.board().value();
  }

  /** A verification may take hours, and closings are found each minute. */
  @Test
  void theSweepThatClosesVerifiesAndExpiresNothing() throws Exception {
    pointsOfAnn(201);
    world.now(day.expiresAt());
    sweep.run().forEach(CompletableFuture::join);
    assertThat(failures()).isZero();
    assertThat(keys()).isNotEmpty();
    assertThat(scheduler.getMetaData().getThreadPoolSize())
        .as("a thread for each job")
        .isGreaterThanOrEqualTo(scheduler.getJobKeys(GroupMatcher.anyJobGroup()).size());
    assertThat(scheduler.checkExists(JobKey.jobKey("expiry"))).isTrue();
  }

  @Test
  void keysStayWhileAnAmendmentIsOpen() {
    servers.sql(
        """
        insert into revision (
          id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason)
        select nextval('shared_outcome'), period_id, 2, 1, definition_hash, owed, prepared_by,
          prepared_at, 'a cheater'
        from revision
        where period_id = ?
        """,
        day.id().value());
    world.now(day.expiresAt());
    expiry.expire();
    assertThat(keys()).isNotEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);

    servers.sql(
        """
        update revision
        set verdict = 'rejected', decided_by = 'zoe', decided_at = prepared_at,
          verdict_reason = 'a mistake'
        where period_id = ? and revision = 2
        """,
        day.id().value());
    expiry.expire();
    assertThat(keys()).isEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
  }

  @Test
  void anInterruptedRemovalIsFinishedByTheNextRun() {
    servers.redis(
        connection -> {
          for (byte[] key : keys()) {
            byte[] pending = (new String(key, UTF_8) + ":pending-deletion").getBytes(UTF_8);
            connection.keyCommands().rename(key, pending);
          }
          return true;
        });
    assertThat(records.live(day)).isEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);

    world.now(day.expiresAt());
    expiry.expire();
    assertThat(keys()).isEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
  }

  @Test
  void aPeriodThatIsNotSettledKeepsItsKeys() {
    Period next = world.open(world.board(Contest.rules().with("retention: 1 day")));
    world.take(Contest.facts().stream().map(fact -> fact.at(world.now())).toList());
    world.now(next.expiresAt().plusSeconds(86_400_000));
    expiry.expire();
    assertThat(world.again(next).state()).isEqualTo(PeriodState.OPEN);
    assertThat(records.live(next)).isNotEmpty();
  }

  private Set<byte[]> keys() {
    byte[] pattern = "palmares:{%s:*".formatted(day.board()).getBytes(UTF_8);
    return servers.redis(connection -> Set.copyOf(connection.keyCommands().keys(pattern)));
  }
}
