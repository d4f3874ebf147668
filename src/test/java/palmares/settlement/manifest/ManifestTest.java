package palmares.settlement.manifest;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.ClosedMarks;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Choice;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.manifest.ChainLink.Chain;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A manifest says what the awards rest on, as the awards themselves counted it. */
@WorldTest
class ManifestTest {
  private static final String SHARE = "rewards: [{ rule: top, top: { 50%: 10 }, of: eligible }]";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private Anchors anchors;
  @Autowired private ClosedMarks closed;
  @Autowired private Rebuild rebuild;

  /** Of five who hold 5, 4, 3, 2 and 1 points, where half of the eligible get something. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forfeited: moves-up                       | no-prize | 4 | 2",
        "forfeited: moves-up, min-points: 2        | no-prize | 3 | 2",
        "forfeited: moves-up, min-points: 2        | unranked | 3 | 2",
        "forfeited: moves-up, eligible: registered | no-prize | 2 | 1",
      })
  void sharesCountTheEligibleMembersOfTheManifest(
      String payout, String level, int eligible, int paid) {
    Rules rules = Rules.day().with(SHARE).with("payout: { " + payout + " }");
    Period day = world.open(world.board(rules));
    for (String member : List.of("m5", "m4", "m3", "m2", "m1")) {
      world.take(Fact.by(member).does("coin").times(Long.parseLong(member.substring(1))));
    }
    for (String member : List.of("m5", "m4", "m2")) {
      servers.sql(
          """
          insert into member (
            id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
          values (?, ?, '', '', '2345678' || ?, '', '2026-11-19T00:00:00Z')
          """,
          member,
          member,
          member.substring(1));
    }
    exclude("m4", level);
    world.settle(day);
    assertThat(field("eligible")).isEqualTo("" + eligible);
    assertThat(records.paid(day)).hasSize(paid);
    assertThat(records.verify().named()).isEmpty();
  }

  /** A hash is of a text, and the text must not hang on how the database sorts words. */
  @Test
  void fieldsHaveTheSameOrderInEveryDatabase() {
    assertThat(ManifestSql.FIELDS_OF_ROWS.lines().filter(line -> line.contains("order by")))
        .hasSize(7)
        .allSatisfy(line -> assertThat(line).contains("collate \"C\""));
    assertThat(records.words("select prosrc from pg_proc where proname = 'approvals_text'"))
        .singleElement()
        .asString()
        .contains("order by approval.at, approval.by collate \"C\"");
  }

  /** Else a manifest could say what nobody has added up. */
  @Test
  void onlyTheTransactionThatPostsAnOutcomeKnowsItsSums() {
    Period day = world.open(world.board(Rules.day().with(SHARE)));
    world.take(Fact.by("m1").does("coin"));
    world.settle(day);
    assertThatThrownBy(() -> records.words("select posted_sums(id)::text from revision"))
        .hasMessageContaining("is not posted by this transaction");
  }

  /** As after PostgreSQL came back from before the posting, with or without Redis. */
  @Test
  void whatWasAnchoredAndIsForgottenIsNotPostedAgain() throws Exception {
    Rules rules = Rules.day().with(SHARE);
    Board board = world.board(rules);
    Board another = world.board(rules);
    Period day = world.open(board);
    Period other = world.open(another);
    world.take(Fact.by("m1").does("coin").to(board));
    world.take(Fact.by("m2").does("coin").to(another));
    world.settle(day);
    anchors.keep();
    anchor(day, 2);
    anchor(other, 1);
    long transfers = records.number("select count(*) from transfer");

    assertThat(world.close(other).text()).contains(forgotten(other, 1));
    exclude("m1", "no-prize");
    amendments.prepare(day.id(), new AmendmentRequest("ann", "a cheater", null, Map.of()));
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "bob", "right so"))
        .hasMessageContaining(forgotten(day, 2));
    assertThat(records.number("select count(*) from transfer")).isEqualTo(transfers);
    assertThat(anchors.keep())
        .hasValueSatisfying(why -> assertThat(Texts.english(why)).contains("went back"));
    assertThat(records.verify().clean()).isFalse();

    Files.delete(anchors.file());
    amendments.approve(day.id(), 2, "bob", "right so");
    world.settle(other);
    assertThat(anchors.keep()).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  /** The person has compared what others received; what is anchored afterwards is not forgotten. */
  @Test
  void aPeriodThatAPersonLetsCloseAgainIsPostedAgain() throws Exception {
    Period day = world.open(world.board(Rules.day().with(SHARE)));
    world.take(Fact.by("m1").does("coin"));
    anchor(day, 1);
    assertThat(world.close(day).text()).contains(forgotten(day, 1));
    closed.mark(day, PeriodState.SETTLED);
    world.pass(Duration.ofHours(1));
    rebuild.run(
        day.id(), Present.REPLACE, new Acknowledgement("zoe", "compared"), () -> {}, done -> {});
    String before = Files.readString(anchors.file());
    world.pass(Duration.ofHours(1));
    anchor(day, 1);
    assertThat(world.close(day).text()).contains(forgotten(day, 1));
    Files.writeString(anchors.file(), before);
    world.settle(day);
  }

  private static String forgotten(Period period, int revision) {
    return "PostgreSQL has forgotten that revision %d of %s was posted"
        .formatted(revision, period.label());
  }

  private void anchor(Period period, int revision) throws IOException {
    var anchor =
        new Anchor(
            Chain.MANIFESTS,
            anchors.last().stream().mapToLong(Anchor::n).max().orElse(0) + revision,
            "0123456789abcdef".repeat(4),
            world.now(),
            period.label() + " " + revision);
    Files.createDirectories(anchors.file().getParent());
    Files.writeString(anchors.file(), anchor.line(), CREATE, APPEND);
  }

  private void exclude(String member, String level) {
    exclusions.exclude(
        Terms.always(new MemberId(member), Choice.of(ExclusionLevel.class, level)),
        "a law",
        "test");
  }

  private String field(String name) {
    return records
        .words("select substring(body from '(?n)^' || ? || ': (.*)$') from manifest", name)
        .get(0);
  }
}
