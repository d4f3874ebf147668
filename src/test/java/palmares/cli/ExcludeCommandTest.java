package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class ExcludeCommandTest extends OnOwnApplication {
  private static final String SETTLED = "2026-03-08";
  private static final String OPEN = "2026-03-10";

  @BeforeAll
  void aSettledDayAndAnOpenOne() {
    settle(SETTLED);
    palmares.callWith(
        event("o1", "ann", "step", OPEN + "T10:00:00Z")
            + event("o2", "bob", "step", OPEN + "T11:00:00Z"),
        "import",
        "-");
  }

  @BeforeEach
  void nobodyIsExcluded() {
    palmares.call("exclude", "ann", "--lift", "--all", "--reason", "clean");
    palmares.call("exclude", "bob", "--lift", "--all", "--reason", "clean");
  }

  @Test
  void liveBoardsAreUpdatedAndSettledPeriodsAreListed() {
    Called called =
        palmares.callAs("boss", "exclude", "ann", "--level", "hidden", "--reason", "two accounts");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out())
        .matches(
            """
            (?s)exclusion \\d+: ann is hidden on all boards
            1 settled period was ranked without this exclusion: race 2026-03-08; amend to apply it
            live boards updated: .*race 2026-03-10.*
              palmares amend --exclusion \\d+ --reason TEXT
            """);
    assertThat(palmares.call("exclusions", "ann").out())
        .contains("ann", "hidden", "all", "boss", "two accounts");
    assertThat(
            palmares
                .get(JdbcClient.class)
                .sql("select by || ': ' || reason from audit_entry where verb = 'exclude'")
                .query(String.class)
                .list())
        .contains("local:boss: two accounts");
  }

  @Test
  void aRepeatedExclusionIsRefusedAndNamesTheFirst() {
    exclude("ann", "--level", "unranked", "--board", "race");
    Called again = exclude("ann", "--level", "unranked", "--board", "race");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err())
        .contains(
            "ann is already excluded with the same level and scope: exclusion",
            "by local:",
            "a law");
    assertThat(exclude("ann", "--level", "hidden", "--board", "race").exitCode())
        .as("another level is another exclusion")
        .isZero();
  }

  @Test
  void anUnknownMemberIsRefusedUnlessAllowed() {
    Called refused = exclude("anne", "--level", "hidden");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            "there is no member 'anne'",
            "\n  palmares exclude anne --level hidden --allow-unknown --reason TEXT");
    assertThat(palmares.call("exclusions", "anne").out()).isEqualTo("no exclusions\n");
    assertThat(exclude("zoe", "--level", "hidden", "--allow-unknown").exitCode()).isZero();
  }

  @Test
  void aDayBeginsInTheZoneOfTheBoardAndBoundsAreListed() {
    Called called =
        exclude("ann", "--level", "no-prize", "--board", "race", "--from", "2026-03-09");
    assertThat(called.lines())
        .singleElement()
        .asString()
        .endsWith("ann is no prize on race from 2026-03-09 00:00:00+00:00");
    assertThat(palmares.call("exclusions").out()).contains("2026-03-09T00:00:00Z");
  }

  @Test
  void oneOrAllExclusionsAreLiftedAndListed() {
    exclude("bob", "--level", "hidden");
    exclude("bob", "--level", "unranked", "--board", "race");
    Called one = exclude("bob", "--lift", "--board", "race");
    assertThat(one.out()).contains("lifted: bob was unranked on race").doesNotContain("all boards");
    Called rest = exclude("bob", "--lift", "--all");
    assertThat(rest.out()).contains("lifted: bob was hidden on all boards");
    Called none = exclude("bob", "--lift", "--all");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("bob has no exclusion in force: nothing was lifted");
    assertThat(palmares.call("exclusions", "bob").out()).isEqualTo("no exclusions\n");
    assertThat(palmares.call("exclusions", "bob", "--all").out()).contains(": a law");
  }

  @Test
  void anExclusionIsLiftedOnceByItsIdAndMember() {
    String id = exclude("bob", "--level", "hidden").out().split("[ :]")[1];
    assertThat(exclude("ann", "--lift=" + id).err()).contains("ann has no exclusion " + id);
    assertThat(exclude("bob", "--lift=" + id).exitCode()).isZero();
    Called again = exclude("bob", "--lift=" + id);
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("exclusion " + id + " of bob is already lifted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ann --level banned          | is one of hidden, unranked, no-prize, not 'banned'
          ann --level hiden           | did you mean 'hidden'?
          ann --level hidden --board rase | there is no board 'rase'; did you mean 'race'?
          ann --level hidden --from yesterday | takes a day such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z, not 'yesterday'
          ann --level hidden --until 2026-02-30 | takes a day
          ann --level hidden --from +99999-01-01 | takes a day
          ann --level hidden --from 2026-03-02 --until 2026-03-02 | an exclusion must start before it ends
          ann --lift=first            | is a whole number, not 'first'
          ann --lift                  | name what it is about in 'id', or set 'all'
          ann --all --level hidden    | use --all only with --lift
          ann --lift=99999            | ann has no exclusion 99999
          ann                         | name MEMBER --level LEVEL or MEMBER --lift ID or --file FILE
          ann --lift --level hidden   | name MEMBER --level LEVEL or MEMBER --lift ID or --file FILE
          ann --file a.csv            | --file takes no MEMBER, --level, --lift, --board
          --file nowhere.csv          | nowhere.csv cannot be read: there is no such file
          ann --lift --from 2026-03-01 | --lift takes no --from, --until, --allow-unknown
          """)
  void badInputIsReportedAndChangesNothing(String arguments, String message) {
    long before = rows();
    Called called = exclude(arguments.split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(message);
    assertThat(rows()).isEqualTo(before);
  }

  private long rows() {
    return palmares
        .get(JdbcClient.class)
        .sql("select count(*) from audit_entry")
        .query(Long.class)
        .single();
  }

  private Called exclude(String... arguments) {
    var all = new ArrayList<String>();
    all.add("exclude");
    all.addAll(List.of(arguments));
    all.addAll(List.of("--reason", "a law"));
    return palmares.call(all.toArray(String[]::new));
  }
}
