package palmares.live.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.settlement.closing.Extensions;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A drain gives a live board the end that PostgreSQL has, whichever of the two is behind. */
@WorldTest
class ExtendedBoardTest {
  private static final Instant END = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant LATER = END.plus(Duration.ofHours(1));

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Extensions extensions;
  @Autowired private DrainRound round;

  private Period day;
  private LiveContent before;

  @BeforeEach
  void extend() {
    day = world.open(world.board(Rules.day()));
    world.take(Fact.by("ann"));
    before = LiveContent.of(servers, day);
    extensions.extend(day.id(), LATER, "ann", "an outage");
    assertThat(LiveContent.of(servers, day)).isNotEqualTo(before);
  }

  /** The process has died after Redis got the new end, and before the commit. */
  @Test
  void anEndThatWasNeverCommittedIsTakenBack() {
    servers.sql(
        "update period set ends_at = ends_at - interval '1 hour',"
            + " closes_at = closes_at - interval '1 hour'");
    round.run(() -> true);
    assertThat(LiveContent.of(servers, day)).isEqualTo(before);
  }

  /** A process that had read the period before the extension has created its live board since. */
  @Test
  void anEndThatRedisDoesNotKnowIsSentAgain() {
    servers.sql("delete from period where id <> ?", day.id().value()); // the next one
    servers.sql(
        "update period set ends_at = ends_at + interval '1 hour',"
            + " closes_at = closes_at + interval '1 hour'");
    round.run(() -> true);
    world.now(LATER.plusSeconds(3599));
    world.take(Fact.by("bob"));
    assertThat(records.live(day)).hasSize(2);
  }
}
