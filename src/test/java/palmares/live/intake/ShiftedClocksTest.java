package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Two servers see the end of a day up to 5 s one after the other. Each event counts once, in the
 * day of the server that took it first, and no day closes before the server that closes it sees
 * that its grace is over.
 */
@WorldTest
@TestInstance(Lifecycle.PER_CLASS)
class ShiftedClocksTest {
  private static final long SEED = 37;
  private static final List<Duration> SHIFTS =
      List.of(Duration.ZERO, Duration.ofMillis(700), Duration.ofSeconds(5));

  @Autowired private World ahead;
  @Autowired private Records records;
  private Elsewhere other;

  @BeforeAll
  void start(@Autowired JdbcConnectionDetails postgres, @Autowired DataRedisConnectionDetails redis)
      throws IOException {
    other = Elsewhere.start(postgres, redis, "--palmares.live.answer-timeout=10s");
  }

  @AfterAll
  void stop() throws IOException {
    other.close();
  }

  @Test
  void eachEventCountsOnceInTheDayOfTheServerThatTookItFirst() {
    var random = new Random(SEED);
    for (Duration shift : SHIFTS) {
      for (String durability : List.of("fast", "committed")) {
        ahead.now(World.START.plus(Duration.ofDays(3L * random.nextInt(300))));
        check(shift, Rules.day().with("durability: " + durability), random);
      }
    }
    assertThat(records.verify().named()).isEmpty();
  }

  private void check(Duration shift, Rules rules, Random random) {
    World behind = other.begin(ahead.now());
    Board board = ahead.board(rules);
    behind.edit(board, rules);
    Period day = ahead.open(board);
    Instant end = day.slot().endsAt();
    Map<String, String> taken = new HashMap<>();
    for (Instant time = end.minusSeconds(6); time.isBefore(end.plusSeconds(12)); ) {
      ahead.now(time);
      behind.now(time.minus(shift));
      Fact fact = Fact.by("m" + random.nextInt(9)).to(board);
      World first = random.nextBoolean() ? ahead : behind;
      assertThat(first.take(fact).kind()).isEqualTo(Kind.APPLIED);
      taken.put(fact.id(), first.slot(board).name().value());
      // The caller had no answer, and sends it again.
      assertThat(List.of(first.take(fact).kind(), ahead.take(fact).kind()))
          .containsOnly(Kind.DUPLICATE);
      time = time.plusMillis(100 + random.nextInt(400));
    }
    Period next = ahead.open(board);
    assertClosesWhenItsServerSeesThatItIsDue(behind, day, shift);
    assertThat(behind.take(Fact.by("late").at(end.minusMillis(1)).to(board)).kind())
        .as("by the server's clock it is of the next day")
        .isEqualTo(Kind.APPLIED);
    ahead.settle(next);
    var counted = new ArrayList<String>();
    taken.forEach((id, name) -> counted.add(id + " " + name));
    assertThat(
            records.words(
                """
                select event.id || ' ' || period.name from event
                join period on period.id = event.period_id
                where period.board = ? and event.member <> 'late'
                """,
                board.id().value()))
        .as("%s apart", shift)
        .containsExactlyInAnyOrderElementsOf(counted);
    assertThat(
            records.number(
                "select sum(sealed_points) from period where board = ?", board.id().value()))
        .isEqualTo(counted.size() + 1L);
  }

  private void assertClosesWhenItsServerSeesThatItIsDue(World behind, Period day, Duration shift) {
    Instant due = day.slot().endsAt().plus(Duration.ofMinutes(10));
    ahead.now(due);
    behind.now(due.minus(shift));
    if (!shift.isZero()) {
      assertThat(other.get(DuePeriods.class).due())
          .as("by the server that is behind")
          .doesNotContain(day.id());
    }
    ClosingResult closed = ahead.close(day);
    assertThat(closed.outcome()).as(closed.text()).isEqualTo(ClosingResult.Status.SETTLED);
  }
}
