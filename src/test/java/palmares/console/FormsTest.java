package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.LocatorOptions;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.LoadState;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.console.Windows.Look;
import palmares.console.Windows.Person;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;

/** A form that is wrong, stale, sent twice or not allowed says so, keeps its text, acts once. */
@ConsoleTest
class FormsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @LocalServerPort private int port;

  private Period day;

  @BeforeEach
  void playADay() {
    day = world.open(world.board(Contest.rules()));
    world.takeAll(Contest.facts(), World.ANYBODY);
  }

  private String form(String word) {
    return "/console/verbs/%s?board=%s&period=%s".formatted(word, day.board(), day.name());
  }

  private long tasks() {
    return records.number("select count(*) from task where not is_refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exclude?member=ann             | Reason                   |       | 400 | reason
          exclude?member=ann&board=nope  | Board                    | nope  | 404 | nope
          batch                          | Numbers of the exclusions| seven | 400 | seven
          """)
  void aWrongFieldIsNamedAndEverythingTypedIsKept(
      String word, String field, String typed, int status, String named, Windows windows) {
    Window window = windows.of(Person.ANN);
    window.goTo("/console/verbs/" + word).withoutValidation();
    window.fill("Reason", "because");
    if (word.startsWith("exclude")) {
      window.field("Level").selectOption("hidden");
    }
    if (word.equals("batch")) {
      window.field("What to do").selectOption("amend");
    }
    String text = typed == null ? "" : typed;
    if (field.equals("Board")) {
      window.field(field).selectOption(text);
    } else {
      window.fill(field, text);
    }
    window.expecting(status).click(window.page().locator("form.form button").first());
    assertThat(window.status()).as(window.text()).isEqualTo(status);
    assertThat(window.page().locator("[role=alert]").innerText()).contains(named);
    assertThat(window.field(field).inputValue()).isEqualTo(text);
    assertThat((String) window.page().evaluate("document.activeElement.id")).isEqualTo("problem");
    if (!word.equals("batch")) {
      // The refusal names the field, or what the field names does not exist.
      assertThat(window.field(field).getAttribute("aria-invalid"))
          .as(window.page().locator("[role=alert]").innerText())
          .isEqualTo("true");
      assertThat(window.field(field).getAttribute("aria-describedby")).startsWith("problem");
    }
    if (!field.equals("Reason")) {
      assertThat(window.field("Reason").inputValue()).isEqualTo("because");
    }
    if (word.startsWith("exclude")) {
      assertThat(window.field("Level").inputValue()).isEqualTo("hidden");
    }
    assertThat(tasks()).isZero();
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  /** As above, without Chromium. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exclude?member=ann             | reason     | 10 kB | 400 | reason
          exclude?member=ann&from=soon   | from       | soon  | 400 | soon
          exclude?member=nobody          | board      | ''    | 404 | nobody
          batch                          | exclusions | 5,9-7 | 400 | 9-7
          retry                          | target     | nope  | 404 | nope
          """)
  void aWrongFieldIsNamedInThePage(
      String word, String field, String typed, int status, String named, Windows windows) {
    Browser ann = signIn(windows);
    String path = "/console/verbs/" + word.replaceFirst("\\?.*", "");
    String text = typed.equals("10 kB") ? "x".repeat(10_000) : typed;
    var fields = new LinkedHashMap<>(EveryFormTest.hidden(html(ann, word), path));
    fields.putAll(Map.of("reason", "because", "level", "hidden", "verb", "amend"));
    fields.put(field, text);
    Page refused = ann.form(path, fields);
    String html = refused.response().body();
    assertThat(refused.status()).as(html).isEqualTo(status);
    assertThat(html).containsPattern("(?s)role=\"alert\"((?!</div>).)*" + named);
    if (field.equals("board")) {
      assertThat(html).contains("<option value=\"\">All boards");
      assertThat(html).doesNotContain("value=\"%s\" selected".formatted(day.board()));
    } else {
      assertThat(control(html, field)).contains("value=\"%s\"".formatted(text));
    }
    if (List.of("reason", "target").contains(field)) {
      assertThat(control(html, field))
          .contains("aria-invalid=\"true\"", "aria-describedby=\"problem");
    }
    if (!field.equals("reason")) {
      assertThat(control(html, "reason")).contains("value=\"because\"");
    }
    if (word.startsWith("exclude")) {
      assertThat(html).contains("value=\"hidden\" selected");
    }
    assertThat(tasks()).isZero();
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  private Browser signIn(Windows windows) {
    windows.add(Person.ANN);
    var ann = new Browser(port);
    assertThat(ann.signIn(Person.ANN.id(), Windows.PASSWORD).status()).isEqualTo(200);
    return ann;
  }

  private static String html(Browser person, String word) {
    return person.get("/console/verbs/" + word).response().body();
  }

  /** The tag of a field. */
  private static String control(String html, String name) {
    Matcher tag =
        Pattern.compile("<(?:input|select|textarea)\\b[^>]*\\bname=\"%s\"[^>]*>".formatted(name))
            .matcher(html);
    assertThat(tag.find()).as("%s in %s", name, html).isTrue();
    return tag.group();
  }

  @Test
  void aStaleFormIsRefusedOnceAndKeepsItsText(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo(form("hold"));
    Window bob = windows.of(Person.BOB).goTo(form("hold"));
    bob.fill("Reason", "bob looks into it").click("Hold it");
    ann.expecting(412).fill("Reason", "ann looks into it").click("Hold it");
    assertThat(ann.status()).isEqualTo(412);
    assertThat(ann.text()).contains("has changed");
    assertThat(ann.field("Reason").inputValue()).isEqualTo("ann looks into it");
    assertThat(records.words("select reason from person_hold"))
        .containsExactly("bob looks into it");
  }

  @Test
  void aFormOfAPeriodThatHasMovedOnSaysWhatIsPossibleNow(Windows windows) {
    world.due(day); // before she signs in, because sessions end by the same clock
    Window ann = windows.of(Person.ANN).goTo(form("close"));
    world.settle(day);
    ann.expecting(412).fill("Reason", "by hand").click("Close the period");
    assertThat(ann.status()).isEqualTo(412);
    ann.click("Close the period");
    ann.waitFor("nothing was changed");
    assertThat(records.number("select count(*) from run")).isOne();
  }

  @Test
  void thePreviewOfAClosingNamesItsSumOnTheButton(Windows windows) {
    Board strict = world.board(Contest.rules().with("payout: { approval: required }"));
    Period held = world.open(strict);
    world.takeAll(
        Contest.facts().stream().map(fact -> fact.to(strict).at(world.now())).toList(),
        World.ANYBODY);
    world.due(day);
    Window ann = windows.of(Person.ANN).goTo(form("close")).click("Preview");
    assertThat(ann.named("Close and pay about 1,680 credits").isEnabled()).as(ann.text()).isTrue();
    ann.goTo("/console/verbs/close?board=%s&period=%s".formatted(held.board(), held.name()));
    ann.click("Preview").fill("Reason", "by hand");
    ann.click("Close; a person must approve about 1,680 credits").waitFor("is held for approval");
    world.close(day, FormsTest::failToPay);
    ann.goTo(form("restart")).click("Preview").fill("Reason", "room again");
    ann.click("Restart and pay 1,680 credits").waitFor(day.label() + " is settled");
    assertThat(records.paid(world.again(day))).isEqualTo(Contest.PAID);
  }

  private static void failToPay(String step) {
    if (step.equals("pay")) {
      throw new IllegalStateException("no room on the disk");
    }
  }

  @Test
  void aFormThatIsSentTwiceHasOneEffect(Windows windows) {
    Window window = windows.of(Person.ANN).goTo(form("hold")).fill("Reason", "to look into it");
    window.doubleClick("Hold it");
    assertThat(tasks()).isOne();
    String task = window.path();
    window.back().fill("Reason", "to look into it").click("Hold it");
    assertThat(window.path()).isEqualTo(task);
    assertThat(tasks()).isOne();
    assertThat(records.number("select count(*) from audit_entry where verb = 'hold'")).isOne();
  }

  @Test
  void aFormThatIsSentSeveralTimesAtOnceHasOneEffect(Windows windows) {
    Window window = windows.of(Person.ANN).goTo(form("hold")).fill("Reason", "to look into it");
    window.expecting(409); // "the first request is still being processed"
    Object answers =
        window
            .page()
            .evaluate(
                """
                async () => {
                  const form = document.querySelector("main form");
                  const body = new URLSearchParams(new FormData(form));
                  const send = () => fetch(form.action, { method: "post", body });
                  const answers = await Promise.all([send(), send(), send(), send()]);
                  return answers.filter(answer => answer.ok).map(answer => answer.url);
                }
                """);
    assertThat((List<?>) answers).isNotEmpty().allMatch(url -> url.toString().contains("/tasks/"));
    assertThat(tasks()).isOne();
    assertThat(records.number("select count(*) from audit_entry where verb = 'hold'")).isOne();
  }

  @Test
  void whoHasLostTheRightMeanwhileIsRefused(Windows windows) {
    Window bob = windows.of(Person.BOB).goTo(form("hold")).fill("Reason", "to look into it");
    servers.sql("update person set roles = '{viewer}', version = version + 1 where name = 'bob'");
    bob.expecting(401).click("Hold it");
    assertThat(bob.text()).contains("Your session has ended");
    bob.expecting(403).signIn(Person.BOB);
    assertThat(bob.status()).isEqualTo(403);
    assertThat(bob.text()).contains("needs the role operator");
    assertThat(tasks()).isZero();
  }

  @Test
  void whatTheApiSaysIsInTheLanguageOfThePage(Windows windows) {
    Window ann = windows.of(Person.ANN, Look.CHINESE);
    ann.goTo("/console/verbs/exclude?member=nobody&level=hidden");
    assertThat(said(ann)).containsExactly("没有成员“nobody”：没有该成员的事件、注册或榜单记录。如仍要排除，请勾选允许未知成员。");
    ann.goTo("/console/verbs/exclude?member=ann&level=hidden");
    assertThat(said(ann)).singleElement().asString().contains("ann 在 全部榜单 上的级别将为“隐藏”");
    ann.goTo(form("close")).click(ann.page().locator("button[name=look]"));
    assertThat(said(ann)).singleElement().asString().contains(day.label() + " 尚未结束");
    ann.goTo(form("hold")).expecting(409);
    send(ann, "看一看");
    assertThat(said(ann)).containsExactly(day.label() + " 须经审批后才会发放。");
    ann.goTo(form("hold"));
    send(ann, "再看一看");
    assertThat(said(ann)).containsExactly("已有人要求 " + day.label() + " 须经审批，请在结算后批准或驳回。");
    world.close(day);
    Window later = windows.of(Person.ANN, Look.CHINESE); // the clock has passed her session's end
    later.goTo(form("approve")).click(later.page().locator("button[name=look]"));
    assertThat(said(later))
        .startsWith(day.label() + " 将被批准并发放。")
        .endsWith("  podium：3 名成员共 1,600 credits");
  }

  private static void send(Window window, String reason) {
    window.page().fill("#f-reason", reason);
    window.click(window.page().locator("main form .actions button").first());
  }

  /** The sentences of the operations API on a page, all of them in Chinese. */
  private static List<String> said(Window window) {
    List<String> said = window.page().locator(".banner p, .say li").allInnerTexts();
    assertThat(said).isNotEmpty().noneMatch(line -> line.matches("(?s).*[a-z]{2,} [a-z]{2,} .*"));
    return said;
  }

  @Test
  void withoutTheRightAFormIsNeitherShownNorDone(Windows windows) {
    Window vic = windows.of(Person.VIC).expecting(403);
    for (String path : new String[] {form("hold"), "/console/verbs/exclude?member=ann"}) {
      vic.goTo(path);
      assertThat(vic.status()).isEqualTo(403);
      assertThat(vic.text()).contains("needs the role operator");
    }
    vic.goTo("/console/people");
    assertThat(vic.status()).isEqualTo(403);
    vic.goTo("/console/boards/" + day.board());
    assertThat(vic.page().locator("main a[href*='/verbs/']").count()).as("verbs").isZero();
  }

  @Test
  void aNewPersonChangesTheirPasswordOnAPageThatStays(Windows windows) {
    windows.add(Person.VIC);
    servers.sql("update person set must_change = true where name = 'vic'");
    Window vic = windows.open().goTo("/console/sign-in");
    vic.fill("Name", "vic").fill("Password", Windows.PASSWORD).click("Sign in");
    assertThat(vic.path()).isEqualTo("/console/password");
    vic.page().waitForLoadState(LoadState.NETWORKIDLE);
    assertThat(vic.requested().stream().filter(address -> address.endsWith("/console/password")))
        .as("loads of the page")
        .hasSize(1);
    assertThat(
            vic.page()
                .evaluate(
                    """
                    async () => {
                      const headers = { "HX-Request": "true", "HX-Current-URL": location.href };
                      const answer = await fetch("/console/inbox-count", { headers });
                      return answer.status + " " + answer.headers.get("HX-Redirect");
                    }
                    """))
        .isEqualTo("204 null");
  }

  @Test
  void aSessionThatEndsInTheMiddleOfAFormLosesNothing(Windows windows) {
    Window window = windows.of(Person.ANN).goTo("/console/verbs/exclude?member=a%20%26%2B%25b");
    window.field("Level").selectOption("no-prize");
    window.field("Board").selectOption(day.board().value());
    window.fill("Reason", "50 % of \"likes\" & {more} + äöü 分");
    window.endSession().expecting(401).click("Exclude the member");
    assertThat(window.status()).isEqualTo(401);
    window.fill("Password", "wrong").fill("Name", "ann").click("Sign in");
    assertThat(window.text()).contains("The name or the password is wrong");
    window.signIn(Person.ANN);
    assertThat(window.path()).startsWith("/console/verbs/exclude?kept");
    assertThat(window.page().locator("h1").innerText()).contains("a &+%b");
    assertThat(window.field("Level").inputValue()).isEqualTo("no-prize");
    assertThat(window.field("Board").inputValue()).isEqualTo(day.board().value());
    assertThat(window.field("Reason").inputValue()).isEqualTo("50 % of \"likes\" & {more} + äöü 分");
    assertThat(tasks()).isZero();
    assertThat(window.requested())
        .as("addresses, which redirects and access logs have")
        .isNotEmpty()
        .noneMatch(address -> address.contains("likes") || address.contains("no-prize"));
  }

  @Test
  void whatWasTypedAboutAKeyIsKeptAndRevokingItIsAskedFor(Windows windows) {
    Window ada = windows.of(Person.ADA).goTo("/console/people");
    ada.fill("Key", "shop & co").fill("Boards", "quiz").fill("Valid for days", "90");
    ada.page().fill("#key-reason", "a shop opens");
    ada.endSession().expecting(401).click("Create a key");
    ada.signIn(Person.ADA);
    assertThat(ada.requested()).isNotEmpty().noneMatch(address -> address.contains("shop"));
    assertThat(ada.path()).startsWith("/console/people");
    assertThat(ada.field("Key").inputValue()).isEqualTo("shop & co");
    assertThat(ada.field("Valid for days").inputValue()).isEqualTo("90");
    ada.expecting(404).click("Create a key");
    assertThat(ada.page().locator("[role=alert]").innerText()).contains("quiz");
    assertThat(ada.field("Boards").inputValue()).isEqualTo("quiz");
    ada.fill("Boards", day.board().value()).expecting(400).click("Create a key");
    ada.fill("Key", "shop").fill("Operations", "opsClose");
    ada.page().locator("[name=keyRoles][value=operator]").check();
    ada.click("Create a key");
    assertThat(ada.text()).contains("password or secret of shop");

    ada.goTo("/console/people");
    Locator key = ada.page().locator("tr", new LocatorOptions().setHasText("shop"));
    Locator revocation = key.locator("details").last();
    revocation.locator("summary").click();
    assertThat(key.innerText()).contains("This cannot be undone", "opsClose");
    assertThat(valid("shop")).isOne();
    revocation.locator("[name=reason]").fill("it is closed");
    ada.click(revocation.locator("button").first());
    assertThat(valid("shop")).isZero();
    assertThat(records.words("select reason from audit_entry where verb ~ '-key$' order by id"))
        .containsExactly("a shop opens", "it is closed");
  }

  /** A key of one's own always ends; that of a program may have an end, too. */
  @Test
  void aKeyIsRotatedForAsLongAsItsFormerSecretUnlessAPersonChoosesAnother(Windows windows) {
    Window ada = windows.of(Person.ADA).goTo("/console/verbs/create-own-key");
    ada.fill("Name", "adas").fill("Valid for days", "30").fill("Reason", "a report");
    ada.page().locator("[name=roles][value=viewer]").check();
    ada.click("Create the key").goTo("/console/people");
    Locator rotation = ada.page().locator("form[action$='/adas/rotate']").first();
    Locator days = rotation.locator("[name=validForDays]");
    rotation.locator("xpath=../summary").click();
    assertThat(days.inputValue()).as("as the former secret").isEqualTo("30");
    days.fill("soon");
    rotation.locator("[name=reason]").fill("a lost laptop");
    ada.expecting(400).click(rotation.locator("button").first());
    assertThat(ada.text()).contains("'soon' is no number of days, such as 90");
    assertThat(days.inputValue()).as("what was typed").isEqualTo("soon");
    days.fill("7");
    ada.click(rotation.locator("button").first());
    assertThat(ada.text()).contains("password or secret of adas");
    assertThat(
            records.words(
                """
                select to_char(expires_at - created_at, 'FMDD') from api_secret
                where key = 'adas' order by created_at, id
                """))
        .as("the overlap of the former, and what was chosen")
        .containsExactlyInAnyOrder("1", "7");
  }

  @Test
  void aStalePageOfPeopleOverwritesNothing(Windows windows) {
    windows.add(Person.VIC);
    Window ada = windows.of(Person.ADA).goTo("/console/people");
    Window stale = windows.of(Person.ADA).goTo("/console/people");
    setRole(ada, "operator", "she operates");
    stale.expecting(412);
    setRole(stale, "writer", "she writes");
    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.text()).contains("has changed");
    Locator refused = stale.page().locator("form[action$='/vic/roles']");
    assertThat(refused.locator("[name=reason]").inputValue()).isEqualTo("she writes");
    assertThat(refused.locator("[value=writer]").isChecked()).as("what was typed").isTrue();
    assertThat(refused.locator("[value=operator]").isChecked()).isFalse();
    assertThat(stale.page().locator("[name=reason]").all())
        .as("no other form has the reason")
        .filteredOn(field -> !field.inputValue().isEmpty())
        .hasSize(1);
    assertThat(records.words("select array_to_string(roles, ',') from person where name = 'vic'"))
        .containsExactly("operator,viewer");
    assertThat(
            records.words(
                "select concat_ws(' ', reason, details->'before', details->'roles')"
                    + " from audit_entry where verb = 'set-roles'"))
        .containsExactly("she operates [\"viewer\"] [\"operator\", \"viewer\"]");
  }

  @Test
  void aFormForAPersonOrKeyThatIsSentTwiceHasOneEffect(Windows windows) {
    windows.add(Person.VIC);
    Window ada = windows.of(Person.ADA).goTo("/console/people");
    setRole(ada, "operator", "she operates");
    ada.back();
    setRole(ada, "operator", "she operates");
    assertThat(records.number("select count(*) from audit_entry where verb = 'set-roles'")).isOne();

    ada.fill("Key", "twice");
    ada.page().locator("[name=keyRoles][value=writer]").check();
    ada.page().fill("#key-reason", "a shop opens");
    ada.click("Create a key");
    assertThat(ada.text()).contains("password or secret of twice");
    ada.searchedWhole().dark().light();
    ada.expecting(409).page().reload();
    assertThat(ada.checked().status()).isEqualTo(409);
    assertThat(ada.text())
        .contains("was answered with the secret")
        .doesNotContain("password or secret of twice");
    assertThat(records.number("select count(*) from audit_entry where verb = 'create-key'"))
        .isOne();
  }

  @Test
  void thePreviewOfAnAccountsChangeChangesNothing(Windows windows) {
    Window vic = windows.of(Person.VIC);
    Window ada = windows.of(Person.ADA).goTo("/console/people");
    Locator form = ada.page().locator("form[action$='/vic/end-sessions']");
    form.locator("xpath=../summary").click();
    form.locator("[name=reason]").fill("a lost laptop");
    ada.click(form.locator("button[name=look]"));
    assertThat(ada.text()).contains("Would end the sessions of vic.");
    assertThat(form.locator("[name=reason]").inputValue()).isEqualTo("a lost laptop");
    assertThat(vic.goTo("/console/boards").path()).isEqualTo("/console/boards");
    ada.click(form.locator("button").first());
    assertThat(vic.goTo("/console/boards").path()).startsWith("/console/sign-in");
    assertThat(records.words("select reason from audit_entry where verb = 'end-sessions'"))
        .containsExactly("a lost laptop");
  }

  @Test
  void aPersonCreatesAKeyOfTheirOwnOnce(Windows windows) {
    Window vic = windows.of(Person.VIC).goTo("/console/me");
    vic.click("Create a key of your own").fill("Name", "vic-report");
    assertThat(vic.page().locator("[name=roles]").all())
        .as("no role that would be refused")
        .extracting(role -> role.getAttribute("value"))
        .containsExactlyInAnyOrder("viewer", "reader");
    assertThat(vic.field("Valid for days").inputValue()).as("it always expires").isEqualTo("90");
    vic.fill("Boards", "nope").fill("Valid for days", "30").fill("Reason", "a weekly report");
    vic.page().locator("[name=roles][value=reader]").check();
    vic.expecting(404).click("Create the key");
    assertThat(vic.page().locator("[name=roles][value=reader]").isChecked()).isTrue();
    assertThat(vic.field("Valid for days").inputValue()).as("what was typed").isEqualTo("30");
    vic.page().locator("[name=roles][value=reader]").uncheck();
    vic.fill("Boards", "");
    vic.page().locator("[name=roles][value=viewer]").check();
    vic.click("Preview");
    assertThat(vic.text()).contains("'vic-report' would be viewer");
    assertThat(records.number("select count(*) from api_key")).isZero();
    vic.click("Create the key");
    assertThat(vic.text()).contains("The password or secret of vic-report", "shown once");
    vic.searchedWhole().dark().light();
    vic.expecting(409).page().reload();
    assertThat(vic.checked().text()).contains("was answered with the secret");
    assertThat(records.words("select name || ' of ' || owner from api_key where own"))
        .containsExactly("vic-report of vic");
    assertThat(vic.goTo("/console/me").text()).contains("vic-report", "viewer");
  }

  @Test
  void pastedMembersAreExcludedAfterAPreviewThatNamesTheUnknownOnes(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file");
    ann.fill("Members", "ann\n\n nobody \nbob\n").fill("Reason", "a \"farm\", says bob");
    ann.click("Show what would happen");
    assertThat(ann.text()).contains("Choose the 'level' of these members");
    ann.field("Level").selectOption("no-prize");
    ann.click("Show what would happen");
    assertThat(ann.text()).contains("Line 3, column member: there is no member 'nobody'");
    assertThat(ann.page().locator("form.form button.main").all())
        .as("what would be refused is not offered")
        .noneMatch(button -> button.innerText().equals("Exclude them"));
    ann.fill("Members", "ann\nbob").click("Show what would happen");
    assertThat(ann.text()).contains("2 exclusions would be in force", "ann: no prize");
    assertThat(records.number("select count(*) from exclusion")).as("a preview").isZero();
    ann.fill("Members", "ann\nbob\ncid").click("Exclude them");
    assertThat(ann.text())
        .as("other members than were shown")
        .contains("3 exclusions would be in force");
    assertThat(records.number("select count(*) from exclusion")).isZero();
    ann.doubleClick("Exclude them");
    ann.waitFor("3 exclusions are in force");
    assertThat(
            records.words(
                "select member || ' ' || level || ' ' || reason from exclusion order by member"))
        .containsExactly(
            "ann no-prize a \"farm\", says bob",
            "bob no-prize a \"farm\", says bob",
            "cid no-prize a \"farm\", says bob");
    assertThat(tasks()).isOne();
  }

  @Test
  void aFileIsReadIntoItsFieldAndWrongLinesKeepIt(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file");
    String csv = "member,level,reason\nann,gone,a bot\nbob,hidden,a bot\n";
    ann.page()
        .locator("input[type=file]")
        .setInputFiles(new FilePayload("bots.csv", "text/csv", csv.getBytes(UTF_8)));
    ann.waitFor("bots.csv");
    assertThat(ann.field("Members").inputValue()).isEqualTo(csv);
    ann.fill("Reason", "bots").click("Show what would happen");
    assertThat(ann.text()).contains("Line 2, column level: there is no level 'gone'");
    assertThat(ann.field("Members").inputValue()).isEqualTo(csv);
  }

  @Test
  void aFileInAnotherEncodingIsNotRead(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file");
    ann.fill("Members", "typed before");
    ann.page()
        .locator("input[type=file]")
        .setInputFiles(
            new FilePayload("bots.csv", "text/csv", "会员".getBytes(Charset.forName("GBK"))));
    ann.waitFor("Not a text in UTF-8");
    assertThat(ann.field("Members").inputValue()).as("nothing of another file").isEmpty();
    assertThat(ann.page().locator("input[type=file]").inputValue()).isEmpty();
  }

  private static String chinese(int lines) {
    return "member,level,reason\n" + ("nobody,hidden," + "刷分".repeat(60) + "\n").repeat(lines);
  }

  /** Each of its bytes is sent as three characters. */
  @Test
  void whatAPageCannotSendIsSaidBeforeItIsSent(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file");
    Locator file = ann.page().locator("input[type=file]");
    file.setInputFiles(new FilePayload("most.csv", "text/csv", chinese(880).getBytes(UTF_8)));
    ann.waitFor("most.csv");
    ann.fill("Reason", "bots").click("Show what would happen");
    assertThat(ann.text()).contains("there is no member 'nobody'");
    assertThat(ann.field("Members").inputValue()).isEqualTo(chinese(880));

    file.setInputFiles(new FilePayload("more.csv", "text/csv", chinese(1_000).getBytes(UTF_8)));
    ann.waitFor("More than a page can send");
    assertThat(ann.field("Members").inputValue()).as("nothing of another file").isEmpty();

    // To type this takes Playwright long.
    ann.field("Members")
        .evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }",
            chinese(1_000));
    ann.named("Show what would happen").click();
    assertThat((String) ann.field("Members").evaluate("field => field.validationMessage"))
        .startsWith("More than a page can send");
    assertThat(ann.field("Members").inputValue()).as("not sent").isEqualTo(chinese(1_000));

    ann.fill("Members", "member,level,reason\nsomebody,hidden,a bot\n");
    ann.click("Show what would happen");
    assertThat(ann.text()).as("sent once it is short").contains("there is no member 'somebody'");
  }

  @ParameterizedTest
  @CsvSource({"hold,  reason, Shorten it", "amend, points, Amend on the command line"})
  void eachFormRefusesWhatItCannotSendAndSaysWhatFitsIt(
      String verb, String field, String advice, Windows windows) {
    if (verb.equals("amend")) {
      world.settle(day); // before she signs in, because sessions end by the same clock
    }
    Window ann = windows.of(Person.ANN).goTo(form(verb)).withoutValidation();
    Locator filled = ann.page().locator("main form [name=" + field + "]");
    filled.evaluate("field => { field.value = 'x'.repeat(1_000_001); }");
    ann.page().locator("main form button").first().click();
    assertThat((String) filled.evaluate("field => field.validationMessage")).contains(advice);
    assertThat((String) filled.evaluate("field => field.value")).as("kept").hasSize(1_000_001);

    ann.expecting(413).submit(field, "x", 1_100_000);
    assertThat(ann.status()).isEqualTo(413);
    assertThat(ann.text()).contains("A form takes at most 1 MB: shorten it, or send it in parts.");
    if (!advice.equals("Shorten it")) {
      assertThat(ann.text()).contains(advice);
    }
    assertThat(ann.text()).as("of another form").doesNotContain("Exclude them on the command line");
    assertThat(tasks()).isZero();
  }

  /** The script of the pages takes the advice from their forms. */
  @Test
  void aFormThatTakesTheMembersOfAListSaysWhatFitsItAndAShortOneDoesNot(Windows windows) {
    servers.sql("insert into exclusion_list values ('staff', 'test', 'ann', now())");
    Browser ann = signIn(windows);
    assertThat(html(ann, "add-to-list?list=staff"))
        .containsPattern("<form[^>]* data-large=\"[^\"]*Add them on the command line");
    assertThat(html(ann, "create-list"))
        .doesNotContainPattern("<form[^>]* data-large")
        .containsPattern("<body[^>]* data-large=\"[^\"]*Shorten it");
    assertThat(sendTooMuch(ann, "add-to-list", "csv"))
        .contains("A form takes at most 1 MB", "Add them on the command line")
        .doesNotContain("Exclude them on the command line");
    assertThat(sendTooMuch(ann, "create-list", "list"))
        .contains("A form takes at most 1 MB: shorten it, or send it in parts.")
        .doesNotContain("Exclude them on the command line");
    assertThat(tasks()).isZero();
  }

  private static String sendTooMuch(Browser person, String word, String field) {
    Page refused = person.form("/console/verbs/" + word, Map.of(field, "x".repeat(1_100_000)));
    assertThat(refused.status()).isEqualTo(413);
    return refused.response().body();
  }

  /** Without scripts, nothing of a page knows how much it sends: the browser sends all of it. */
  @Test
  void aFormThatIsTooLargeIsAnsweredWithAPageThatSaysWhatToDo(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file").expecting(413);
    ann.fill("Reason", "bots");
    ann.submit("csv", "bot-of-a-farm-", 11_000_000 / 14);
    assertThat(ann.status()).isEqualTo(413);
    assertThat(ann.text())
        .contains("A form takes at most 1 MB", "Exclude them on the command line")
        .contains("What you typed could not be kept");
    assertThat(tasks()).isZero();
  }

  @Test
  void moreExclusionsThanABatchTakesAreAmendedForByAButtonEach(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/verbs/exclude-file");
    String csv =
        IntStream.rangeClosed(1, 1_001)
            .mapToObj(n -> "bot%d;hidden;a bot".formatted(n))
            .collect(Collectors.joining("\n", "member;level;reason\n", "\n"));
    ann.fill("Members", csv).fill("Reason", "bots");
    ann.page().locator("[name=allowUnknown]").check();
    ann.click("Show what would happen");
    assertThat(ann.text())
        .contains("1,001 exclusions would be in force", "bot1: hidden", "And 981 more members");
    ann.click("Exclude them").waitFor("1,001 exclusions are in force");
    assertThat(ann.text()).contains("make 2 batches, one after the other");
    long first = records.number("select min(id) from exclusion");
    assertThat(ann.page().locator("a.button[href*='exclusions=']").all())
        .extracting(link -> link.getAttribute("href").replaceFirst(".*exclusions=", ""))
        .containsExactly(first + "-" + (first + 999), "" + (first + 1_000));
  }

  @Test
  void aNamedListIsKeptOnPages(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/members");
    ann.click("Create a list").fill("List", "staff").fill("Reason", "they work here");
    ann.click(ann.page().locator("form.form button").first());
    ann.waitFor("The list staff is created");
    ann.goTo("/console/members").click("staff");
    assertThat(ann.text()).contains("The list is empty.", "exclusions: [staff]");
    ann.click("Add members").fill("Members", "ann").fill("Reason", "since May");
    ann.field("Level").selectOption("no-prize");
    ann.click("Show what would happen");
    assertThat(ann.text()).contains("1 member would be added to staff");
    ann.doubleClick("Add them");
    ann.waitFor("1 member is added to staff");
    assertThat(ann.goTo("/console/lists/staff").text()).contains("ann", "since May", "no prize");
    ann.click("Remove from the list ann").fill("Reason", "she left");
    assertThat(ann.text()).contains("ann would be removed from staff");
    ann.click("Remove the member").waitFor("ann is removed from staff");
    assertThat(ann.goTo("/console/lists/staff").text()).contains("The list is empty.");
    assertThat(records.words("select verb from audit_entry where verb ~ 'list' order by id"))
        .as("each once")
        .containsExactly("create-list");
    assertThat(records.number("select count(*) from exclusion where lifted_at is not null"))
        .isOne();
    Window vic = windows.of(Person.VIC).goTo("/console/lists/staff");
    assertThat(vic.page().locator("main a[href*='/verbs/']").count()).isZero();
    vic.expecting(403).goTo("/console/verbs/add-to-list?list=staff");
    assertThat(vic.status()).isEqualTo(403);
  }

  @Test
  void aMemberIsForgottenByAnAdminWhoTypesTheIdTwice(Windows windows) {
    servers.register("ann");
    Window ann = windows.of(Person.ANN).expecting(403).goTo("/console/verbs/forget");
    assertThat(ann.status()).isEqualTo(403);
    Window ada = windows.of(Person.ADA).goTo("/console/members").click("Forget a member");
    ada.fill("Id of the member", "ann").fill("Reason", "a request of 20 November");
    assertThat(ada.page().locator("button.danger").count()).as("nothing is shown yet").isZero();
    ada.click("Show what would happen");
    assertThat(ada.page().locator("#look-title ~ *").first().innerText()).contains("profile");
    ada.expecting(400).fill("The same id again", "anna").click("Forget this member");
    assertThat(ada.text()).contains("The two ids differ");
    assertThat(ada.field("Id of the member").inputValue()).isEqualTo("ann");
    assertThat(ada.field("Reason").inputValue()).isEqualTo("a request of 20 November");
    assertThat(tasks()).isZero();
    servers.register("bob");
    ada.fill("Id of the member", "bob")
        .fill("The same id again", "bob")
        .click("Forget this member");
    assertThat(tasks()).as("the preview was of another member").isZero();
    ada.fill("Id of the member", "ann").click("Preview");
    ada.fill("The same id again", "ann").doubleClick("Forget this member");
    ada.waitFor("is deleted");
    assertThat(tasks()).isOne();
    assertThat(records.words("select nickname from member where nickname is not null"))
        .containsExactly("bob");
    assertThat(ada.requested()).as("addresses are logged").noneMatch(at -> at.contains("person="));
  }

  private static void setRole(Window window, String role, String reason) {
    Locator form = window.page().locator("form[action$='/vic/roles']");
    if (!form.isVisible()) {
      form.locator("xpath=../summary").click();
    }
    form.locator("[value=" + role + "]").check();
    form.locator("[name=reason]").fill(reason);
    window.click(form.locator("button").first());
  }

  private long valid(String key) {
    return records.number(
        "select count(*) from api_secret where key = '%s' and revoked_at is null".formatted(key));
  }

  @Test
  void anotherSiteCannotSendAForm(Windows windows) {
    Window window = windows.of(Person.ANN);
    window.goTo(form("hold")).fill("Reason", "forged");
    window
        .page()
        .evaluate("document.querySelectorAll('[name=_csrf]').forEach(field => field.remove())");
    window.click("Hold it");
    assertThat(window.path()).isEqualTo("/console/sign-in?expired");
    assertThat(tasks()).isZero();
    assertThat(records.number("select count(*) from person_hold")).isZero();
  }
}
