package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.journal.Journal;
import palmares.period.Periods;

class RebuildCommandTest extends OnOwnApplication {
  private static final String DAY = "2026-03-09";

  @BeforeAll
  void twoMembersOnADay() {
    palmares.callWith(
        event("r1", "ann", "step", DAY + "T10:00:00Z")
            + event("r2", "bob", "hop", DAY + "T09:00:00Z"),
        "import",
        "-");
  }

  @Test
  void aLostBoardIsMadeAnewAndWhatMayBeMissingIsSaid() {
    wipe();
    Called called = palmares.call("rebuild", "race", DAY);
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.lines().get(0))
        .isEqualTo("rebuilt race 2026-03-09: 2 events, each as it was; it is open");
    assertThat(called.lastLine()).contains("it counts when it is sent again");
  }

  @Test
  void aBoardThatIsThereIsReplacedOnlyWhenAskedFor() {
    Called refused = palmares.call("rebuild", "race", DAY);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("the live board of race 2026-03-09 is there; --replace");
    Called replaced = palmares.call("rebuild", "race", DAY, "--replace");
    assertThat(replaced.exitCode()).isZero();
    assertThat(replaced.lines()).hasSize(1);
  }

  @Test
  void aQuarantinedEntryIsListedAndDecidedOnOnce() {
    palmares
        .get(JdbcClient.class)
        .sql(
            """
            insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
            select id, 99, convert_to('gibberish', 'UTF8'), 'refused', now() from period
            where board = 'race' and name = ?
            """)
        .param(DAY)
        .update();
    assertThat(palmares.call("journal", "quarantine", "race", DAY).out())
        .contains("gibberish", "refused");
    String[] discard = {"journal", "quarantine", "discard", "race", DAY, "99", "--reason", "noise"};
    Called discarded = palmares.call(discard);
    assertThat(discarded.lines())
        .containsExactly("entry 99 of race %s is discarded".formatted(DAY));
    assertThat(palmares.call(discard).err()).contains("no undecided entry of race");
    assertThat(palmares.call("journal", "quarantine", "race").out())
        .contains("no quarantined entries");
    assertThat(palmares.call("journal", "quarantine", "--all").out())
        .contains("discarded by", "noise");
    palmares.get(JdbcClient.class).sql("delete from event where seq = 99").update();
  }

  @Test
  void whatThereIsNotIsNamed() {
    assertThat(palmares.call("rebuild", "rase", DAY).err()).contains("did you mean 'race'?");
    Called never = palmares.call("rebuild", "race", "2020-01-01");
    assertThat(never.exitCode()).isEqualTo(2);
    assertThat(never.err()).contains("the board 'race' has no period '2020-01-01'");
  }

  @Test
  void aSettledPeriodNeedsNone() {
    settle("2026-03-08");

    Called called = palmares.call("rebuild", "race", "2026-03-08", "--replace");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("race 2026-03-08 is settled");
  }

  private void wipe() {
    var period =
        palmares.get(Periods.class).find(new BoardId("race"), new PeriodName(DAY)).orElseThrow();
    palmares.get(Journal.class).drain(period);
    try (RedisConnection connection = palmares.get(RedisConnectionFactory.class).getConnection()) {
      connection.serverCommands().flushDb();
    }
  }
}
