package palmares.console;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.batches.PeriodRange;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.rules.board.MemberId;
import palmares.testing.Acts;
import palmares.testing.Api;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Every form that the templates have: wrong, without the right, of another site, after the session,
 * twice, and after the state has moved on. It says what happened, keeps what was typed, and does
 * nothing twice. A form without an example here fails.
 */
@WorldTest
class EveryFormTest {
  private static final Path TEMPLATES = Path.of("src", "main", "resources", "palmares", "console");
  private static final String REASON = "as said & \"written\"";

  /**
   * Forms whose second call by another person has its own effect, or none, so that it is not
   * refused.
   */
  private static final Set<String> REPEATABLE =
      Set.of(
          "verify",
          "retry",
          "redeliver",
          "drop-orphans",
          "archive",
          "batch",
          "forget",
          "reconcile",
          "resend",
          "return-refused",
          "accept-findings");

  /** Refused ones are kept for their callers alone. */
  private static final String DID_SOMETHING = "where not is_refused";

  /** PostgreSQL cannot store the quarantined entry of this test. */
  private static final Set<String> ALWAYS_REFUSED = Set.of("release");

  private static final Map<String, Example> VERBS = new HashMap<>();
  private static final Map<String, Example> ACCOUNTS = new HashMap<>();

  /**
   * A form that does something.
   *
   * @param state in which it does
   * @param query of the address at which it is shown
   * @param fields what a person fills in, as pairs; without the reason
   */
  private record Example(String state, String query, Map<String, String> fields) {
    static Example of(String state, String query, String... pairs) {
      var fields = new LinkedHashMap<String, String>();
      for (int i = 0; i < pairs.length; i += 2) {
        fields.put(pairs[i], pairs[i + 1]);
      }
      return new Example(state, query, fields);
    }
  }

  private static void verb(String word, String state, String query, String... pairs) {
    VERBS.put(word, Example.of(state, query, pairs));
  }

  static {
    String period = "?board=BOARD&period=PERIOD";
    verb("close", "due", period);
    verb("restart", "rejected", period);
    verb("hold", "due", period);
    verb("lift-hold", "on hold", period);
    verb("extend", "running", period, "until", "2026-11-21T01:00:00Z");
    verb("approve", "held", period);
    verb("reject", "held", period);
    verb("amend", "settled", period, "points", "ann = 7");
    verb("accept-late", "settled", period, "all", "true");
    verb("dismiss-late", "settled", period, "all", "true");
    verb("release-withheld", "flagged", period, "all", "true");
    verb("refuse-withheld", "flagged", period, "members", "ann");
    verb("exclude", "settled", "?member=ann", "level", "hidden");
    verb("lift", "due", "?member=bob", "all", "true");
    verb("exclude-file", "settled", "", "csv", "ann\r\ndan", "level", "hidden");
    verb("create-list", "due", "", "list", "staff");
    verb("add-to-list", "due", "?list=bots", "csv", "ann", "level", "no-prize");
    verb("remove-from-list", "due", "?list=bots&member=cid");
    verb("forget", "settled", "", "person", "ann", "again", "ann");
    verb("batch", "due", "", "verb", "close", "all", "true");
    verb("resume-batch", "stopped", "?id=BATCH");
    verb("cancel-batch", "begun", "?id=BATCH");
    verb("approve-batch", "held", "?id=BATCH");
    verb("reject-batch", "held", "?id=BATCH");
    verb("pause", "due", "?board=BOARD");
    verb("resume", "paused", "?board=BOARD");
    verb("verify", "settled", "");
    verb("rebuild", "due", period, "replace", "true");
    verb("drop-orphans", "due", "", "all", "true");
    verb("archive", "settled", "", "before", "2027-01-01", "all", "true");
    verb("release", "quarantined", period, "numbers", "99");
    verb("discard", "quarantined", period, "numbers", "99");
    verb("retry", "due", "", "all", "true");
    verb("redeliver", "settled", "", "from", "2026-01-01", "all", "true");
    verb("reconcile", "settled", "", "credits", "id,amount\r\nshop/1,7\r\n");
    verb("resend", "settled", "", "kind", "missing");
    verb("return-refused", "settled", "", "all", "true");
    verb("accept-findings", "settled", "", "kind", "unawarded");
    verb("forget-target", "due", "", "target", "old");
    verb("create-own-key", "due", "", "name", "own", "roles", "viewer", "validForDays", "9");
    ACCOUNTS.put("", Example.of("due", "", "name", "eva", "roles", "viewer"));
    ACCOUNTS.put("/keys", Example.of("due", "", "keyName", "till", "keyRoles", "writer"));
    ACCOUNTS.put("/cara/roles", Example.of("due", "", "role", "operator"));
    ACCOUNTS.put("/cara/reset-password", Example.of("due", ""));
    ACCOUNTS.put("/cara/end-sessions", Example.of("due", ""));
    ACCOUNTS.put("/cara/disable", Example.of("due", ""));
    ACCOUNTS.put("/cara/enable", Example.of("disabled", ""));
    ACCOUNTS.put("/keys/adas/rotate", Example.of("due", "", "validForDays", "30"));
    ACCOUNTS.put("/keys/adas/revoke", Example.of("due", ""));
  }

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private VerbForms verbs;
  @Autowired private ApiKeys keys;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private BatchRunner runner;
  @Autowired private NamedLists lists;
  @Autowired private ExclusionImport imports;
  @Autowired private Exclusions exclusions;
  @LocalServerPort private int port;

  private Period day;
  private long batch;

  /** A batch that nobody works on. */
  private long waiting;

  @BeforeEach
  void prepareWhatFormsAreAbout() {
    Rules rules = Contest.rules().with("clock: event").with("payout: { approval: required }");
    day = world.open(world.board(rules));
    Contest.facts().forEach(fact -> world.take(fact.at(world.now())));
    lists.create("bots", "ann", "programs");
    imports.exclude(
        new StringReader("member,level,reason\ncid,hidden,a bot\n"),
        "bots",
        Unknown.ALLOWED,
        "ann");
    exclusions.exclude(Terms.always(new MemberId("bob"), ExclusionLevel.NO_PRIZE), "staff", "ann");
    Api.ownKey(keys, new NewKey("adas", Set.of(Role.VIEWER), Set.of(), Api.TEN_YEARS), "ada");
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, failures, failing_since, failure)
        values ('old', 'http://localhost', '{*}', now(), 0, 3, now(),
          '{"code": "delivery.closed", "values": {}, "text": ""}')
        """);
    servers.sql(
        """
        insert into wallet_finding (kind, award_id, received, message, found_at)
        values ('unawarded', 'shop/2', 7, '{"code": "wallet.unawarded", "values": {},
          "text": ""}', now())
        """);
    servers.register("ann");
    world.due(day);
    for (String name : List.of("ann", "bob", "ada", "vic", "cara")) {
      String roles =
          Map.of("ada", "admin,operator", "vic", "viewer", "cara", "viewer")
              .getOrDefault(name, "operator,approver");
      servers.sql(
          """
          insert into person (name, password, roles, must_change, created_by, created_at)
          values (?, ?, string_to_array(?, ','), false, 'tester', now())
          """,
          name,
          "{noop}" + Windows.PASSWORD,
          roles);
    }
  }

  private Browser signIn(String name) {
    var browser = new Browser(port);
    assertThat(browser.signIn(name, Windows.PASSWORD).status()).as(name).isEqualTo(200);
    return browser;
  }

  private void reach(String state) {
    switch (state) {
      case "held" -> {
        batch = acts.close(new PeriodRange(null, null, null, null), "ann", "r").id();
        runner.run(batch, item -> true);
      }
      case "settled" -> {
        world.close(day);
        doBefore("approve");
        world.take(Fact.by("ann").named("late").at(day.slot().startsAt()));
      }
      case "rejected" -> {
        world.close(day);
        doBefore("reject");
      }
      case "on hold" -> doBefore("hold");
      case "paused" -> doBefore("pause");
      case "running" -> world.now(World.START);
      case "begun", "stopped" -> {
        batch = acts.close(new PeriodRange(null, null, null, null), "ann", "r").id();
        waiting = state.equals("begun") ? batch : 0;
        if (state.equals("stopped")) {
          batches.cancel(batch, "ann", "r");
        }
      }
      case "flagged" -> {
        reach("settled");
        servers.unguarded(
            () ->
                servers.sql(
                    "insert into flagged_line (period_id, member, chain) values (?, 'ann', 9)",
                    day.id().value()));
      }
      case "quarantined" ->
          servers.sql(
              """
              insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
              values (
                ?, 99, convert_to('gibberish', 'UTF8'),
                said('verbatim', '{"text": "refused"}'), now())
              """,
              day.id().value());
      case "disabled" -> servers.sql("update person set disabled_at = now() where name = 'cara'");
      default -> assertThat(state).isEqualTo("due");
    }
    awaitTasks();
  }

  /** Calls a verb by its form. */
  private void doBefore(String word) {
    Browser bob = signIn("bob");
    Page done = send(bob, fill(word, bob));
    assertThat(done.status()).as(alert(done)).isEqualTo(302);
    awaitTasks();
  }

  /** What a page says, for the message of a failed assertion. */
  private static String alert(Page page) {
    String html = page.response().body();
    int at = Math.max(0, html.indexOf("<main"));
    return HtmlUtils.htmlUnescape(html.substring(at).replaceAll("<[^>]*>|\\s+", " "));
  }

  private void awaitTasks() {
    String running = "select count(*) from task where ended_at is null and id <> " + waiting;
    await().until(() -> records.number(running) == 0);
  }

  /** A form that is filled in, and where it is sent. */
  private record Filled(String path, Map<String, String> fields) {
    Filled with(String name, String value) {
      var changed = new LinkedHashMap<>(fields);
      changed.put(name, value);
      return new Filled(path, changed);
    }

    String reasonField() {
      return path.equals("/console/people")
          ? "personReason"
          : path.equals("/console/people/keys") ? "keyReason" : "reason";
    }
  }

  private static Page send(Browser person, Filled form) {
    return person.form(
        form.path(), form.with("_csrf", String.valueOf(person.cookie("XSRF-TOKEN"))).fields());
  }

  private String address(String word, Example example) {
    return "/console/verbs/"
        + word
        + example
            .query()
            .replace("BOARD", day.board().value())
            .replace("PERIOD", day.name().value())
            .replace("BATCH", "" + batch);
  }

  private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\"([^>]*)>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  /** The hidden fields of the form that is sent to a path, which is alone on its page or is not. */
  static Map<String, String> hidden(String html, String path) {
    int at = html.indexOf("action=\"" + path + "\"");
    assertThat(at).as("a form for %s in %s", path, html).isPositive();
    var fields = new LinkedHashMap<String, String>();
    String form = html.substring(at, html.indexOf("</form>", at));
    HIDDEN
        .matcher(form)
        .results()
        .forEach(
            input -> {
              var name = NAME.matcher(input.group(1));
              var value = VALUE.matcher(input.group(1));
              if (name.find() && value.find()) {
                fields.put(name.group(1), HtmlUtils.htmlUnescape(value.group(1)));
              }
            });
    return fields;
  }

  /** Opens the form of a verb, fills it in, and looks at the preview if it needs one. */
  private Filled fill(String word, Browser person) {
    Example example = Objects.requireNonNull(VERBS.get(word));
    String path = "/console/verbs/" + word;
    Page shown = person.get(address(word, example));
    assertThat(shown.status()).as(alert(shown)).isEqualTo(200);
    Filled form = filled(path, hidden(shown.response().body(), path), example);
    if (verbs.find(word).orElseThrow().isPreviewed()) {
      Page preview = send(person, form.with("look", "1"));
      assertThat(preview.status()).as(alert(preview)).isEqualTo(200);
      form = filled(path, hidden(preview.response().body(), path), example);
    }
    return form;
  }

  private Filled filled(String path, Map<String, String> hidden, Example example) {
    var fields = new LinkedHashMap<>(hidden);
    fields.putAll(example.fields());
    var form = new Filled(path, fields);
    return form.with(form.reasonField(), REASON);
  }

  private Filled fillAccount(String path, Browser person) {
    String action = "/console/people" + path.replace("/keys/adas/revoke", "/keys/" + secret());
    String whole = path.endsWith("/revoke") ? action + "/revoke" : action;
    Page page = person.get("/console/people");
    assertThat(page.status()).isEqualTo(200);
    Example example = Objects.requireNonNull(ACCOUNTS.get(path));
    return filled(whole, hidden(page.response().body(), whole), example);
  }

  private String secret() {
    return records.words("select id from api_secret where key = 'adas'").get(0);
  }

  /** A form, verb or account, as a test shows it. */
  static Stream<String> forms() {
    return Stream.concat(
            VERBS.keySet().stream().map(word -> "verb " + word),
            ACCOUNTS.keySet().stream().map(path -> "account " + path))
        .sorted();
  }

  private static boolean isVerb(String form) {
    return form.startsWith("verb ");
  }

  private static String key(String form) {
    return form.substring(form.indexOf(' ') + 1);
  }

  private static Example example(String form) {
    return Objects.requireNonNull((isVerb(form) ? VERBS : ACCOUNTS).get(key(form)));
  }

  private Filled open(String form, Browser person) {
    return isVerb(form) ? fill(key(form), person) : fillAccount(key(form), person);
  }

  /** Who may send a form: the first of two. */
  private String who(String form) {
    return !isVerb(form) || key(form).equals("forget") ? "ada" : "ann";
  }

  /** Everything that forms may change, without what a lease and a look leave behind. */
  private List<String> state() {
    var rows = new ArrayList<String>();
    for (String table :
        List.of(
            "person",
            "api_key",
            "api_secret",
            "task",
            "audit_entry",
            "revision",
            "task_item",
            "exclusion",
            "exclusion_list",
            "board_pause",
            "person_hold",
            "outbox_target",
            "journal_quarantine",
            "late_event",
            "line_decision",
            "transfer")) {
      String kept = table.equals("task") ? DID_SOMETHING : "";
      rows.addAll(records.words("select t::text from %s t %s order by 1".formatted(table, kept)));
    }
    rows.addAll(records.words("select state || revision from period order by id"));
    return rows;
  }

  private static void assertRefused(Page page, int status) {
    assertThat(page.status()).as(alert(page)).isEqualTo(status);
    assertThat(page.response().body()).contains("role=\"alert\"");
  }

  /** What was typed, as the page has it. */
  private static void assertKept(Page page, String typed) {
    assertThat(page.response().body()).contains("value=\"" + HtmlUtils.htmlEscape(typed) + "\"");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aFormSaysWhatIsWrongKeepsWhatWasTypedAndActsOnce(String form) {
    reach(example(form).state());
    Browser person = signIn(who(form));
    Filled filled = open(form, person);
    List<String> before = state();
    sendWrong(form, person, filled);
    if (filled.fields().containsKey("all")) {
      sendWithoutAll(form, filled);
    }
    sendWithoutTheRight(form, person, filled);
    assertThat(state()).isEqualTo(before);
    sendTwiceAndStale(form, person);
  }

  private void sendWrong(String form, Browser person, Filled filled) {
    Map<String, String> typed = example(form).fields();
    for (String reason : List.of("", " ", "x".repeat(10_000))) {
      Page refused = send(person, filled.with(filled.reasonField(), reason));
      assertRefused(refused, 400);
      String html = HtmlUtils.htmlUnescape(refused.response().body());
      assertThat(html)
          .containsAnyOf(
              "'reason' has 1 to 500 ",
              "The field 'reason' is missing.",
              "Fill in the field 'reason'.");
      typed.forEach(
          (name, value) -> {
            if (!name.equals("again")) { // It is asked for again, so that it is typed twice.
              assertThat(html).as(name).contains(value);
            }
          });
    }
  }

  /** An empty field means all only if somebody says so, in every language. */
  private void sendWithoutAll(String form, Filled filled) {
    var fields = new LinkedHashMap<>(filled.fields());
    fields.remove("all");
    var sent = new Filled(filled.path(), fields);
    Filled look = sent.with("look", "1");
    Map.of("en", "or set 'all' for all", "zh", "或设置“all”表示全部")
        .forEach(
            (language, said) -> {
              Browser person = signIn(who(form)).in(language);
              boolean isPreviewed = verbs.find(key(form)).orElseThrow().isPreviewed();
              for (Filled each : isPreviewed ? List.of(look) : List.of(look, sent)) {
                Page refused = send(person, each);
                assertThat(refused.status()).isEqualTo(each == look ? 200 : 400);
                String html = HtmlUtils.htmlUnescape(refused.response().body());
                assertThat(html).contains(said);
                assertThat(html).containsPattern("type=\"checkbox\" name=\"all\"[^>]*aria-invalid");
              }
            });
  }

  private void sendWithoutTheRight(String form, Browser person, Filled filled) {
    Browser vic = signIn("vic");
    Page shown = vic.get(isVerb(form) ? address(key(form), example(form)) : "/console/people");
    boolean isForEverybody = key(form).equals("create-own-key");
    assertThat(shown.status()).isEqualTo(isForEverybody ? 200 : 403);
    if (!isForEverybody) {
      assertThat(send(vic, filled).status()).isEqualTo(403);
    }

    Page forged = person.form(filled.path(), filled.with("_csrf", "forged").fields());
    assertThat(forged.status()).isEqualTo(302);
    assertThat(forged.response().headers().firstValue("Location").orElse(""))
        .endsWith("/console/sign-in?expired");
    Page unsigned = send(new Browser(port), filled);
    assertThat(unsigned.status()).as(alert(unsigned)).isEqualTo(401);
    assertKept(unsigned, REASON);
  }

  private void sendTwiceAndStale(String form, Browser first) {
    Browser other = signIn(who(form).equals("ada") ? "ada" : "bob");
    Filled filled = open(form, first);
    Filled stale = open(form, other);
    List<String> before = state();
    long tasks = records.number("select count(*) from task " + DID_SOMETHING);

    Page done = send(first, filled);
    awaitTasks();
    if (ALWAYS_REFUSED.contains(key(form))) {
      assertThat(done.status()).isBetween(400, 499);
      assertKept(done, REASON);
      assertThat(state()).isEqualTo(before);
      return;
    }
    assertThat(done.status()).as(alert(done)).isIn(200, 302);
    List<String> after = state();
    assertThat(after).isNotEqualTo(before);
    Page repeat = send(first, filled);
    awaitTasks();
    assertThat(state()).as("twice").isEqualTo(after);
    assertThat(records.number("select count(*) from task " + DID_SOMETHING)).isEqualTo(tasks + 1);
    if (done.status() == 302) {
      assertThat(repeat.response().headers().firstValue("Location"))
          .isEqualTo(done.response().headers().firstValue("Location"));
    } else {
      assertThat(done.response().body()).as("a secret").contains("<code>");
      assertRefused(repeat, 409);
    }

    Page moved = send(other, stale);
    awaitTasks();
    if (REPEATABLE.contains(key(form)) && moved.status() < 400) {
      return;
    }
    assertThat(moved.status()).as(alert(moved)).isBetween(400, 499);
    assertThat(moved.response().body()).containsAnyOf("role=\"alert\"", "class=\"banner warn\"");
    if (moved.response().body().contains("action=\"" + stale.path() + "\"")) {
      assertKept(moved, REASON); // Otherwise there is nothing left to do by this form.
    }
    assertThat(state()).as("stale").isEqualTo(after);
  }

  @Test
  void everyFormHasAnExample() throws IOException {
    assertThat(VERBS.keySet()).isEqualTo(verbs.words());
    String people = Files.readString(TEMPLATES.resolve("people.html"));
    assertThat(actions(people))
        .isEqualTo(
            ACCOUNTS.keySet().stream()
                .filter(path -> path.matches("/.*/.*"))
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .collect(toSet()));
    assertThat(postedForms())
        .as("each has its test: here, or that of the class that is named")
        .containsExactlyInAnyOrder(
            "layout.html @{/console/sign-out}", // SignInTest
            "password.html @{/console/password}", // SignInTest
            "sign-in.html @{/console/sign-in}", // SignInTest, FormsTest
            "problem.html @{${path}}", // OutagePagesTest
            "verb.html ${path}",
            "replay.html @{/console/boards/{b}/replay(b=${board})}", // ReportPagesTest
            "people.html ${here}",
            "people.html ${here}",
            "people.html ${here}",
            "people.html @{/console/people}",
            "people.html @{/console/people/keys}");
  }

  /** The last parts of the paths to which the small forms of people and keys are sent. */
  private static Set<String> actions(String people) {
    return Pattern.compile("(?:base \\+ '/|/keys/\\{k\\}/)([a-z-]+)")
        .matcher(people)
        .results()
        .map(found -> found.group(1))
        .collect(toCollection(TreeSet::new));
  }

  private static List<String> postedForms() throws IOException {
    var found = new ArrayList<String>();
    var form = Pattern.compile("<form\\b([^>]*\\bmethod=\"post\"[^>]*)>");
    var action = Pattern.compile("action=\"([^\"]*)\"");
    try (Stream<Path> templates = Files.list(TEMPLATES)) {
      for (Path template : templates.filter(f -> f.toString().endsWith(".html")).toList()) {
        form.matcher(Files.readString(template))
            .results()
            .forEach(
                match -> {
                  var target = action.matcher(match.group(1));
                  assertThat(target.find()).as(match.group()).isTrue();
                  found.add(template.getFileName() + " " + target.group(1));
                });
      }
    }
    return found;
  }
}
