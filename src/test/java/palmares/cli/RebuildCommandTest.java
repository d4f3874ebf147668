package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.Closings;

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
  void aLostBoardIsRebuiltAndMissingEventsAreMentioned() {
    wipe();
    Called called = palmares.call("rebuild", "race", DAY);
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.lines().get(0))
        .isEqualTo("rebuilt race 2026-03-09: 2 events, each decided as before; it is open");
    assertThat(called.lastLine()).contains("later ones count when they are sent again");
  }

  @Test
  void anExistingBoardIsReplacedOnlyOnRequest() {
    Called refused = palmares.call("rebuild", "race", DAY);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            "the live board of race 2026-03-09 exists; ",
            "palmares rebuild race 2026-03-09 --replace");
    Called replaced = palmares.call("rebuild", "race", DAY, "--replace");
    assertThat(replaced.exitCode()).isZero();
    assertThat(replaced.lines()).hasSize(1);
  }

  @Test
  void aQuarantinedEntryIsListedAndResolvedOnce() {
    palmares
        .get(JdbcClient.class)
        .sql(
            """
            insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
            select id, 99, convert_to('gibberish', 'UTF8'),
              said('verbatim', '{"text": "refused"}'), now()
            from period
            where board = 'race' and name = ?
            """)
        .param(DAY)
        .update();
    assertThat(palmares.call("journal", "quarantine", "race", DAY).out())
        .contains("gibberish", "refused");
    String[] discard = {"journal", "quarantine", "discard", "race", DAY, "99", "--reason", "noise"};
    Called discarded = palmares.call(discard);
    assertThat(discarded.lines()).contains("entry 99 of race %s is discarded".formatted(DAY));
    assertThat(palmares.call(discard).err()).contains("no undecided entry of race");
    assertThat(palmares.call("journal", "quarantine", "race").out())
        .contains("no quarantined entries");
    assertThat(palmares.call("journal", "quarantine", "--all").out())
        .contains("discarded by", "noise");
    palmares.get(JdbcClient.class).sql("delete from event where seq = 99").update();
  }

  @Test
  void aLossIsAcceptedOnlyWithAReason() {
    Called called = palmares.call("rebuild", "race", DAY, "--replace", "--accept-loss");
    assertThat(called.exitCode()).as(called.err()).isEqualTo(2);
    assertThat(called.err()).contains("--accept-loss needs --reason");
  }

  @Test
  void aSealedPeriodThatLostEventsIsRebuiltOnlyIfTheLossIsAccepted() {
    String day = "2026-03-07";
    palmares.callWith(
        event("l1", "ann", "step", day + "T10:00:00Z")
            + event("l2", "bob", "step", day + "T09:00:00Z"),
        "import",
        "-");
    sealAndLose(day);

    Called refused = palmares.call("rebuild", "race", day);
    assertThat(refused.exitCode()).as(refused.out()).isEqualTo(1);
    assertThat(refused.err())
        .contains("cannot be rebuilt as it was sealed, so nobody is paid: of 2 events at the seal");

    Called accepted =
        palmares.callAs("zoe", "rebuild", "race", day, "--accept-loss", "--reason", "a fire");
    assertThat(accepted.exitCode()).as(accepted.err()).isZero();
    String note = "closed with 0 of 2 sealed events and 0 of 2 sealed members, which local:zoe";
    assertThat(accepted.lastLine()).contains(note);
    Called closed = palmares.call("close", "race", day);
    assertThat(closed.exitCode()).as(closed.err()).isZero();
    assertThat(palmares.call("report", "race", day).out()).contains(note);
    assertThat(palmares.call("verify", "race", day).exitCode()).isZero();
    assertThat(palmares.call("audit", "race", day).out()).contains("accept-loss", "zoe", "a fire");
    assertThat(palmares.call("manifest", "race", day).out())
        .contains("sealed-events: 2", "rebuilt-events: 0", "acknowledged-loss: 0 members");
  }

  /** Seals a period, then removes its board from Redis and its journal from PostgreSQL. */
  private void sealAndLose(String day) {
    var period =
        palmares.get(Periods.class).find(new BoardId("race"), new PeriodName(day)).orElseThrow();
    palmares
        .get(Closings.class)
        .close(
            period.id(),
            ClosingCause.of("test"),
            step -> {
              if (step.equals("drain")) {
                throw new IllegalStateException("killed");
              }
            });
    try (RedisConnection connection = palmares.get(RedisConnectionFactory.class).getConnection()) {
      var keys = connection.keyCommands();
      keys.del(keys.keys(LiveKeys.of(period).name("*").getBytes(UTF_8)).toArray(byte[][]::new));
    }
    JdbcClient jdbc = palmares.get(JdbcClient.class);
    for (String table : new String[] {"event", "journal_position"}) {
      jdbc.sql("delete from %s where period_id = ?".formatted(table))
          .param(period.id().value())
          .update();
    }
  }

  @Test
  void unknownNamesAreReported() {
    assertThat(palmares.call("rebuild", "rase", DAY).err()).contains("did you mean 'race'?");
    Called never = palmares.call("rebuild", "race", "2020-01-01");
    assertThat(never.exitCode()).isEqualTo(2);
    assertThat(never.err()).contains("the board 'race' has no period '2020-01-01'");
  }

  @Test
  void aSettledPeriodCannotBeRebuilt() {
    settle("2026-03-08");

    Called called = palmares.call("rebuild", "race", "2026-03-08", "--replace");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("race 2026-03-08 is settled");
    Called tried = palmares.call("rebuild", "race", "2026-03-08", "--replace", "--dry-run");
    assertThat(tried.exitCode()).isEqualTo(2);
    assertThat(tried.err()).contains("race 2026-03-08 is settled");
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
