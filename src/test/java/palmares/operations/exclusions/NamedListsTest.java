package palmares.operations.exclusions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.PageRequest;
import palmares.live.board.LiveExclusions;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.verification.Difference;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Members on a list are excluded from the boards whose files refer to it. */
@WorldTest
class NamedListsTest {
  private static final Rules STAFFED = Contest.rules().with("exclusions: [staff, bots]");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private NamedLists lists;
  @Autowired private Exclusions exclusions;
  @Autowired private ExclusionLists inForce;
  @Autowired private ExclusionImport imports;
  @Autowired private ExclusionResource listing;
  @Autowired private LiveExclusions live;
  @Autowired private Amendments amendments;

  private Period played(Rules rules) {
    Period day = world.open(world.board(rules));
    world.take(Contest.facts());
    return day;
  }

  private Exclusion add(String list, String member, ExclusionLevel level) {
    return exclusions.exclude(Terms.listed(list, new MemberId(member), level), "of us", "dan");
  }

  private void lists() {
    lists.create("staff", "dan", "they test");
    lists.create("bots", "dan", "no people");
  }

  @Test
  void aListConcernsTheBoardsThatReferToItAndVerificationDerivesTheSame() {
    lists();
    add("staff", "ann", ExclusionLevel.NO_PRIZE);
    add("bots", "bob", ExclusionLevel.HIDDEN);
    Period staffed = played(STAFFED);
    live.updateAll();
    assertThat(records.live(staffed)).isNotEmpty().noneMatch(line -> line.member().equals("bob"));
    world.settle(staffed);
    Period other = played(Contest.rules());
    world.settle(other);

    assertThat(records.paid(staffed))
        .containsOnlyKeys("cid podium", "cid each-invite", "dan podium");
    assertThat(records.paid(other)).isEqualTo(Contest.PAID);
    assertThat(records.words("select list || ' ' || member from frozen_exclusion order by 1"))
        .containsExactly("bots bob", "staff ann");
    assertThat(records.verify().named()).isEmpty();
    assertThat(
            servers.tampered(
                "update exclusion set list = 'bots' where member = 'ann'", this::differences))
        .contains("frozen exclusion of ann", "audit entry: exclude ann");
    assertThat(
            servers.tampered(
                "delete from frozen_exclusion where member = 'ann'", this::differences))
        .contains("frozen exclusion of ann");
  }

  @Test
  void aMemberThatLeavesAListGetsItsPrizeByAnAmendment() {
    lists();
    add("staff", "ann", ExclusionLevel.NO_PRIZE);
    Period day = played(STAFFED);
    world.settle(day);
    List<Exclusion> lifted =
        exclusions.removeFrom("staff", new MemberId("ann"), "left long ago", "dan");
    assertThat(inForce.settledAndOutdatedBy(lifted.get(0)))
        .extracting(period -> period.id())
        .containsExactly(day.id());
    amendments.prepare(
        day.id(), new AmendmentRequest("bob", "not staff any more", null, java.util.Map.of()));
    amendments.approve(day.id(), null, "cid", "fine");
    assertThat(records.paid(day)).containsEntry("ann podium", 1000L);
    assertThat(records.verify().named()).isEmpty();
    assertThatThrownBy(() -> exclusions.removeFrom("staff", new MemberId("ann"), "again", "dan"))
        .isInstanceOf(WrongState.class)
        .hasMessage("ann is not on the list 'staff': nothing was changed");
  }

  @Test
  void aClosingStopsIfAListDoesNotExist() {
    lists.create("staff", "dan", "they test");
    Period day = played(STAFFED);
    ClosingResult failed = world.close(day);
    assertThat(failed.outcome()).isEqualTo(Status.FAILED);
    assertThat(failed.text())
        .isEqualTo(
            "the rules of %s refer to the list 'bots', which does not exist"
                .formatted(day.label()));
    assertThat(records.number("select count(*) from transfer")).isZero();
    lists.create("bots", "dan", "no people");
    assertThat(world.close(day).outcome()).isEqualTo(Status.SETTLED);
  }

  @Test
  void aFileIsTakenAsAWholeOrRefusedWithLinesAndColumns() {
    Period day = played(Contest.rules());
    String board = day.board().value();
    String good =
        """
        member,level,board,from,until,reason
        ann,hidden,,,,two accounts
        bob,no-prize,%s,2026-11-01,2026-12-01T00:00:00Z,"wrote ""x"", twice"
        """
            .formatted(board);
    assertThatThrownBy(
            () ->
                read(
                    """
                    member,level,board,from,until,reason
                    ann,hiden,,,,two accounts
                    bob,no-prize,nowhere,,,two accounts
                    cid,no-prize,,2026-13-01,,two accounts
                    dan,hidden,,,,
                    eve,hidden
                    """))
        .isInstanceOf(Refusal.class)
        .message()
        .satisfies(
            message ->
                assertThat(message.lines())
                    .satisfiesExactly(
                        line ->
                            assertThat(line)
                                .startsWith("line 2, column level: there is no level 'hiden'"),
                        line ->
                            assertThat(line)
                                .startsWith("line 3, column board: there is no board 'nowhere'"),
                        line -> assertThat(line).startsWith("line 4, column from: "),
                        line -> assertThat(line).startsWith("line 5, column reason: a reason is"),
                        line -> assertThat(line).startsWith("line 6, with 2 fields:")));
    assertThat(records.number("select count(*) from exclusion")).isZero();

    assertThat(read(good)).hasSize(2);
    assertThatThrownBy(() -> read("member,level,reason\nkim2,hidden,x\nann,hidden,again\n"))
        .hasMessageStartingWith("line 2, column member: there is no member 'kim2'");
    assertThatThrownBy(() -> read("member,level,reason\ncid,hidden,x\nann,hidden,again\n"))
        .hasMessageStartingWith("line 3, column member: ann is already excluded");
    assertThat(records.number("select count(*) from exclusion")).isEqualTo(2);
    assertThatThrownBy(() -> read("member,levle,reason\n"))
        .hasMessageStartingWith("line 1 has no column 'level'");
    assertThat(records.words("select reason from exclusion where member = 'bob'"))
        .containsExactly("wrote \"x\", twice");
  }

  /** As a spreadsheet saves it, and as nobody may store it. */
  @Test
  void aFileMayBeginWithAByteOrderMarkAndHasReasonsAndTimesThatOthersMayHaveToo() {
    played(Contest.rules());
    for (String reason : List.of("two\u001b[2Jaccounts", "a\ttab", "half \ud800")) {
      assertThatThrownBy(() -> read("member,level,reason\nann,hidden,\"%s\"\n".formatted(reason)))
          .isInstanceOf(Refusal.class)
          .hasMessageStartingWith("line 2, column reason: a reason is a text of 1 to 500");
    }
    for (String day : List.of("+294277-01-01", "1969-12-31", "9999-12-31T23:59:59-12:00", "soon")) {
      assertThatThrownBy(
              () -> read("member,level,until,reason\nann,hidden,%s,two\n".formatted(day)))
          .isInstanceOf(Refusal.class)
          .hasMessage(
              "line 2, column until: takes a day such as 2026-11-20, or a time such as"
                  + " 2026-11-20T10:00:00Z, not '%s'",
              day);
    }
    assertThat(records.number("select count(*) from exclusion")).isZero();
    assertThat(read("\ufeffmember;level;reason\r\nann;hidden;\"two\r\naccounts\"\r\n")).hasSize(1);
    assertThat(records.words("select reason from exclusion")).containsExactly("two\naccounts");
  }

  @Test
  void theListOfExclusionsIsReadBackWithTheSameMembers() throws IOException {
    played(STAFFED);
    lists();
    List<String> members = List.of("=1+1", "'=1+1", "'ann", " led ", "ann");
    for (String member : members) {
      exclude(member, ExclusionLevel.HIDDEN);
    }
    String listed = exported(false);
    servers.unguarded(() -> servers.sql("delete from exclusion"));
    imports.exclude(new StringReader(listed), null, Unknown.ALLOWED, "eve");
    assertThat(records.words("select member from exclusion order by id"))
        .containsExactlyElementsOf(members);

    exclusions.lift(
        records.number("select id from exclusion where member = 'ann'"), "an error", "dan");
    assertThatThrownBy(() -> read(exported(true)))
        .hasMessageStartingWith("line 6, column lifted: the exclusion is not in force");
    add("staff", "bob", ExclusionLevel.HIDDEN);
    assertThatThrownBy(() -> read(exported(false)))
        .hasMessageStartingWith(
            "line 6, column list: the exclusion is an entry of the list 'staff'");
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "cheated", "dan");
  }

  private String exported(boolean withLifted) throws IOException {
    var out = new ByteArrayOutputStream();
    listing
        .list(null, withLifted, PageRequest.FIRST)
        .in(OutputFormat.CSV)
        .content()
        .write(out, false);
    return out.toString(UTF_8);
  }

  private List<Exclusion> read(String csv) {
    return imports.exclude(new StringReader(csv), null, Unknown.REFUSED, "dan");
  }

  private String differences() {
    return Texts.in(Locale.ENGLISH)
        .list(records.verify().named().stream().map(Difference::said).toList());
  }
}
