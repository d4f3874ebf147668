package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.Approvals;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Verification finds decisions of people that the audit log has otherwise, or not at all. */
@WorldTest
class DecisionTamperingTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Approvals approvals;
  @Autowired private LateEventDecisions lateEventDecisions;

  private Board board;
  private Period day;

  @BeforeEach
  void aContest() {
    board = world.board(Contest.rules().with("clock: event"));
    day = world.open(board);
    world.now(NOON);
    for (Fact fact : Contest.facts()) {
      world.take(fact.to(board).at(NOON));
    }
  }

  private List<String> sentences() {
    return records.verify().named().stream().map(Difference::said).map(Texts::english).toList();
  }

  /** The period is then paid by the rules alone. */
  @Test
  void aHoldThatWasRemovedBeforeThePostingIsFoundEvenIfItIsPutBack() {
    approvals.hold(day.id(), "zoe", "a look first");
    servers.sql("delete from person_hold");
    world.settle(day);
    assertThat(sentences())
        .hasSize(2)
        .contains(
            "unequal: %s: approval of revision 1: derived a person's, stored the board's rules"
                .formatted(day.label()))
        .anyMatch(found -> found.startsWith("missing: %s: hold of".formatted(day.label())));
    servers.sql(
        """
        insert into person_hold (period_id, made_by, made_at, reason)
        select period.id, by, at, reason
        from audit_entry join period on period.board = audit_entry.board
        """);
    assertThat(sentences())
        .singleElement()
        .asString()
        .startsWith("unequal: %s: approval of revision 1".formatted(day.label()));
  }

  @Test
  void aHoldThatWasLiftedNeedsNoPerson() {
    approvals.hold(day.id(), "zoe", "a look first");
    approvals.liftHold(day.id(), "zoe", "looked at it");
    world.settle(day);
    assertThat(sentences()).isEmpty();
    assertThat(
            servers
                .tampered(
                    "insert into person_hold select id, 'ann', now(), 'a look' from period",
                    records::verify)
                .named())
        .extracting(found -> Texts.english(found.what()))
        .containsExactly("hold of the period");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          set verdict = 'accepted' where verdict = 'dismissed'      | unequal | late event
          set decided_by = 'ann' where verdict = 'dismissed'        | unequal | late event
          set verdict_reason = 'x' where verdict = 'accepted'       | unequal | late event
          set decided_at = decided_at - interval '1 ms' where verdict = 'accepted' | unequal | late event
          set id = 'other' where verdict = 'accepted'               | missing | late event
          set member = 'ann' where verdict = 'dismissed'            | unequal | late event
          set verdict = null, decided_by = null, decided_at = null, verdict_reason = null where verdict = 'dismissed' | unequal | late event
          set verdict = 'accepted', decided_by = 'kim', decided_at = now(), verdict_reason = 'x' where verdict is null | extra | late event
          """)
  void aDecisionOnALateEventIsTheLastOneOfTheAuditLog(String change, String kind, String what) {
    world.settle(day);
    decide();
    assertThat(sentences()).isEmpty();
    assertThat(
            servers.tampered("update late_event " + change, records::verify).named().stream()
                .map(Difference::said)
                .map(Texts::english))
        .anySatisfy(
            found -> assertThat(found).startsWith("%s: %s: %s".formatted(kind, day.label(), what)));
  }

  @Test
  void aDecidedLateEventThatWasDeletedIsMissing() {
    world.settle(day);
    decide();
    assertThat(servers.tampered("delete from late_event", records::verify).named())
        .extracting(found -> Texts.english(found.said()))
        .allSatisfy(found -> assertThat(found).contains("late event", " of bob by kim "))
        .hasSize(2);
  }

  /** One is undecided, one was dismissed, and one was dismissed and then accepted. */
  private void decide() {
    Fact undecided = Fact.by("bob").on("later").at(NOON).to(board);
    Fact dismissed = Fact.by("bob").on("another").at(NOON).to(board);
    Fact accepted = Fact.by("bob").on("too late").at(NOON).to(board);
    for (Fact late : List.of(undecided, dismissed, accepted)) {
      world.take(late);
    }
    var dismissal = new Choice(Verdict.DISMISSED, "kim", "a repeat", false);
    Period settled = world.again(day);
    lateEventDecisions.decide(settled, List.of(dismissed.id(), accepted.id()), dismissal);
    lateEventDecisions.decide(
        settled, List.of(accepted.id()), new Choice(Verdict.ACCEPTED, "kim", "a slow line", true));
  }
}
