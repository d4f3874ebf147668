package palmares.console;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.console.Windows.Look;
import palmares.console.Windows.Person;
import palmares.live.member.ExternalId;
import palmares.live.member.InviteCode;
import palmares.live.member.Members;
import palmares.live.member.Qualifications;
import palmares.live.member.Registration;
import palmares.operations.withheld.WithheldLines;
import palmares.operations.withheld.WithheldLines.Decision;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/**
 * Pages that a quiet month leaves empty: withheld lines, differences of a wallet, other rules. With
 * {@code -Dtests.screenshots=FOLDER} images of them are written there.
 */
@ConsoleTest
class FilledPagesTest {
  private static final Pattern RAW_TIME = Pattern.compile("\\dT\\d\\d:\\S*Z");
  private static final Pattern ENGLISH =
      Pattern.compile("(?<![\\w./:@-])[A-Za-z][a-z']+(?: [a-z][a-z']*){2,}(?![\\w./:@-])");

  private static final Rules RULES =
      Rules.of("week")
          .with("title: 邀请")
          .with("durability: committed")
          .with("actions: { invite: 100 }")
          .with("invites: { action: invite, review: { same-address: 3, chain: 3 } }")
          .with("watch: { top: [1, 3], passed: true }")
          .with(
              """
              rewards:
                - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }
                - { rule: each-invite, per: invite, credits: 20, currency: gems }
              """);

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Members members;
  @Autowired private WithheldLines lines;
  @Autowired private Qualifications qualifications;

  private @Nullable Period week;

  private Period week() {
    return requireNonNull(week);
  }

  private InviteCode register(String member, @Nullable InviteCode code, String address) {
    InviteCode own =
        members
            .register(
                new Registration(
                    new ExternalId("+86139000-" + member),
                    member,
                    code == null ? null : code.value(),
                    new MemberId(member),
                    address,
                    null))
            .profile()
            .inviteCode();
    world.pass(Duration.ofSeconds(1));
    return own;
  }

  /** Of the invited one qualifies in time, one behind the closing, one never, and one may yet. */
  private void inviteBuyers() {
    Period purchases =
        world.open(
            world.board(Rules.of("month").with("title: 商店").with("actions: { purchase: 1 }")));
    Board board =
        world.board(
            Rules.of("day")
                .with("title: 新客")
                .with("durability: committed")
                .with("actions: { invite: { points: 100, undo: true } }")
                .with(
                    "invites: { action: invite, counted-in: registration, qualifies: { action:"
                        + " purchase,"
                        + " board: %s, within: 3d } }".formatted(purchases.board())));
    Period invites = world.open(board);
    InviteCode code = register("eve", null, "10.0.2.1");
    for (String name : List.of("buys", "buys-late", "buys-nothing")) {
      register(name, code, "10.0.2.2");
    }
    buy("buys", invites);
    world.settle(invites);
    buy("buys-late", invites);
    world.pass(Duration.ofDays(4));
    world.open(board);
    register("may-buy", code, "10.0.2.3");
  }

  private void buy(String member, Period invites) {
    world.take(Fact.by(member).does("purchase").on("order"));
    assertThat(qualifications.complete(invites)).isTrue();
  }

  private void settleAWeek() {
    Period open = world.open(world.board(RULES));
    for (String name : List.of("ann", "bob", "cid")) {
      InviteCode code = register(name, null, "10.0.0.1");
      for (int i = 0; i < 4; i++) {
        register(name + i, code, name.equals("bob") ? "10.0.0." + i : "10.0.0.9");
      }
    }
    InviteCode code = null;
    for (int i = 0; i < 5; i++) {
      code = register("dan" + i, code, "10.0.1." + i);
    }
    week = world.settle(open);
    lines.decide(week(), List.of("ann"), Decision.RELEASE, "kim", "一家人");
    lines.decide(week(), List.of("dan1"), Decision.REFUSE, "kim", "他自己");
    servers.sql(
        """
        insert into wallet_finding (
          kind, award_id, outcome, rule, member, currency, amount, received, message, found_at)
        select kind, board || '/' || period || '/1/bob/podium/credits/award', outcome, rule_number,
          'bob', 'credits', 300, received,
          jsonb_build_object('code', code, 'values', vals::jsonb, 'text', ''), posted_at
        from transfer
        cross join (values
          ('missing', null, 'wallet.missing', '{"delivered": "2026-11-23T00:10:00Z"}'),
          ('twice', 600, 'wallet.twice', '{"lines": 2}'),
          ('amount', 3000, 'wallet.other-amount',
            '{"award": "bob", "amount": 300, "received": 3000}'),
          ('currency', 300, 'wallet.other-currency', '{"currency": "credits", "received": "gems"}'),
          ('refused', null, 'wallet.refused', '{"reason": "账户已关闭"}'),
          ('unconfirmed', null, 'wallet.not-confirmed', '{"delivered": "2026-11-23T00:10:00Z"}')
        ) as found (kind, received, code, vals)
        where member = 'bob' and rule = 'podium'
        union all
        select 'unawarded', 'shop/voucher-1', null, null, null, null, null, 7,
          '{"code": "wallet.unawarded", "values": {}, "text": ""}', now()
        """);
    servers.sql(
        """
        insert into wallet_comparison (
          at, by, nightly_until, since, until, lines, awards, confirmed, failed_since,
          failed_until, failure)
        values ('2026-11-27T08:00:00Z', 'palmares', '2026-11-22', '2026-11-22', '2026-11-23',
          0, 0, 0, '2026-11-22', '2026-11-23',
          '{"code": "wallet.page-failed", "text": "", "values": {"page": 1,
            "why": {"code": "delivery.answered", "values": {"answer": 500}, "text": ""}}}')
        """);
    inviteBuyers();
  }

  private Map<String, String> pages() {
    String period = "/console/boards/%s/periods/%s".formatted(week().board(), week().name());
    var pages = new LinkedHashMap<String, String>();
    pages.put("inbox", "/console");
    pages.put("withheld", period + "/withheld");
    pages.put("explanation", period + "/members/ann");
    pages.put("member", "/console/members/bob");
    pages.put("inviter", "/console/members/eve");
    pages.put("month", "/console/months/2026-11");
    pages.put("wallet", "/console/wallet");
    pages.put("audit", "/console/audit");
    String of = "?board=%s&period=%s".formatted(week().board(), week().name());
    pages.put("release-withheld", "/console/verbs/release-withheld" + of);
    pages.put("return-refused", "/console/verbs/return-refused");
    return pages;
  }

  @Test
  void filledPagesAreSoundAndTranslated(Windows windows) {
    settleAWeek();
    show("en", windows.of(Person.ANN));
    String chinese = show("zh", windows.of(Person.ANN, Look.CHINESE));
    assertThat(ENGLISH.matcher(chinese).results().map(MatchResult::group)).isEmpty();
    assertThat(chinese)
        .doesNotContainPattern("missing|twice|unawarded|unconfirmed|undecided|released")
        .contains("已入账", "待处理", "逾期未达标", "迟到", "缺少", "重复入账", "未确认", "待决定", "已放行", "邀请链", "自修订版: 2");
  }

  /** Returns the texts of all pages. */
  private String show(String language, Window window) {
    var text = new StringBuilder();
    pages()
        .forEach((name, path) -> text.append(show(name + "-" + language, window.read(path), path)));
    compareOtherRules(window);
    return text.append(show("replay-" + language, window, "replay")).toString();
  }

  private void compareOtherRules(Window window) {
    window.goTo("/console/boards/" + week().board() + "/replay");
    window
        .page()
        .locator("#rules")
        .fill(
            RULES.text().replace("2-3: 300", "2-3: 700").replace("credits: 20", "credits: 10")
                + "payout: { budget: { credits: { period: 1500, month: 1600 } } }\n");
    window.click(window.page().locator("button.main"));
  }

  private static String show(String image, Window window, String page) {
    String text = window.searchedWhole().text();
    assertThat(text).as(page).doesNotContainPattern(RAW_TIME);
    image(image + "-desk", window);
    image(image + "-phone", window.light().phone());
    window.desk();
    return text + "\n";
  }

  private static void image(String name, Window window) {
    String folder = System.getProperty("tests.screenshots");
    if (folder != null) {
      window.screenshot(Path.of(folder, name + ".png"));
    }
  }
}
