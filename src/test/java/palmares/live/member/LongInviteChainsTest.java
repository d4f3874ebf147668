package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.period.Period;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A chain of invites is found in few rounds, also where each of its members has invited others. */
@WorldTest
class LongInviteChainsTest {
  private static final int TRUNK = 400;

  /** Of the inviters or all members, in as many rounds as there are bits in the chain's length. */
  private static final int MAX_ROWS = 2 * (TRUNK + 1) * 11;

  private static final Pattern ROWS = Pattern.compile("Recursive Union \\(actual rows=(\\d+)");

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(strings = {"reward/flag-lines.sql", "verification/flagged-lines.sql"})
  void theRowsThatAreReadGrowWithTheInvitesAndNotWithTheLengthOfEachChain(String file)
      throws IOException {
    Period week = world.open(world.board(Rules.of("week")));
    plantATreeWithALeafAtEachMemberOfItsTrunk(week);
    assertThat(rowsRead(file, week)).isBetween(TRUNK + 1L, (long) MAX_ROWS);
  }

  /** Nobody can make one but by changing rows; its ends would be looked for without end. */
  @ParameterizedTest
  @ValueSource(strings = {"reward/flag-lines.sql", "verification/flagged-lines.sql"})
  void invitesInACircleAreReadInFewRounds(String file) throws IOException {
    Period week = world.open(world.board(Rules.of("week")));
    plantATreeWithALeafAtEachMemberOfItsTrunk(week);
    servers.unguarded(
        () -> {
          servers.sql("insert into invite values ('trunk0', 'trunk' || ?, now())", TRUNK);
          servers.sql(
              """
              insert into event (
                period_id, seq, quantity, points, occurred_at, outcome, member, action, id, subject)
              select ?, 1 + count(*), 1, 100, now(), 'applied', 'trunk' || ?, 'invite', 'trunk0',
                'trunk0'
              from event
              """,
              week.id().value(),
              TRUNK);
        });
    assertThat(rowsRead(file, week)).isBetween(TRUNK + 1L, (long) MAX_ROWS);
  }

  private long rowsRead(String file, Period week) throws IOException {
    String sql =
        new ClassPathResource("palmares/settlement/" + file)
            .getContentAsString(StandardCharsets.UTF_8);
    List<String> plan =
        jdbc.sql("explain (analyze, costs off, timing off)\n" + sql)
            .param("period", week.id())
            .param("ids", List.of(week.id()))
            .param("action", "invite")
            .param("creditAction", "invite")
            .param("chain", 3)
            .param("sameAddress", null)
            .param("sameDevice", null)
            .query(String.class)
            .list();
    return ROWS.matcher(String.join("\n", plan))
        .results()
        .mapToLong(union -> Long.parseLong(union.group(1)))
        .sum();
  }

  private void plantATreeWithALeafAtEachMemberOfItsTrunk(Period week) {
    servers.unguarded(
        () ->
            servers.sql(
                """
                with tree as (
                  select 'trunk' || n as newcomer, 'trunk' || n - 1 as inviter
                  from generate_series(1, ?) n
                  union all
                  select 'leaf' || n, 'trunk' || n from generate_series(0, ?) n
                ), known as (
                  insert into member (id, external_hash, registered_at, forgotten_at)
                  select id, id, now(), now()
                  from (select newcomer from tree union select inviter from tree) as all_of (id)
                ), invited as (
                  insert into invite select newcomer, inviter, now() from tree
                )
                insert into event (
                  period_id, seq, quantity, points, occurred_at, outcome, member, action, id,
                  subject)
                select ?, row_number() over (), 1, 100, now(), 'applied', inviter, 'invite',
                  newcomer, newcomer
                from tree
                """,
                TRUNK,
                TRUNK,
                week.id().value()));
  }
}
