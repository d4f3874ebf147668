package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.console.Windows.Look;
import palmares.console.Windows.Person;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.BoardPauses;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/** Two people decide on money, each in an own browser, with few clicks. */
@ConsoleTest
class DecisionsTest {
  /** Names the sum of {@link Contest#PAID}. */
  private static final String PAY = "Approve and pay 1,680 credits";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Members members;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private BoardPauses pauses;
  @Autowired private Approvals approvals;

  /** Plays the same contest on each of the next days, with the clock at the end of the last. */
  private List<Period> played(Rules rules, int days) {
    Board board = world.board(rules);
    var periods = new ArrayList<Period>();
    for (int day = 0; day < days; day++) {
      periods.add(world.open(board));
      world.takeAll(Contest.facts(), World.ANYBODY);
      world.pass(Duration.ofDays(1));
    }
    return periods;
  }

  private long transfers() {
    return records.number("select count(*) from transfer");
  }

  @Test
  void twoPeopleApproveAndTheFirstCountsOnce(Windows windows) {
    Period day = played(Contest.rules().with("payout: { approval: two-person }"), 1).get(0);
    world.close(day);
    Window ann = windows.of(Person.ANN);
    ann.click("Approve");
    assertThat(ann.text())
        .contains("1,680 credits", "3 members", "asks for the approval of two people")
        .contains("Nobody has so far", "The board equalled its journal")
        .doesNotContain("How ties are paid");
    ann.fill("Reason", "as agreed").click(PAY);
    assertThat(ann.waitFor("another person must approve it too").text()).contains("held");
    assertThat(transfers()).isZero();

    String approval =
        "/console/verbs/approve?board=%s&period=%s".formatted(day.board(), day.name());
    servers.unguarded(() -> servers.sql("delete from step_progress"));
    assertThat(ann.goTo(approval).text())
        .as("no run has recorded that it compared them")
        .doesNotContain("equalled its journal");
    assertThat(ann.named(PAY).isDisabled()).isTrue();
    ann.click("Preview");
    assertThat(ann.text()).contains("ann has approved it already");
    ann.goTo(approval);
    ann.page().evaluate("document.querySelectorAll('[disabled]').forEach(b => b.disabled = false)");
    ann.fill("Reason", "once more").click(PAY);
    assertThat(ann.text()).contains(day.label() + " was already approved by ann at ", "held");
    assertThat(transfers()).isZero();

    Window bob = windows.of(Person.BOB, Look.PHONE);
    bob.click("Approve").searchedWhole();
    assertThat(bob.text()).contains("Two people must approve it. ann has.");
    bob.fill("Reason", "right").click(PAY);
    bob.waitFor("done").checked();
    assertThat(bob.waitFor("Posted: +1,680 credits").text()).contains("is approved and settled");
    assertThat(bob.clicks()).as("approve what waits").isLessThanOrEqualTo(3);
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.words("select by || ': ' || reason from approval order by by"))
        .containsExactly("ann: as agreed", "bob: right");
  }

  @Test
  void aDecisionOnTiesIsShownWithItsSumBeforeItPays(Windows windows) {
    String rewards = "rewards: [{ rule: podium, ranks: { 1: 100, 2: 50, 3: 20 }, ties: hold }]";
    Period day = played(Contest.rules().with(rewards), 1).get(0);
    world.close(day);
    Window bob = windows.of(Person.BOB).click("Approve");
    assertThat(bob.text()).contains("podium, rank 2: 70 credits among ", "before the ties");
    bob.field("How ties are paid").selectOption("each");
    bob.fill("Reason", "both were quick").click("Show the sum");
    assertThat(bob.named("Approve and pay 200 credits").isEnabled()).isTrue();
    assertThat(bob.field("Reason").inputValue()).isEqualTo("both were quick");
    bob.field("How ties are paid").selectOption("share");
    bob.click("Approve and pay 200 credits"); // names a sum that is not paid any more
    assertThat(transfers()).isZero();
    bob.click("Approve and pay 170 credits").waitFor("Posted: +170 credits");
    assertThat(records.number("select sum(amount) from transfer")).isEqualTo(170);
  }

  @Test
  void anExclusionSinceTheRankingIsAcceptedByATick(Windows windows) {
    Period day = played(Contest.rules().with("payout: { approval: required }"), 1).get(0);
    world.close(day);
    Window bob = windows.of(Person.BOB).click("Approve");
    String tick = "Pay it as it was ranked, without these changes of exclusions";
    assertThat(bob.text()).doesNotContain(tick);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "a bot", "zoe");
    approvals.updateExclusionReasons();
    bob.goTo("/console/verbs/approve?board=%s&period=%s".formatted(day.board(), day.name()));
    assertThat(bob.text()).contains(tick, "ann is hidden by an exclusion that was made after");
    bob.expecting(409).fill("Reason", "right").click(PAY);
    assertThat(bob.text())
        .contains("was ranked with other exclusions", "or accept that it is paid as it is");
    bob.field(tick).check();
    bob.click(PAY).waitFor("Posted: +1,680 credits");
    assertThat(records.words("select verb from audit_entry where member = 'ann' order by id"))
        .containsExactly("exclude", "accept-exclusion");
  }

  @Test
  void aFormForWhatAnotherHasDecidedSaysWhoDidAndPaysNothing(Windows windows) {
    Period day = played(Contest.rules().with("payout: { approval: required }"), 1).get(0);
    world.close(day);
    Window ann = windows.of(Person.ANN).click("Approve").fill("Reason", "me, too");
    Window bob = windows.of(Person.BOB).click("Approve");
    bob.fill("Reason", "as agreed").click(PAY).waitFor("Posted: +1,680 credits");
    long paid = transfers();
    ann.expecting(412).click(PAY);
    assertThat(ann.status()).isEqualTo(412);
    assertThat(ann.text()).contains("has changed", "bob has approved it: as agreed.");
    assertThat(ann.field("Reason").inputValue()).isEqualTo("me, too");
    assertThat(ann.named("Approve and pay").isDisabled()).isTrue();
    assertThat(transfers()).isEqualTo(paid);
    ann.goTo("/console/verbs/reject?board=%s&period=%s".formatted(day.board(), day.name()));
    assertThat(ann.text()).contains("bob has approved it");
    assertThat(ann.named("Reject it").isDisabled()).isTrue();
  }

  @Test
  void aMemberIsExcludedAndAllPeriodsAreAmendedAfterAnothersApproval(Windows windows) {
    List<Period> days = played(Contest.rules(), 3);
    days.forEach(world::settle);
    long paid = transfers();
    Window ann = windows.of(Person.ANN);
    ann.findMember("ann").click("Exclude");
    ann.field("Level").selectOption("hidden");
    ann.fill("Reason", "a bot").click("Exclude the member");
    ann.waitFor("done").checked().click("New batch");
    assertThat(ann.text()).contains("What would happen", "3 periods");
    ann.fill("Reason", "out of all results").click("Begin");
    ann.waitFor("held").checked();
    assertThat(ann.clicks()).as("ban and amend").isLessThanOrEqualTo(6);
    assertThat(transfers()).isEqualTo(paid);

    Window bob = windows.of(Person.BOB);
    assertThat(bob.text()).contains("1 thing needs a person");
    assertThat(bob.page().locator(".item .sum").innerText()).contains("/ −3,120 credits");
    bob.click("Approve the batch").fill("Reason", "seen the events");
    Locator sign = bob.page().locator("main form button.main");
    assertThat(sign.innerText()).startsWith("Post ").endsWith(" / take back 3,120 credits");
    bob.click(sign);
    bob.waitFor("done").checked();
    assertThat(bob.waitFor("Posted: +").text()).contains(" / −3,120 credits");
    assertThat(bob.clicks()).as("approve what waits").isLessThanOrEqualTo(3);
    assertThat(days).allMatch(day -> world.again(day).revision() == 2);
    assertThat(records.balance("ann")).isZero();
    assertThat(records.number("select count(*) from transfer where revision = 2")).isPositive();
    assertThat(records.verify().named()).isEmpty();
    bob.findMember("ann");
    assertThat(bob.text()).contains("hidden", "a bot");
  }

  @Test
  void anAmendmentIsDecidedOnByItsDifferencesEvenIfALinkNamesNoRevision(Windows windows) {
    Period day = played(Contest.rules(), 1).get(0);
    world.settle(day);
    String period = "?board=%s&period=%s".formatted(day.board(), day.name());
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude?member=ann");
    ann.field("Level").selectOption("hidden");
    ann.fill("Reason", "a bot").click("Exclude the member").waitFor("done");
    ann.goTo("/console/boards/%s/periods/%s/exclusions".formatted(day.board(), day.name()));
    assertThat(ann.text()).as("excluded from all boards").contains("hidden", "a bot");
    assertThat(ann.page().locator(".downloads").count()).as("they are a file, too").isOne();
    ann.goTo("/console/verbs/amend" + period).fill("Reason", "without ann");
    ann.click("Prepare the amendment").waitFor("held");

    Window bob = windows.of(Person.BOB).goTo("/console/verbs/approve" + period);
    assertThat(bob.page().locator("main form input[name=revision]").inputValue()).isEqualTo("2");
    assertThat(bob.text())
        .contains("Who gets and who gives back", "By ann", "“without ann”")
        .containsPattern("\\d with a difference: \\d rise, 1 fall")
        .doesNotContainIgnoringCase("tier");
    Locator row = bob.page().locator("main tbody tr").first();
    assertThat(row.innerText()).startsWith("ann\t1 → –\t").contains("1,040\t0\t−1,040");
    assertThat(bob.page().locator("main form button.main").innerText())
        .isEqualTo("Post 1,700 / take back 1,040 credits");
  }

  private static String page(Period period) {
    return "/console/boards/%s/periods/%s".formatted(period.board(), period.name());
  }

  private static List<String> verbs(Window window) {
    return window.page().locator("main a[href*='/console/verbs/']").allInnerTexts();
  }

  @Test
  void thePageOfAPeriodNamesAnUndecidedRevisionItsSumAndWhoMayDecide(Windows windows) {
    Period day = played(Contest.rules(), 1).get(0);
    world.settle(day);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "a bot", "dan");
    amendments.prepare(day.id(), new AmendmentRequest("dan", "without ann", null, Map.of()));
    Window bob = windows.of(Person.BOB).goTo(page(day));
    assertThat(bob.text())
        .contains("Revision 2 is prepared", "dan: without ann", "give back 1,040 credits");
    assertThat(verbs(bob)).containsExactly("Verify", "Approve", "Reject");
    bob.click("Approve");
    assertThat(bob.path()).contains("/verbs/approve", "revision=2");
    Window vic = windows.of(Person.VIC).goTo(page(day));
    assertThat(vic.text()).contains("Revision 2 is prepared", "dan: without ann");
    assertThat(verbs(vic)).isEmpty();
  }

  @Test
  void whoPreparedForTwoPeopleIsOfferedNoApproval(Windows windows) {
    Period day = played(Contest.rules().with("payout: { approval: two-person }"), 1).get(0);
    world.close(day);
    Window ann = windows.of(Person.ANN);
    ann.click("Approve").fill("Reason", "as agreed").click(PAY);
    ann.waitFor("another person must approve it too");
    assertThat(verbs(ann)).isEmpty();
    assertThat(ann.goTo("/console").text()).contains("ann has approved it already");
    assertThat(verbs(ann)).containsExactly("Reject");
    assertThat(ann.goTo(page(day)).text())
        .contains("Another person must approve this: ann has approved it already.");
    assertThat(verbs(ann)).doesNotContain("Approve");
    Window bob = windows.of(Person.BOB).goTo(page(day));
    assertThat(bob.text()).contains("held for approval").doesNotContain("another person:");
    assertThat(verbs(bob)).contains("Approve");
    Window vic = windows.of(Person.VIC);
    assertThat(vic.text()).contains("1 thing needs a person");
    assertThat(verbs(vic)).isEmpty();
  }

  @Test
  void thePageOfAPeriodShowsAHoldAPauseAndARetry(Windows windows) {
    Period day = world.open(world.board(Contest.rules()));
    world.takeAll(Contest.facts(), World.ANYBODY);
    Window ann = windows.of(Person.ANN).goTo(page(day));
    assertThat(verbs(ann)).containsExactly("Extend", "Hold", "Rebuild");
    ann.click("Hold").fill("Reason", "a suspicion").click("Hold it").goTo(page(day));
    assertThat(ann.text()).contains("Held by ann: a suspicion.");
    assertThat(verbs(ann)).containsExactly("Extend", "Lift the hold", "Rebuild");
    ann.click("Lift the hold").fill("Reason", "no bot").click("Lift the hold").goTo(page(day));
    assertThat(ann.text()).doesNotContain("Held by");
    assertThat(verbs(ann)).containsExactly("Extend", "Hold", "Rebuild");

    world.due(day);
    world.close(
        day,
        step -> {
          throw new IllegalStateException("no room on the disk");
        });
    pauses.pause(day.board(), "bob", "a strange night");
    Window bob = windows.of(Person.BOB).goTo(page(day));
    assertThat(bob.text())
        .contains("no room on the disk", "It is retried at 2026-")
        .contains("The board is paused by bob: a strange night.");
    assertThat(verbs(bob)).contains("Restart", "Resume");
  }

  @Test
  void aRankAfterTheLastIsNamedAndAMemberWithBlanksIsFound(Windows windows) {
    Period day = played(Contest.rules(), 1).get(0);
    world.settle(day);
    Window vic = windows.of(Person.VIC).goTo(page(day) + "?rank=999");
    assertThat(vic.text())
        .containsPattern("There is no rank 999; the last is [45]")
        .doesNotContain("Nobody");
    vic.goTo(page(day) + "?member=%20ann");
    assertThat(vic.page().locator("tr.found").innerText()).contains("ann");
  }

  @Test
  void aMemberIsFoundByNicknameOrInviteCode(Windows windows) {
    for (String[] member :
        new String[][] {
          {"m-1", "Ann_Lee"}, {"m-2", "annabel"}, {"m-3", "Bob"}, {"m-4", "\u0130brahim"}
        }) {
      members.register(
          new Registration(
              new ExternalId("+8613800138" + member[0].substring(2) + "00"),
              member[1],
              null,
              new MemberId(member[0])));
    }
    Window vic = windows.of(Person.VIC).findMember("bob");
    assertThat(vic.path()).isEqualTo("/console/members/m-3");
    vic.findMember("ann");
    assertThat(vic.page().locator("tbody tr").allInnerTexts())
        .hasSize(2)
        .anyMatch(row -> row.contains("m-1") && row.contains("Ann_Lee"))
        .anyMatch(row -> row.contains("m-2") && row.contains("annabel"));
    vic.findMember("\u0130b");
    assertThat(vic.path()).as("lower case by one rule").isEqualTo("/console/members/m-4");
    vic.expecting(400).goTo("/console/find?member=a%00b");
    assertThat(vic.text()).contains("'search' is the beginning of a nickname");
    vic.findMember("ann_");
    assertThat(vic.path()).as("no pattern").isEqualTo("/console/members/m-1");
    String code = records.words("select invite_code from member where id = 'm-2'").get(0);
    vic.findMember(code.toLowerCase(Locale.ROOT));
    assertThat(vic.path()).isEqualTo("/console/members/m-2");

    Period day = played(Contest.rules(), 1).get(0);
    world.settle(day);
    Window later = windows.of(Person.VIC); // the clock has passed the end of her session
    later.findMember("ann").click("The member with the id ann").click("Why?");
    assertThat(later.text()).contains("Rank 1");
  }

  @Test
  void allMembersOfANameAreFoundInPages(Windows windows) {
    servers.sql(
        """
        insert into member (
          id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
        select 'm-' || n, n, '***', case when n % 2 = 0 then 'Zoe' else 'zoe-' || n end,
          'AAAA' || n, '', '2026-11-01'
        from generate_series(2222, 2999) n
        where n::text !~ '[01]'
        limit 201
        """);
    Window vic = windows.of(Person.VIC).findMember("zoe");
    var found = new ArrayList<>(ids(vic));
    assertThat(found).hasSize(100);
    vic.click("Next page");
    found.addAll(ids(vic));
    assertThat(vic.field("Id, nickname or invite code").inputValue()).isEqualTo("zoe");
    vic.click("Next page");
    found.addAll(ids(vic));
    assertThat(found).hasSize(201).doesNotHaveDuplicates();
  }

  private static List<String> ids(Window window) {
    return window.page().locator("tbody a[href^='/console/members/m-']").allInnerTexts();
  }

  @Test
  void prizesInOtherCurrenciesAreShown(Windows windows) {
    Rules gems = Rules.day().with("rewards: [{ rule: best, currency: gems, ranks: { 1: 10 } }]");
    Board board = world.board(gems);
    Period day = world.open(board);
    world.take(List.of(Fact.by("ann"), Fact.by("ann").on("post"), Fact.by("bob")));
    world.settle(day);
    Window vic = windows.of(Person.VIC);
    vic.menu("Boards").click(day.name().value());
    assertThat(vic.page().locator("tbody tr").first().innerText()).contains("\t10 gems\t");
    assertThat(vic.page().locator("figure.plot .desk svg").allTextContents())
        .as("points, and prizes in the currency of the board")
        .satisfiesExactly(
            points -> assertThat(points).contains("points"),
            prizes -> assertThat(prizes).contains("gems"));
    vic.findMember("ann");
    assertThat(vic.page().locator("tbody tr").first().innerText()).contains("\t10 gems\t");
  }

  @Test
  void whoWonAndWhyIsFoundWithFewClicks(Windows windows) {
    Period day = played(Contest.rules(), 1).get(0);
    world.settle(day);
    Window vic = windows.of(Person.VIC);
    vic.menu("Boards").click(day.name().value());
    assertThat(vic.clicks()).as("who won last week").isLessThanOrEqualTo(2);
    assertThat(vic.page().locator("tbody tr").first().innerText())
        .startsWith("1\tann\t")
        .contains("\t200\t1,040\t");

    Locator events = vic.findMember("ann").page().locator("main tr:has(td:text('invite on'))");
    assertThat(events.allInnerTexts())
        .satisfiesExactlyInAnyOrder(
            event -> assertThat(event).contains(day.label(), "invite on joe", "applied\t100"),
            event -> assertThat(event).contains(day.label(), "invite on ned", "applied\t100"));
    vic.click(events.first().locator("a"));
    assertThat(vic.text()).contains("Rank 1, 200 points");
    vic.clicks();
    vic.goTo("/console").findMember("ann").click("Why?");
    assertThat(vic.clicks()).as("why did ann get this").isLessThanOrEqualTo(3);
    assertThat(vic.text())
        .contains("Rank 1, 200 points", "1,000 credits podium", "40 credits each-invite")
        .doesNotContain("The latest");
    vic.goTo(vic.path() + "?events=1");
    assertThat(vic.text()).contains("The latest 1 of 2.");
    vic.click("More events");
    assertThat(vic.text()).doesNotContain("The latest");
  }
}
