package palmares.api.ops;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.cli.Called;
import palmares.cli.terminal.UserError;
import palmares.live.journal.Journal;
import palmares.operations.batches.Batches;
import palmares.operations.batches.PeriodRange;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.Expiry;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Acts;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Contract;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/**
 * Every operation of the OpenAPI document that changes something compares an {@code If-Match} with
 * what it would change, or refuses it; none ignores it. Every verb is done once for a key.
 */
@WorldTest
class EveryVerbTest {
  private static final String STALE = "\"stale\"";
  private static final String REASON = "{'reason':'yes'}";
  private static final List<String> WRONG_REASONS =
      List.of("", " ", "x".repeat(10_240), "nul\\u0000");
  private static final String PERIOD = "/api/v1/ops/boards/{board}/periods/{period}";

  /** What the sequence of deaths counts up from while tasks may end: far from 1. */
  private static final int NO_DEATH = -1_000_000_000;

  /** Of an open period that has begun and is not due. */
  private static final String RUNNING = "running";

  /** Verbs whose object is not there before, or that change nothing. */
  private static final List<String> WITHOUT_TAG =
      List.of(
          "/api/v1/ops/people",
          "/api/v1/ops/keys",
          "/api/v1/ops/me/keys",
          "/api/v1/ops/members/forget",
          "/api/v1/ops/exclusions/lists/{list}",
          "/api/v1/ops/archive/check",
          "/api/v1/ops/verify");

  /** What each verb is called with, and in which state of a period. */
  static final Map<String, Example> EXAMPLES = new HashMap<>();

  /**
   * A call that a verb accepts.
   *
   * @param state of the period, which is due, unless it is {@link #RUNNING}
   */
  record Example(String state, String body) {}

  private static void example(String path, String state, String body) {
    EXAMPLES.put(path, new Example(state, body));
  }

  static {
    example("/api/v1/events", "open", "{'id':'1','member':'ann','action':'like'}");
    example("/api/v1/boards/{board}/periods/{period}/friends", "open", "{'members':['ann']}");
    example("/api/v1/members", "open", "{'externalId':'1','nickname':'ann'}");
    example("/login", "open", "{'name':'bob','password':'x'}");
    example("/api/v1/ops/me/password", "open", "{'password':'x','newPassword':'y'}");
    example("/api/v1/ops/people", "open", "{'reason':'yes','name':'cid','roles':['viewer']}");
    example("/api/v1/ops/people/{name}/roles", "open", "{'reason':'yes','roles':['reader']}");
    example("/api/v1/ops/people/{name}/disable", "open", REASON);
    example("/api/v1/ops/people/{name}/end-sessions", "open", REASON);
    example("/api/v1/ops/people/{name}/enable", "open", REASON);
    example("/api/v1/ops/people/{name}/reset-password", "open", REASON);
    example("/api/v1/ops/keys", "open", "{'reason':'yes','name':'new','roles':['writer']}");
    example(
        "/api/v1/ops/me/keys",
        "open",
        "{'reason':'yes','name':'own','roles':['writer'],'validForDays':9}");
    example("/api/v1/ops/keys/{name}/rotate", "open", REASON);
    example("/api/v1/ops/keys/{what}/revoke", "open", REASON);
    example("/api/v1/ops/me/keys/{what}/revoke", "open", REASON);
    example("/api/v1/ops/archive", "settled", "{'reason':'yes','all':true,'before':'2027-01-01'}");
    example("/api/v1/ops/archive/check", "settled", REASON);
    example("/api/v1/ops/members/forget", "settled", "{'reason':'yes','member':'ann'}");
    example("/api/v1/ops/boards/check", "open", "{'files':{'race.yml':'title: Race'}}");
    example(PERIOD + "/amend", "settled", "{'reason':'yes','points':{'ann':7}}");
    example(PERIOD + "/approve", "held", "{'reason':'yes','expect':'OUTCOME'}");
    example(PERIOD + "/close", "open", REASON);
    example(PERIOD + "/hold", "open", REASON);
    example(PERIOD + "/extend", RUNNING, "{'reason':'yes','until':'UNTIL'}");
    example(PERIOD + "/late-events/accept", "settled", "{'reason':'yes','all':true}");
    example(PERIOD + "/late-events/dismiss", "settled", "{'reason':'yes','all':true}");
    example(PERIOD + "/lift-hold", "on hold", REASON);
    example(PERIOD + "/quarantine/discard", "quarantined", "{'reason':'yes','numbers':[99]}");
    example(PERIOD + "/quarantine/release", "quarantined", "{'reason':'yes','numbers':[99]}");
    example(PERIOD + "/rebuild", "open", "{'reason':'yes','replace':true}");
    example(PERIOD + "/reject", "held", "{'reason':'yes','expect':'OUTCOME'}");
    example(PERIOD + "/restart", "rejected", REASON);
    example(PERIOD + "/withheld/refuse", "flagged", "{'reason':'yes','members':['ann']}");
    example(PERIOD + "/withheld/release", "flagged", "{'reason':'yes','all':true}");
    example(PERIOD + "/what-if", "settled", "{'points':{'ann':7}}");
    example("/api/v1/ops/close", "open", REASON);
    example("/api/v1/ops/exclusions", "settled", exclude("ann"));
    example("/api/v1/ops/exclusions/lift", "open", "{'reason':'yes','member':'bob','all':true}");
    example("/api/v1/ops/exclusions/file", "settled", "{'reason':'yes','csv':CSV}");
    example("/api/v1/ops/exclusions/lists/{list}", "open", REASON);
    example(
        "/api/v1/ops/exclusions/lists/{list}/add",
        "open",
        "{'reason':'yes','member':'ann','level':'hidden'}");
    example(
        "/api/v1/ops/exclusions/lists/{list}/remove", "open", "{'reason':'yes','member':'cid'}");
    example("/api/v1/ops/memory/drop-orphans", "open", "{'reason':'yes','all':true}");
    example("/api/v1/ops/outbox/forget", "open", "{'reason':'yes','target':'old'}");
    example(
        "/api/v1/ops/outbox/redeliver",
        "settled",
        "{'reason':'yes','all':true,'from':'2026-01-01'}");
    example("/api/v1/ops/outbox/retry", "open", "{'reason':'yes','all':true}");
    example(
        "/api/v1/deliveries/{award}/outcome", "settled", "{'outcome':'credited','amount':1000}");
    example("/api/v1/ops/wallet/reconcile", "settled", "{'reason':'yes','credits':'id,amount\\n'}");
    example("/api/v1/ops/wallet/resend", "settled", "{'reason':'yes','all':true}");
    example("/api/v1/ops/wallet/return", "settled", "{'reason':'yes','all':true}");
    example("/api/v1/ops/wallet/accept", "settled", "{'reason':'yes','all':true}");
    example("/api/v1/ops/boards/{board}/replay", "settled", "{'rules':'RULES'}");
    example("/api/v1/ops/verify", "settled", REASON);
    example("/api/v1/ops/tasks", "open", "{'reason':'yes','verb':'close','all':true}");
    example("/api/v1/ops/tasks/{id}/cancel", "open", REASON);
    example("/api/v1/ops/tasks/{id}/resume", "open", REASON);
    example("/api/v1/ops/tasks/{id}/approve", "held", "{'reason':'yes','expect':'DIGEST'}");
    example("/api/v1/ops/tasks/{id}/reject", "held", "{'reason':'yes','expect':'DIGEST'}");
    example("/api/v1/ops/boards/{board}/pause", "open", REASON);
    example("/api/v1/ops/boards/{board}/resume", "paused", REASON);
  }

  /** The commands that do the same as the examples. */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          entry("/api/v1/ops/people", "people add cid --role viewer --reason yes"),
          entry("/api/v1/ops/people/{name}/roles", "people roles bob reader --reason yes"),
          entry("/api/v1/ops/people/{name}/disable", "people disable bob --reason yes"),
          entry("/api/v1/ops/people/{name}/end-sessions", "people end-sessions bob --reason yes"),
          entry("/api/v1/ops/people/{name}/enable", "people enable bob --reason yes"),
          entry(
              "/api/v1/ops/people/{name}/reset-password", "people reset-password bob --reason yes"),
          entry("/api/v1/ops/keys", "api-keys create --name new --role writer --reason yes"),
          entry(
              "/api/v1/ops/me/keys",
              "api-keys create --mine --name own --role writer --valid-for-days 9 --reason yes"),
          entry("/api/v1/ops/keys/{name}/rotate", "api-keys rotate shop --reason yes"),
          entry("/api/v1/ops/keys/{what}/revoke", "api-keys revoke shop --reason yes"),
          entry("/api/v1/ops/me/keys/{what}/revoke", "api-keys revoke mine --mine --reason yes"),
          entry("/api/v1/ops/archive", "archive --all --before 2027-01-01 --reason yes"),
          entry("/api/v1/ops/archive/check", "archive --check"),
          entry("/api/v1/ops/members/forget", "forget ann --reason yes"),
          entry(PERIOD + "/amend", "amend PERIOD --points ann=7 --reason yes"),
          entry(PERIOD + "/approve", "approve PERIOD --expect OUTCOME --reason yes"),
          entry(PERIOD + "/close", "close PERIOD"),
          entry(PERIOD + "/hold", "hold PERIOD --reason yes"),
          entry(PERIOD + "/extend", "extend PERIOD --until UNTIL --reason yes"),
          entry(PERIOD + "/late-events/accept", "late accept PERIOD --all --reason yes"),
          entry(PERIOD + "/late-events/dismiss", "late dismiss PERIOD --all --reason yes"),
          entry(PERIOD + "/lift-hold", "hold PERIOD --lift --reason yes"),
          entry(
              PERIOD + "/quarantine/discard", "journal quarantine discard PERIOD 99 --reason yes"),
          entry(
              PERIOD + "/quarantine/release", "journal quarantine release PERIOD 99 --reason yes"),
          entry(PERIOD + "/rebuild", "rebuild PERIOD --replace --reason yes"),
          entry(PERIOD + "/reject", "reject PERIOD --expect OUTCOME --reason yes"),
          entry(PERIOD + "/restart", "restart PERIOD --reason yes"),
          entry(PERIOD + "/withheld/refuse", "withheld refuse PERIOD ann --reason yes"),
          entry(PERIOD + "/withheld/release", "withheld release PERIOD --all --reason yes"),
          entry("/api/v1/ops/close", "close --due"),
          entry("/api/v1/ops/exclusions", "exclude ann --level hidden --reason yes"),
          entry("/api/v1/ops/exclusions/lift", "exclude bob --lift --all --reason yes"),
          entry("/api/v1/ops/exclusions/file", "exclude --file EXCLUSIONS --reason yes"),
          entry("/api/v1/ops/exclusions/lists/{list}", "lists create fresh --reason yes"),
          entry(
              "/api/v1/ops/exclusions/lists/{list}/add",
              "lists add bots ann --level hidden --reason yes"),
          entry("/api/v1/ops/exclusions/lists/{list}/remove", "lists remove bots cid --reason yes"),
          entry("/api/v1/ops/memory/drop-orphans", "memory --drop-orphans --all --reason yes"),
          entry("/api/v1/ops/outbox/forget", "outbox --forget --target old --reason yes"),
          entry("/api/v1/ops/outbox/redeliver", "outbox --from 2026-01-01 --all --reason yes"),
          entry("/api/v1/ops/outbox/retry", "outbox --retry --all --reason yes"),
          entry("/api/v1/ops/wallet/reconcile", "reconcile --file CREDITS --reason yes"),
          entry("/api/v1/ops/wallet/resend", "reconcile --resend --all --reason yes"),
          entry("/api/v1/ops/wallet/return", "reconcile --return --all --reason yes"),
          entry("/api/v1/ops/wallet/accept", "reconcile --accept --all --reason yes"),
          entry("/api/v1/ops/verify", "verify"),
          entry("/api/v1/ops/tasks", "close --all --reason yes"),
          entry("/api/v1/ops/tasks/{id}/cancel", "tasks cancel BATCH --reason yes"),
          entry("/api/v1/ops/tasks/{id}/resume", "tasks resume BATCH --reason yes"),
          entry(
              "/api/v1/ops/tasks/{id}/approve",
              "approve --batch BATCH --expect DIGEST --reason yes"),
          entry(
              "/api/v1/ops/tasks/{id}/reject", "reject --batch BATCH --expect DIGEST --reason yes"),
          entry("/api/v1/ops/boards/{board}/pause", "pause BOARD --reason yes"),
          entry("/api/v1/ops/boards/{board}/resume", "resume BOARD --reason yes"));

  /**
   * The states in which a verb on a period is carried out; in all others it is refused. Nobody
   * holds the period, and no journal entry of it is in quarantine.
   */
  private static final Map<String, Set<String>> CARRIED_OUT =
      Map.ofEntries(
          entry("amend", Set.of("settled", "expired")),
          entry("approve", Set.of("held", "approved")),
          entry(
              "close",
              Set.of(
                  "open",
                  "sealed",
                  "filled",
                  "held",
                  "rejected",
                  "approved",
                  "settled",
                  "expired")),
          entry("extend", Set.of(RUNNING)),
          entry("hold", Set.of(PeriodState.UPCOMING, RUNNING, "open", "sealed", "filled", "held")),
          entry("late-events/accept", Set.of("settled", "expired")),
          entry(
              "late-events/dismiss",
              Set.of(
                  "open",
                  "sealed",
                  "filled",
                  "held",
                  "rejected",
                  "approved",
                  "settled",
                  "expired")),
          entry("lift-hold", Set.of()),
          entry("quarantine/discard", Set.of()),
          entry("quarantine/release", Set.of()),
          entry("rebuild", Set.of(RUNNING, "open", "sealed")),
          entry("reject", Set.of("held")),
          entry("restart", Set.of("open", "sealed", "filled", "rejected", "approved")),
          entry("what-if", Set.of("settled", "expired")),
          entry("withheld/refuse", Set.of()),
          entry("withheld/release", Set.of()));

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private Revisions revisions;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Journal journal;
  @Autowired private Approvals approvals;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Periods periods;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Leases leases;
  @Autowired private Servers servers;
  @Autowired private ClosingQueue queue;
  @LocalServerPort private int port;

  @TempDir private Path folder;

  private String secret;
  private Api api;
  private Board board;
  private Period day;
  private long batch;

  /** Once, as a new trigger invalidates the plans of all statements on its table. */
  @BeforeAll
  static void addDeaths(@Autowired Servers servers) {
    servers.sql("create sequence deaths minvalue %1$d start %1$d".formatted(NO_DEATH));
    servers.sql(
        """
        create function die() returns trigger language plpgsql as
          $$
          begin
            if nextval('deaths') > 0 then raise exception 'killed'; end if;
            return new;
          end $$
        """);
    servers.sql(
        """
        create trigger die before update on task
        for each row when (old.ended_at is null and new.ended_at is not null)
          execute function die()
        """);
  }

  @AfterAll
  static void removeDeaths(@Autowired Servers servers) {
    servers.sql("drop function die cascade");
    servers.sql("drop sequence deaths");
  }

  @BeforeEach
  void prepareWhatVerbsAreAbout() {
    var all = EnumSet.allOf(Role.class);
    secret = Api.ownKey(keys, new NewKey("boss", all, Set.of(), Api.TEN_YEARS), "local:test");
    api = new Api(port, secret);
    play();
    addBob();
    post("/ops/keys", "{'reason':'r','name':'shop','roles':['writer']}");
    Api.ownKey(
        keys, new NewKey("mine", Set.of(Role.READER), Set.of(), Api.TEN_YEARS), "local:test");
    post("/ops/exclusions/lists/bots", REASON);
    post("/ops/exclusions/lists/bots/add", "{'reason':'r','member':'cid','level':'hidden'}");
    post("/ops/exclusions", exclude("bob"));
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, failures, failing_since, failure)
        values ('old', 'http://localhost', '{*}', now(), 0, 3, now(),
          '{"code": "delivery.closed", "values": {}, "text": ""}')
        """);
    world.due(day);
  }

  /** Without hashing a password, which takes longer than most verbs. */
  private void addBob() {
    servers.sql(
        """
        insert into person (name, password, roles, must_change, created_by, created_at)
        values ('bob', '{noop}x', '{viewer}', true, 'key:boss', now())
        """);
  }

  private void play() {
    board =
        world.board(Contest.rules().with("clock: event").with("payout: { approval: required }"));
    day = world.open(board);
    Contest.facts().forEach(fact -> world.take(fact.at(world.now())));
    servers.register("ann");
  }

  private static String exclude(String member) {
    return "{'reason':'yes','member':'%s','level':'hidden'}".formatted(member);
  }

  private Answer post(String path, String body, String... headers) {
    return api.post(path, Api.JSON, body.replace('\'', '"'), headers);
  }

  private void reach(String state) {
    String path = "/ops/boards/%s/periods/%s/".formatted(board.id(), day.name());
    switch (state) {
      case "held", "settled", "rejected" -> {
        batch = followed(post("/ops/tasks", "{'reason':'r','verb':'close','all':true}")).batch();
        if (state.equals("settled")) {
          followed(post(path + "approve", body(example(PERIOD + "/approve"))));
          world.take(Fact.by("ann").named("late").at(day.slot().startsAt()));
        } else if (state.equals("rejected")) {
          followed(post(path + "reject", body(example(PERIOD + "/reject"))));
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
                ?, 99, convert_to(?, 'UTF8'), said('verbatim', '{"text": "refused"}'), now())
              """,
              day.id().value(),
              "late-found|eve|like||1||0|applied 1 1 %d d"
                  .formatted(day.slot().startsAt().toEpochMilli() * 1_000)
                  .replace('|', '\u001f'));
      case "paused" -> post("/ops/boards/%s/pause".formatted(board.id()), REASON);
      case "on hold" -> post(path + "hold", REASON);
      case RUNNING -> world.now(World.START);
      default -> batch = acts.close(new PeriodRange(null, null, null, null), "ann", "r").id();
    }
  }

  private record Ended(String state, String problem, String messages, long batch) {}

  /** The end of a verb; its problem, if it has one, comes with the answer or with the task. */
  private Ended followed(Answer answer) {
    Answer task = answer;
    while (task.body().path("state").asString("").equals("running")) {
      task =
          api.get(
              "/ops/tasks/%d?wait=30&seen=%d"
                  .formatted(task.body().path("id").asLong(), task.body().path("progress").size()));
    }
    JsonNode body = task.body();
    return answer.status() >= 400
        ? new Ended("refused", answer.problem(), "", 0)
        : new Ended(
            body.path("state").asString(),
            body.path("problem").asString(""),
            body.path("messages").toString(),
            body.path("id").asLong(0));
  }

  /** Every operation of the document that may change something; ImportsApiTest has imports. */
  static Stream<String> operations() {
    return Contract.DOCUMENT.path("paths").properties().stream()
        .filter(path -> !path.getKey().startsWith("/api/v1/imports"))
        .filter(
            path ->
                path.getValue().properties().stream()
                    .anyMatch(method -> !Set.of("get", "parameters").contains(method.getKey())))
        .map(Map.Entry::getKey);
  }

  /** Every operation that has a dry run, and so an ETag from some place. */
  static Stream<String> verbs() {
    return operations()
        .filter(
            path ->
                Contract.DOCUMENT
                    .path("paths")
                    .path(path)
                    .at("/post/parameters")
                    .toString()
                    .contains("dryRun"));
  }

  /** A new verb has a dry run, too. */
  @Test
  void onlyAPasswordAndWhatKeepsNothingHaveNoDryRun() {
    assertThat(operations().filter(path -> path.startsWith("/api/v1/ops/")))
        .filteredOn(path -> verbs().noneMatch(path::equals))
        .containsExactlyInAnyOrder(
            "/api/v1/ops/me/password",
            "/api/v1/ops/boards/check",
            "/api/v1/ops/boards/{board}/replay",
            PERIOD + "/what-if");
  }

  private static Example example(String path) {
    return Objects.requireNonNull(EXAMPLES.get(path), () -> "no example calls " + path);
  }

  private String address(String path) {
    String list = path.endsWith("{list}") ? "fresh" : "bots";
    return path.replace("/login", "/../../login")
        .replace("/api/v1", "")
        .replace("{board}", board.id().value())
        .replace("{period}", day.name().value())
        .replace(
            "{award}",
            "%s/%s/1/ann/podium/credits/award"
                .formatted(board.id(), day.name())
                .replace("/", "%2F"))
        .replace("{id}", "" + batch)
        .replace("{list}", list)
        .replace("/people/{name}", "/people/bob")
        .replace("me/keys/{what}", "me/keys/mine")
        .replaceAll("\\{(name|what)}", "shop");
  }

  /** The same as an example by a command, as a dry run. */
  private Called command(String path, String language) throws IOException {
    String line = Objects.requireNonNull(COMMANDS.get(path), () -> "no command is " + path);
    var words =
        new ArrayList<>(
            List.of(
                line.replace("PERIOD", board.id() + " " + day.name())
                    .replace("BOARD", board.id().value())
                    .replace("BATCH", batch + "")
                    .replace("DIGEST", line.contains("DIGEST") ? batches.page(batch).digest() : "")
                    .replace("UNTIL", until())
                    .replace("OUTCOME", line.contains("OUTCOME") ? outcome() : "")
                    .replace("EXCLUSIONS", file("member,level,reason\nann,hidden,bot\n"))
                    .replace("CREDITS", file("id,amount\n"))
                    .split(" ")));
    words.addAll(List.of("--dry-run", "--url", "http://localhost:" + port, "--token", secret));
    return Called.in(language, words.toArray(String[]::new));
  }

  private String file(String content) throws IOException {
    return Files.writeString(folder.resolve("file" + content.hashCode()), content).toString();
  }

  /** The digest of the outcome that is held. */
  private String outcome() {
    return revisions.find(day.id(), Revision.FIRST).map(Revision::digest).orElseThrow();
  }

  private String until() {
    return day.slot().endsAt().plusSeconds(3600).toString();
  }

  private String body(Example example) {
    return example
        .body()
        .replace("DIGEST", example.body().contains("DIGEST") ? batches.page(batch).digest() : "")
        .replace("UNTIL", until())
        .replace("OUTCOME", example.body().contains("OUTCOME") ? outcome() : "")
        .replace("CSV", "'member,level,reason\\nann,hidden,bot\\n'");
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aDryRunARefusedConditionAndAWrongReasonChangeNothing(String path) throws IOException {
    Example example = example(path);
    reach(example.state());
    journal.drain(day); // As the server does all the time, and a dry run of a closing does, too.
    List<String> before = servers.content();
    boolean isVerb = verbs().anyMatch(path::equals);
    for (String query : isVerb ? List.of("", "?dryRun=true") : List.of("")) {
      Answer refused = post(address(path) + query, body(example), "If-Match", STALE);
      assertThat(refused.status()).as(refused.response().body()).isEqualTo(412);
      assertThat(refused.problem()).isEqualTo("urn:palmares:problem:stale-view");
    }
    if (isVerb) {
      for (String language : List.of("en", "zh")) {
        Answer dry =
            post(address(path) + "?dryRun=true", body(example), "Accept-Language", language);
        assertThat(dry.status()).as(dry.response().body()).isEqualTo(200);
        assertThat(dry.body().path("messages")).isNotEmpty();
        // Further lines may have nothing but names.
        assertIsIn(language, dry.body().path("messages").findValuesAsString("text").toString());
        Called called = command(path, language.equals("zh") ? "zh_CN" : "en_GB");
        assertThat(called.exitCode()).as(called.err()).isIn(0, UserError.HELD);
        assertThat(called.out()).contains(dry.body().at("/messages/0/text").asString());
        assertIsIn(language, called.out());
        Answer refused =
            post(
                address(path) + "?dryRun=true",
                body(example),
                "If-Match",
                STALE,
                "Accept-Language",
                language);
        assertIsIn(language, refused.body().path("detail").asString());
      }
    }
    for (String reason : path.equals(PERIOD + "/hold") ? WRONG_REASONS : List.of("")) {
      for (String query : isVerb ? List.of("", "?dryRun=true") : List.<String>of()) {
        String body = body(example).replace("'reason':'yes'", "'reason':'%s'".formatted(reason));
        Answer refused = post(address(path) + query, body);
        assertThat(refused.status()).as(refused.response().body()).isEqualTo(400);
        assertThat(refused.problem()).endsWith(":invalid-field");
      }
    }
    assertThat(servers.content()).isEqualTo(before);
  }

  private static void assertIsIn(String language, String text) {
    assertThat(text.codePoints().anyMatch(Character::isIdeographic))
        .as(text)
        .isEqualTo(language.equals("zh"));
  }

  static Stream<String> states() {
    return Stream.concat(Stream.of(RUNNING), PeriodState.shownWords().stream());
  }

  @ParameterizedTest
  @MethodSource("states")
  void everyVerbOnAPeriodIsCarriedOutOrRefusedWithoutAChange(String state) {
    List<String> verbs =
        operations()
            .filter(path -> path.startsWith(PERIOD))
            .map(path -> path.substring(PERIOD.length() + 1))
            .toList();
    assertThat(CARRIED_OUT.keySet()).containsExactlyInAnyOrderElementsOf(verbs);
    bring(state);
    onPeriod("lift-hold", ""); // The first verb after a month removes old tasks.
    List<String> before = servers.content();
    for (String verb : verbs) {
      boolean carriedOut = isCarriedOut(verb, state);
      boolean readsOnly = verb.equals("what-if");
      for (String query : readsOnly ? List.of("") : List.of("?dryRun=true", "")) {
        if (!carriedOut || readsOnly || !query.isEmpty()) {
          Answer answer = onPeriod(verb, query);
          String said = "%s%s: %s".formatted(verb, query, answer.response().body());
          assertThat(answer.status()).as(said).isEqualTo(carriedOut ? 200 : 409);
          assertThat(answer.problem())
              .as(said)
              .isEqualTo(carriedOut ? "" : "urn:palmares:problem:wrong-state");
        }
      }
    }
    assertThat(servers.content()).isEqualTo(before);
    for (String verb : verbs) {
      if (isCarriedOut(verb, state)) {
        bring(state);
        assertThat(followed(onPeriod(verb, "")))
            .as(verb)
            .matches(ended -> ended.problem().isEmpty() && !ended.state().equals("failed"));
      }
    }
  }

  @Test
  void aRejectedPeriodWhoseHoldIsLiftedIsPaidAfterARestart() {
    play();
    reach("on hold");
    world.due(day);
    decide("rejected");
    assertThat(followed(onPeriod("lift-hold", "")).messages()).contains("once it is restarted");
  }

  private static boolean isCarriedOut(String verb, String state) {
    return CARRIED_OUT.getOrDefault(verb, Set.of()).contains(state);
  }

  @Test
  void anExtensionIsEnteredOnceInThePersonsOwnWords() {
    reach(RUNNING);
    assertThat(onPeriod("extend", "").body().path("state").asString()).isEqualTo("done");
    assertThat(
            records.words(
                "select reason || ' ' || (details->>'until' is not null) from audit_entry where"
                    + " verb = 'extend'"))
        .containsExactly("yes true");
  }

  @Test
  void theAuditLogHasTheDigestAndTheSumsOfWhatWasApproved() {
    reach("settled");
    String closing = outcome();
    followed(onPeriod("amend", ""));
    String amendment = revisions.find(day.id(), 2).map(Revision::digest).orElseThrow();
    followed(
        post(
            address(PERIOD + "/approve"),
            "{'reason':'yes','revision':2,'expect':'%s'}".formatted(amendment)));
    assertThat(
            records.words(
                """
                select concat_ws(' ', revision, details->>'digest', sum->>'currency',
                  sum->>'gets', sum->>'owes')
                from audit_entry, jsonb_array_elements(details->'sums') sum
                where verb = 'approve'
                order by id
                """))
        .containsExactly(
            "1 %s credits 1660 0".formatted(closing), "2 %s credits 700 700".formatted(amendment));
  }

  private Answer onPeriod(String verb, String query) {
    String path = PERIOD + "/" + verb;
    String digest =
        revisions.find(day.id(), Revision.FIRST).map(Revision::digest).orElse("00000000");
    return post(
        address(path) + query,
        example(path).body().replace("OUTCOME", digest).replace("UNTIL", until()));
  }

  /** Brings a period of a new board into a state, by decisions of another person. */
  private void bring(String state) {
    play();
    if (state.equals(RUNNING)) {
      journal.drain(day);
      return;
    }
    if (state.equals(PeriodState.UPCOMING)) {
      timeline.prepare(board);
      day = periods.at(board.id(), day.slot().endsAt()).orElseThrow();
      return;
    }
    world.due(day);
    switch (state) {
      case "open" -> journal.drain(day);
      case "sealed" -> world.close(day, step -> dieAt("fill", step));
      case "filled" -> world.close(day, step -> dieAt("pay", step));
      default -> decide(state);
    }
    assertThat(world.again(day).state().word()).isEqualTo(state);
    world.take(Fact.by("ann").named("late").at(day.slot().startsAt()));
  }

  private static void dieAt(String step, String entered) {
    if (entered.equals(step)) {
      throw new IllegalStateException("killed at " + step);
    }
  }

  private void decide(String state) {
    world.close(day);
    var decision = new ApprovalDecision("ann", "right", null);
    if (state.equals("rejected")) {
      approvals.reject(day.id(), decision);
    } else if (!state.equals("held")) {
      approvals.approve(day.id(), decision);
    }
    if (Set.of("settled", "expired").contains(state)) {
      world.settle(day);
    }
    if (state.equals("expired")) {
      world.now(day.expiresAt());
      expiry.expire(duePeriods.expirableOnDemand());
    }
  }

  /** The ETag of the dry run, or that of the period, person or key. */
  private String tag(String path, Example example) {
    Answer dry = post(address(path) + "?dryRun=true", body(example));
    assertThat(dry.status()).as(dry.response().body()).isEqualTo(200);
    String tag = dry.body().path("etag").asString("");
    assertThat(dry.header("ETag")).isEqualTo(tag);
    if (!tag.isEmpty()) {
      assertThat(post(address(path) + "?dryRun=true", body(example)).header("ETag")).isEqualTo(tag);
      return tag;
    }
    if (path.startsWith(PERIOD)) {
      return api.get(address(PERIOD)).header("ETag");
    }
    String kind = path.contains("/people/{") ? "people" : "keys";
    String key = path.contains("/me/keys/") ? "mine" : "shop";
    return api.get("/ops/" + kind)
        .body()
        .valueStream()
        .filter(row -> Set.of("bob", key).contains(row.path("name").asString()))
        .map(row -> row.path("etag").asString())
        .findFirst()
        .orElseThrow();
  }

  /** What reads only has no reason. */
  static Stream<String> verbsWithReason() {
    return verbs().filter(path -> example(path).body().contains("'reason':'yes'"));
  }

  /** The task of a long verb does not end; a short one is rolled back with its task. */
  @ParameterizedTest
  @MethodSource("verbsWithReason")
  void theAuditLogSaysWhoAskedAlsoIfTheProcessDiesAtTheEndOfATask(String path) {
    Example example = example(path);
    reach(example.state());
    String body = body(example).replace("'reason':'yes'", "'reason':'as said on the telephone'");
    Answer answer = whileNoTaskEnds(() -> post(address(path), body));
    assertThat(
            records.words(
                "select distinct by from audit_entry where reason like '%as said on the tel%'"))
        .isEqualTo(answer.status() == 202 ? List.of("key:boss") : List.of());
  }

  private Answer whileNoTaskEnds(Supplier<Answer> call) {
    records.number("select setval('deaths', 1)");
    try {
      Answer answer = call.get();
      await()
          .alias("" + answer.body())
          .until(() -> records.number("select last_value from deaths") > 1);
      return answer;
    } finally {
      records.number("select setval('deaths', %d)".formatted(NO_DEATH));
    }
  }

  /** What has no ETag is called without a condition; it refuses one, as above. */
  @ParameterizedTest
  @MethodSource("verbs")
  void ofFourEqualRequestsOneActsOnWhatItsDryRunHasShownAndTheAuditLogHasItsReason(String path) {
    Example example = example(path);
    reach(example.state());
    var headers = new ArrayList<>(List.of("Idempotency-Key", "four"));
    if (!WITHOUT_TAG.contains(path)) {
      headers.addAll(List.of("If-Match", tag(path, example)));
    }
    String[] sent = headers.toArray(String[]::new);
    String body = body(example).replace("'reason':'yes'", "'reason':'as said on the telephone'");
    long before = records.number("select coalesce(max(id), 0) from audit_entry");

    long id = actOnce(() -> post(address(path), body, sent));
    assertThat(records.number("select count(*) from task where idempotency_key = 'four'")).isOne();
    assertThat(
            records.words(
                "select distinct by from audit_entry where id > %d and reason like '%%telephone%%'"
                    .formatted(before)))
        .containsExactly("key:boss");
    Answer repeat = post(address(path), body, sent);
    if (repeat.status() != 409) { // A secret is not shown twice.
      assertThat(repeat.body().path("id").asLong()).isEqualTo(id);
    } else {
      assertThat(repeat.problem()).endsWith("secret-already-shown");
    }
    Answer other = post(address(path), body.replace("as said on the telephone", "other"), sent);
    assertThat(other.status()).as(other.response().body()).isEqualTo(422);
    assertThat(other.problem()).endsWith(":idempotency-key-reused");
  }

  /** Sends a request four times at once, and returns the id of the one task that it has become. */
  private long actOnce(Supplier<Answer> request) {
    var requests = Stream.generate(() -> CompletableFuture.supplyAsync(request)).limit(4).toList();
    var ids = new HashSet<Long>();
    for (var each : requests) {
      Answer answer = each.join();
      if (answer.status() == 409) {
        assertThat(answer.problem()).matches(".*:(secret-already-shown|idempotency-key-in-use)");
      } else {
        assertThat(answer.status()).as(answer.response().body()).isIn(200, 202);
        assertThat(followed(answer).problem()).isEmpty();
        ids.add(answer.body().path("id").asLong());
      }
    }
    assertThat(ids).hasSize(1);
    return ids.iterator().next();
  }

  @Test
  void whatAClientThatHungUpHasSentWholeIsDoneOnce() throws IOException {
    send("half", exclude("ann"), 20);
    send("whole", exclude("dan"), Integer.MAX_VALUE);
    String ended = "select count(*) from task where idempotency_key = 'whole' and state = 'done'";
    await().until(() -> records.number(ended) == 1);
    Answer repeat = post("/ops/exclusions", exclude("dan"), "Idempotency-Key", "whole");
    assertThat(repeat.status()).isEqualTo(200);
    assertThat(records.words("select member from exclusion order by 1"))
        .containsExactly("bob", "cid", "dan");
    Answer again = post("/ops/exclusions", exclude("ann"), "Idempotency-Key", "half");
    assertThat(again.body().path("state").asString()).isEqualTo("done");
  }

  /** Sends the first bytes of a body, and closes the connection before the answer. */
  private void send(String key, String body, int bytes) throws IOException {
    String json = body.replace('\'', '"');
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String head =
          String.join(
              "\r\n",
              "POST /api/v1/ops/exclusions HTTP/1.1",
              "Host: localhost",
              "Authorization: Bearer " + secret,
              "Content-Type: application/json",
              "Idempotency-Key: " + key,
              "Content-Length: " + json.length(),
              "",
              "");
      String sent = json.substring(0, Math.min(bytes, json.length()));
      socket.getOutputStream().write((head + sent).getBytes(StandardCharsets.US_ASCII));
    }
  }

  private String shown(String path, String body) {
    String tag = post(path + "?dryRun=true", body).header("ETag");
    assertThat(tag).isNotEmpty();
    return tag;
  }

  private void assertStale(Answer answer) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(412);
    assertThat(answer.problem()).endsWith(":stale-view");
  }

  /** A day of another board that is due, too. */
  private Period another() {
    Period other = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.due(other);
    return other;
  }

  @Test
  void whatHasBecomeDueSinceItWasShownIsNotClosed() {
    String tag = shown("/ops/close", REASON);
    Period other = another();
    assertStale(post("/ops/close", REASON, "If-Match", tag));
    assertThat(world.again(day).state()).isEqualTo(day.state());
    assertThat(world.again(other).state().isSettled()).isFalse();
    tag = shown("/ops/close", REASON);
    followed(post("/ops/close", REASON, "If-Match", tag));
    assertThat(world.again(other).state().isSettled()).isTrue();
  }

  /** It changes after the comparison of all and before its own closing takes the lease. */
  @Test
  void ofAllThatAreDueOneThatChangesIsLeftOut() {
    Period other = another();
    String tag = shown("/ops/close", REASON);
    var acting =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  servers.sql(StaleViewTest.FAIL_FOR_ANOTHER_CAUSE + " where id = ?", id(other));
                  var begun =
                      CompletableFuture.supplyAsync(
                          () -> followed(post("/ops/close", REASON, "If-Match", tag)));
                  await().until(() -> isBlocked() || begun.isDone());
                  return begun;
                }));
    Ended ended = acting.join();
    assertThat(ended.state()).isEqualTo("failed");
    assertThat(ended.messages()).contains(other.label() + " has changed since you saw it");
    assertThat(world.again(other).state().isSettled()).isFalse();
    assertThat(world.again(day).state().word()).isEqualTo("held");
  }

  /** What it closes counts as done by the key, which may be in other hands. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoMayNotAnyMoreClosesNoFurtherPeriod(boolean isShown) {
    var operator = new Api(port, Api.ownKey(keys, "leaked", "ann", Role.OPERATOR));
    Lease held = leases.take(day.id(), "another process").orElseThrow();
    String tag = isShown ? shown("/ops/close", REASON) : "*";
    Answer begun =
        operator.post("/ops/close", Api.JSON, REASON.replace('\'', '"'), "If-Match", tag);
    await()
        .until(
            () -> records.number("select count(*) from audit_entry where by = 'key:leaked'") == 1);
    keys.revoke("leaked", "ann", "leaked");
    leases.release(held);
    Ended ended = followed(begun);
    assertThat(ended.state()).isEqualTo("failed");
    assertThat(ended.messages()).contains("key:leaked may not do this any more; 1 period is left");
    assertThat(world.again(day).state()).isEqualTo(day.state());
  }

  /** Callers share the closings that are queued. */
  @Test
  void whatAnotherCallerMayNotCloseAnyMoreIsClosedForWhoMay() {
    var goesOn = new CompletableFuture<Boolean>();
    var cause = new ClosingCause("close-due", "key:leaked");
    queue.close(List.of(day.id()), cause, goesOn::join);
    Answer begun = post("/ops/close", REASON);
    await().until(EveryVerbTest::awaitsAClosing);
    goesOn.complete(false);
    assertThat(followed(begun).state()).isEqualTo("held");
    assertThat(world.again(day).state().word()).isEqualTo("held");
  }

  private static boolean awaitsAClosing() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .anyMatch(call -> call.getMethodName().equals("isBusy"));
  }

  @Test
  void whoMayNotAnyMoreArchivesNoFurtherPeriod() {
    world.settle(another());
    world.settle(another());
    var operator = new Api(port, Api.ownKey(keys, "leaked", "ann", Role.OPERATOR));
    var begun =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  servers.sql("lock table manifest in access exclusive mode");
                  Answer archive =
                      operator.post(
                          "/ops/archive",
                          Api.JSON,
                          "{\"reason\":\"yes\",\"all\":true,\"before\":\"2027-01-01\"}");
                  await().until(this::isBlocked);
                  CompletableFuture.runAsync(() -> keys.revoke("leaked", "ann", "leaked")).join();
                  return archive;
                }));
    Ended ended = followed(begun);
    assertThat(ended.state()).isEqualTo("failed");
    assertThat(ended.messages())
        .contains(
            "key:leaked may not do this any more; 1 period is left", "1 period archived, 1 not");
  }

  private static long id(Period period) {
    return period.id().value();
  }

  private boolean isBlocked() {
    return records.number(
            """
            select count(*) from pg_locks
            join pg_stat_activity using (pid)
            where not granted and datname = current_database()
            """)
        > 0;
  }

  @Test
  void anAmendmentForAnExclusionIsOfThePeriodsThatWereShown() {
    world.settle(another());
    post("/ops/exclusions", exclude("ann"));
    long exclusion = records.number("select max(id) from exclusion");
    String amend = "{'reason':'r','verb':'amend','exclusions':[%d]}".formatted(exclusion);
    String tag = shown("/ops/tasks", amend);
    servers.sql(StaleViewTest.FAIL_FOR_ANOTHER_CAUSE + " where settled_at is not null");
    assertStale(post("/ops/tasks", amend, "If-Match", tag));
    assertThat(records.number("select count(*) from task where target is not null")).isZero();
    assertThat(followed(post("/ops/tasks", amend, "If-Match", shown("/ops/tasks", amend))).state())
        .isEqualTo("held");
  }

  @Test
  void onlyWhoBeganToApproveABatchResumesThat() {
    reach("held");
    long decisions = acts.approve(batch, batches.page(batch).digest(), "ann", "right").id();
    String resume = "/ops/tasks/%d/resume".formatted(decisions);
    var operator = new Api(port, Api.ownKey(keys, "op", "op", Role.OPERATOR));
    Answer refused = operator.post(resume, Api.JSON, REASON.replace('\'', '"'));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.problem()).endsWith(":forbidden");
    Answer another = post(resume, REASON);
    assertThat(another.status()).isEqualTo(409);
    assertThat(another.body().path("detail").asString()).contains("in the name of ann");
    assertThat(world.again(day).state().word()).isEqualTo("held");
    var ann = new Api(port, Api.ownKey(keys, "ann-cli", "ann", Role.APPROVER));
    Answer resumed = ann.post(resume, Api.JSON, REASON.replace('\'', '"'));
    assertThat(followed(resumed).problem()).isEmpty();
    assertThat(world.again(day).state().isSettled()).isTrue();
  }

  @Test
  void aDecisionOnABatchIsOnTheOutcomesThatWereShown() {
    reach("held");
    String path = "/ops/tasks/%d/".formatted(batch);
    Example example = example("/api/v1/ops/tasks/{id}/reject");
    String before = body(example);
    String tag = shown(path + "reject", before);
    servers.sql(
        "update revision set held_for = held_for || '{\"code\": \"hold.approval\", \"values\":"
            + " {}}'");
    Answer changed = post(path + "reject", before);
    assertThat(changed.status()).as(changed.response().body()).isEqualTo(409);
    String now = body(example);
    assertStale(post(path + "reject", now, "If-Match", tag));
    assertThat(world.again(day).state().word()).isEqualTo("held");
    followed(post(path + "reject", now, "If-Match", shown(path + "reject", now)));
    assertThat(world.again(day).state().word()).isEqualTo("rejected");
  }

  @Test
  void theExclusionsThatWereShownAreLiftedOrNone() {
    String lift = "{'reason':'r','member':'bob','all':true}";
    String tag = shown("/ops/exclusions/lift", lift);
    post("/ops/exclusions", exclude("bob").replace("hidden", "unranked"));
    assertStale(post("/ops/exclusions/lift", lift, "If-Match", tag));
    assertThat(records.number("select count(*) from exclusion where lifted_at is not null"))
        .isZero();
    tag = shown("/ops/exclusions/lift", lift);
    assertThat(post("/ops/exclusions/lift", lift, "If-Match", "\"x\", " + tag).status())
        .isEqualTo(200);
    assertThat(records.number("select count(*) from exclusion where lifted_at is not null"))
        .isEqualTo(2);
  }
}
