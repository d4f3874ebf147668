package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A committed event that did not count, or counted differently, is found. */
@WorldTest
class LostCommitTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  private Period day;

  @BeforeEach
  void aCommittedContest() {
    day = world.open(world.board(Contest.rules().with("durability: committed")));
    world.take(Contest.facts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delete from event where member = 'eve' and outcome = 'undone'           | missing | of eve
          update event set points = 2 where member = 'dan' and subject = 'post'   | unequal | of dan
          delete from committed_event where member = 'bob'                        | extra   | of bob
          update committed_event set outcome = null, points = null, total = null where member = 'bob' | unequal | of bob
          """)
  void verificationNamesIt(String sql, String kind, String member) {
    world.settle(day);
    Findings findings = servers.tampered(sql, records::verify);
    assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .anySatisfy(sentence -> assertThat(sentence).startsWith(kind).contains("event ", member));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theClosingStopsAndPaysNobody() {
    ClosingResult closed =
        world.close(
            day,
            step -> {
              if (step.equals("fill")) {
                servers.sql("update committed_event set points = 99 where points = 100");
              }
            });
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text()).contains("5 committed events are missing in the journal");
    assertThat(records.number("select count(*) from transfer")).isZero();
  }
}
