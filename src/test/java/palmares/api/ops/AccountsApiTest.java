package palmares.api.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Browser;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** People, keys and forgetting over HTTP: each is a verb, and a secret is shown once. */
@WorldTest
class AccountsApiTest {
  private static final String REASON = "{'reason':'asked'}";
  private static final String ADD = "{'reason':'new','name':'bob','roles':['viewer']}";
  private static final String CREATE = "{'reason':'new','name':'shop','roles':['writer']}";
  private static final String FORGET = "{'reason':'request 7','member':'ann'}";
  private static final String KEY = "Idempotency-Key";

  @Autowired private ApiKeys keys;
  @Autowired private People people;
  @Autowired private TransactionTemplate transaction;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @LocalServerPort private int port;
  private Api admin;

  @BeforeEach
  void createAnAdmin() {
    admin = api("boss", Role.ADMIN);
  }

  private Api api(String name, Role role) {
    return new Api(port, Api.ownKey(keys, name, "tester", role));
  }

  private String key(NewKey key) {
    return keys.create(key, "tester", "test");
  }

  private Answer verb(String path, String body, String... headers) {
    return verb(admin, path, body, headers);
  }

  private static Answer verb(Api api, String path, String body, String... headers) {
    return api.post("/ops" + path, Api.JSON, body.replace('\'', '"'), headers);
  }

  private static String word(Answer answer) {
    return answer.problem().replace("urn:palmares:problem:", "");
  }

  private static String message(Answer answer) {
    return answer.body().at("/messages/0/text").asString();
  }

  private static String secret(Answer answer) {
    return answer.body().path("secret").asString("");
  }

  private JsonNode row(String list, String name) {
    return admin
        .get("/ops" + list)
        .body()
        .valueStream()
        .filter(row -> row.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Everything that verbs on people and keys may change. */
  private List<String> state() {
    return records.words(
        """
        select t::text from person t
        union all select t::text from api_key t
        union all select t::text from api_secret t
        union all select t::text from audit_entry t
        union all select t::text from task t
        order by 1
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/people                    | {'reason':'r','name':'cid','roles':['viewer']} | would add"
            + " cid",
        "/people/bob/roles          | {'reason':'r','roles':['operator']} | bob would have the"
            + " roles",
        "/people/bob/disable        | {'reason':'r'} | would disable bob",
        "/people/bob/enable         | {'reason':'r'} | would enable bob",
        "/people/bob/reset-password | {'reason':'r'} | bob would have a new password",
        "/keys                      | {'reason':'r','name':'x','roles':['writer']} | 'x' would be",
        "/keys/shop/rotate          | {'reason':'r','overlapHours':1} | 'shop' would have another",
        "/keys/shop/revoke          | {'reason':'r'} | would revoke shop"
      })
  void aDryRunSaysWhatWouldChangeAndChangesNothing(String path, String body, String message) {
    verb("/people", ADD);
    verb("/keys", CREATE);
    List<String> before = state();
    Answer dry = verb(path + "?dryRun=true", body);
    assertThat(dry.status()).as(dry.response().body()).isEqualTo(200);
    assertThat(message(dry)).startsWith(message);
    assertThat(dry.body().has("secret")).isFalse();
    assertThat(dry.body().has("id")).isFalse();
    assertThat(state()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/people",
        "/people/bob/roles",
        "/people/bob/disable",
        "/people/bob/enable",
        "/people/bob/reset-password",
        "/keys",
        "/keys/shop/rotate",
        "/keys/shop/revoke",
        "/members/forget"
      })
  void aReasonIsNeededAndHasALimit(String path) {
    verb("/people", ADD);
    verb("/keys", CREATE);
    List<String> before = state();
    Map<String, List<String>> fields =
        Map.of(
            "/people", List.of("name", "roles"),
            "/people/bob/roles", List.of("roles"),
            "/keys", List.of("name", "roles"),
            "/members/forget", List.of("member"));
    String some =
        fields.getOrDefault(path, List.of()).stream()
            .map(field -> field.equals("roles") ? ",'roles':['viewer']" : ",'" + field + "':'ann'")
            .collect(Collectors.joining());
    assertThat(word(verb(path, "{'reason':null" + some + "}"))).isEqualTo("missing-field");
    for (String bad : List.of("", " ", "x".repeat(10_240), "nul\\u0000")) {
      Answer answer = verb(path, "{'reason':'" + bad + "'" + some + "}");
      assertThat(word(answer)).isEqualTo("invalid-field");
    }
    assertThat(state()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/people                    | {'reason':'r','name':'cid','roles':['viewer']}",
        "/people/bob/reset-password | {'reason':'r'}",
        "/keys                      | {'reason':'r','name':'x','roles':['writer']}",
        "/keys/shop/rotate          | {'reason':'r'}"
      })
  void aSecretIsInTheFirstAnswerAndNowhereElse(String path, String body) {
    verb("/people", ADD);
    verb("/keys", CREATE);
    Answer first = verb(path, body, KEY, "k");
    assertThat(first.status()).as(first.response().body()).isEqualTo(200);
    String secret = secret(first);
    assertThat(secret).hasSizeGreaterThan(10);
    List<String> after = state();
    assertThat(after).noneMatch(row -> row.contains(secret));
    Answer repeat = verb(path, body, KEY, "k");
    assertThat(repeat.status()).isEqualTo(409);
    assertThat(word(repeat)).isEqualTo("secret-already-shown");
    assertThat(repeat.response().body()).doesNotContain(secret);
    Answer other = verb(path, body.replace("'r'", "'other'"), KEY, "k");
    assertThat(word(other)).isEqualTo("idempotency-key-reused");
    assertThat(state()).isEqualTo(after);
    String task = first.header("Location").replace("/api/v1", "");
    assertThat(admin.get(task).response().body()).doesNotContain(secret);
  }

  @Test
  void aRepeatOfAnotherVerbGetsTheFirstTask() {
    verb("/people", ADD);
    Answer first = verb("/people/bob/disable", REASON, KEY, "once");
    verb("/people/bob/enable", REASON);
    Answer repeat = verb("/people/bob/disable", REASON, KEY, "once");
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(row("/people", "bob").path("disabledAt").isNull()).isTrue();
    assertThat(word(verb("/people/cid/disable", REASON, KEY, "once")))
        .isEqualTo("idempotency-key-reused");
  }

  @Test
  void ofFourEqualRequestsAtOnceOneMakesTheSecret() throws Exception {
    List<Answer> answers = atOnce(4, n -> verb("/keys", CREATE, KEY, "four"));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .extracting(AccountsApiTest::word)
        .isSubsetOf("secret-already-shown", "idempotency-key-in-use");
    assertThat(records.number("select count(*) from api_secret where key = 'shop'")).isOne();
    assertThat(records.number("select count(*) from audit_entry where verb = 'create-key'"))
        .as("with that of the admin")
        .isEqualTo(2);
  }

  private static List<Answer> atOnce(int count, Function<Integer, Answer> request)
      throws Exception {
    var pool = Executors.newFixedThreadPool(count);
    try {
      var answers = new ArrayList<Answer>();
      for (var answer :
          pool.invokeAll(
              IntStream.range(0, count)
                  .<Callable<Answer>>mapToObj(n -> () -> request.apply(n))
                  .toList())) {
        answers.add(answer.get());
      }
      return answers;
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aStaleViewOfAPersonIsRefused() {
    verb("/people", ADD);
    String seen = row("/people", "bob").path("etag").asString();
    verb("/people/bob/roles", "{'reason':'r','roles':['operator']}");
    List<String> before = state();
    for (String path : List.of("roles", "disable", "enable", "reset-password")) {
      String body = path.equals("roles") ? "{'reason':'r','roles':['admin']}" : REASON;
      Answer stale = verb("/people/bob/" + path, body, "If-Match", seen);
      assertThat(stale.status()).as(path).isEqualTo(412);
      assertThat(word(stale)).isEqualTo("stale-view");
    }
    assertThat(state()).isEqualTo(before);
    String fresh = row("/people", "bob").path("etag").asString();
    assertThat(verb("/people/bob/disable", REASON, "If-Match", fresh).status()).isEqualTo(200);
    assertThat(verb("/people/bob/enable", REASON, "If-Match", "*").status()).isEqualTo(200);
  }

  @Test
  void aStaleViewOfAKeyIsRefused() {
    verb("/keys", CREATE);
    String seen = row("/keys", "shop").path("etag").asString();
    verb("/keys/shop/rotate", REASON);
    List<String> before = state();
    String id = row("/keys", "shop").path("id").asString();
    for (String path : List.of("shop/rotate", "shop/revoke", id + "/revoke")) {
      Answer stale = verb("/keys/" + path, REASON, "If-Match", seen);
      assertThat(word(stale)).as(path).isEqualTo("stale-view");
    }
    assertThat(state()).isEqualTo(before);
    String fresh = row("/keys", "shop").path("etag").asString();
    assertThat(verb("/keys/" + id + "/revoke", REASON, "If-Match", fresh).status()).isEqualTo(200);
    assertThat(word(verb("/keys/shop/revoke", REASON, "If-Match", fresh))).isEqualTo("stale-view");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/people | {'reason':'r','name':'BOB','roles':['viewer']} | invalid-field",
        "/people | {'reason':'r','name':'cid','roles':[]} | invalid-field",
        "/people | {'reason':'r','name':'cid','roles':['king']} | invalid-field",
        "/people | {'reason':'r','name':'cid'} | missing-field",
        "/people | {'reason':'r','name':'bob','roles':['viewer']} | account-refused",
        "/people/nobody/disable | {'reason':'r'} | account-refused",
        "/people/nobody/roles | {'reason':'r','roles':['viewer']} | account-refused",
        "/keys | {'reason':'r','name':'','roles':['writer']} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'boards':['nope']} | unknown-board",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'operations':['fly']} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'operations':['opsBoards']}"
            + " | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['admin'],'operations':['opsCreateKey']}"
            + " | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'operations':[null]} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'boards':[null]} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':[null]} | invalid-field",
        "/people/bob/roles | {'reason':'r','roles':[null]} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'validForDays':0} | invalid-field",
        "/keys | {'reason':'r','name':'x','roles':['writer'],'validForDays':2147483647}"
            + " | invalid-field",
        "/keys | {'reason':'r','name':'SHOP','roles':['writer']} | account-refused",
        "/keys/none/rotate | {'reason':'r'} | account-refused",
        "/keys/shop/rotate | {'reason':'r','overlapHours':-1} | invalid-field",
        "/keys/shop/rotate | {'reason':'r','overlapHours':2147483647} | invalid-field",
        "/keys/none/revoke | {'reason':'r'} | account-refused",
        "/members/forget | {'reason':'r'} | missing-field",
        "/members/forget | {'reason':'r','member':''} | invalid-field",
        "/members/forget | {'reason':'r','member':'nobody'} | unknown-member",
        "/members/forget?dryRun=true | {'reason':'r','member':'nobody'} | unknown-member"
      })
  void badInputIsAProblemAndChangesNothing(String path, String body, String problem) {
    verb("/people", ADD);
    verb("/keys", CREATE);
    List<String> before = state();
    assertThat(word(verb(path, body))).isEqualTo(problem);
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void allFieldsThatAreMissingAreNamedAtOnce() {
    Answer refused = verb("/people", "{}");
    assertThat(word(refused)).isEqualTo("missing-field");
    assertThat(refused.body().path("errors").valueStream())
        .extracting(fault -> fault.path("pointer").asString())
        .containsExactly("/reason", "/name", "/roles");
  }

  @Test
  void aKeyThatIsLimitedToOperationsReadsAndCallsTheseOnly() {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Contest.facts());
    world.pass(Duration.ofDays(2));
    Answer made =
        verb(
            "/keys",
            "{'reason':'night','name':'night','roles':['operator'],'boards':['%s'],"
                    .formatted(board.id())
                + "'operations':['opsClose']}");
    assertThat(made.status()).as(made.response().body()).isEqualTo(200);
    assertThat(row("/keys", "night").path("operations").get(0).asString()).isEqualTo("opsClose");
    var night = new Api(port, secret(made));
    String period = "/boards/%s/periods/%s".formatted(board.id(), day.name());
    assertThat(night.get("/ops" + period).status()).isEqualTo(200);
    for (String other : List.of("restart", "hold", "amend", "rebuild", "what-if")) {
      Answer refused = verb(night, period + "/" + other, REASON);
      assertThat(refused.status()).as(other).isEqualTo(403);
      assertThat(refused.body().path("detail").asString())
          .startsWith("key:night is limited to the operations opsClose, and this is ops");
    }
    Answer closed = followed(night, verb(night, period + "/close", "{'reason':'night'}"));
    assertThat(closed.body().path("state").asString()).isEqualTo("done");
  }

  /** Keys of an earlier version may have the names of these operations. */
  @Test
  void aKeyThatIsLimitedToOperationsGivesNobodyAccess() {
    verb("/people", ADD);
    verb("/keys", CREATE);
    var names =
        Set.of(
            "opsAddPerson",
            "opsSetRoles",
            "opsEnablePerson",
            "opsResetPassword",
            "opsCreateKey",
            "opsRotateKey",
            "opsRevokeKey");
    String secret = key(new NewKey("limited", Set.of(Role.ADMIN), Set.of(), names, null));
    var limited = new Api(port, secret);
    List<String> before = state();
    Map.of(
            "/people",
            "{'reason':'r','name':'cid','roles':['admin']}",
            "/people/bob/roles",
            "{'reason':'r','roles':['admin']}",
            "/people/bob/enable",
            REASON,
            "/people/bob/reset-password",
            REASON,
            "/keys",
            "{'reason':'r','name':'x','roles':['admin']}",
            "/keys/shop/rotate",
            REASON)
        .forEach(
            (path, body) -> {
              Answer refused = verb(limited, path, body);
              assertThat(refused.status()).as(path).isEqualTo(403);
              assertThat(refused.body().path("detail").asString())
                  .startsWith("key:limited is limited to operations, and ops")
                  .endsWith("gives access to all of them");
            });
    assertThat(state()).isEqualTo(before);
    assertThat(verb(limited, "/keys/shop/revoke", REASON).status()).isEqualTo(200);
    assertThat(limited.get("/ops/me").body().path("operations").valueStream())
        .extracting(JsonNode::asString)
        .containsExactlyInAnyOrderElementsOf(names);
  }

  /** A key in wrong hands cannot wait for an admin, and must not stop the intake. */
  @Test
  void aKeyRevokesItselfAndOneOfAPersonOtherKeysOfThisPersonButNoPrograms() {
    var bob = new Api(port, Api.ownKey(keys, "bob-cli", "bob", Role.OPERATOR));
    var two = new Api(port, Api.ownKey(keys, "bob-two", "bob", Role.READER));
    Api.ownKey(keys, "ann-cli", "ann", Role.OPERATOR);
    var shop = new Api(port, keys.create(program("shop"), "bob", "new"));
    keys.create(program("till"), "bob", "new");
    List<String> before = state();
    for (String other : List.of("bob-cli", "till", "ann-cli", "nothing")) {
      assertRefused(shop, other, "key:shop");
    }
    for (String other : List.of("shop", "till", "ann-cli", "nothing")) {
      assertRefused(bob, other, "key:bob-cli");
    }
    assertThat(verb(bob, "/me/keys/bob-two/revoke?dryRun=true", REASON).body().toString())
        .contains("would revoke bob-two");
    assertThat(state()).isEqualTo(before);
    assertThat(revoke(bob, "bob-two").status()).isEqualTo(200);
    assertThat(revoke(bob, "bob-cli").status()).isEqualTo(200);
    assertThat(revoke(shop, "shop").status()).isEqualTo(200);
    for (Api revoked : List.of(two, bob, shop)) {
      assertThat(revoked.get("/ops/me").status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/people | {'reason':'r','name':'Eve!','roles':['viewer']} | /name | account.person-name",
        "/people | {'reason':'r','name':'eve','roles':['boss']}    | /roles | input.not-one-of",
        "/people | {'reason':'r','name':'eve','roles':[]} | /roles | account.person-without-role",
        "/keys   | {'reason':'r','name':' x','roles':['writer']}   | /name | account.key-name",
        "/keys   | {'reason':'r','name':'x','roles':['approver']}  | /roles |"
            + " account.program-approves",
        "/keys   | {'reason':'r','name':'x','roles':['writer'],'validForDays':0} | /validForDays |"
            + " account.key-validity"
      })
  void aRefusalSaysWhichFieldIsWrong(String path, String body, String pointer, String code) {
    Answer refused = verb(path, body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("code").asString()).isEqualTo(code);
    assertThat(refused.body().at("/errors/0/pointer").asString()).isEqualTo(pointer);
  }

  private static Answer revoke(Api api, String what) {
    return verb(api, "/me/keys/%s/revoke".formatted(what), REASON);
  }

  private static void assertRefused(Api api, String what, String by) {
    Answer refused = revoke(api, what);
    assertThat(refused.status()).as(what).isEqualTo(409);
    assertThat(refused.body().path("detail").asString())
        .isEqualTo(
            "there is no key '%s' in use that %s may revoke: its owner may, in a session"
                .formatted(what, by));
  }

  @Test
  void aKeyThatIsLimitedRevokesItselfAlone() {
    Board board = world.board(Contest.rules());
    Api.ownKey(keys, "bob-cli", "bob", Role.OPERATOR);
    var operator = Set.of(Role.OPERATOR);
    for (NewKey limited :
        List.of(
            new NewKey("on-board", operator, Set.of(board.id()), Api.TEN_YEARS),
            new NewKey("closing", operator, Set.of(), Set.of("opsClose"), Api.TEN_YEARS),
            new NewKey("both", operator, Set.of(board.id()), Set.of("opsClose"), Api.TEN_YEARS))) {
      for (boolean own : List.of(true, false)) {
        String name = limited.name() + (own ? "" : "-program");
        var key = new NewKey(name, operator, limited.boards(), limited.operations(), Api.TEN_YEARS);
        String secret = own ? Api.ownKey(keys, key, "bob") : keys.create(key, "bob", "test");
        var api = new Api(port, secret);
        assertRefused(api, "bob-cli", "key:" + name);
        assertThat(revoke(api, name).status()).as(name).isEqualTo(200);
        assertThat(api.get("/ops/me").status()).as(name).isEqualTo(401);
      }
    }
  }

  @Test
  void aPersonInASessionRevokesAllKeysThatThePersonOwns() {
    String password = people.add("bob", Set.of(Role.VIEWER), "tester", "new");
    servers.sql("update person set must_change = false");
    var bob = new Browser(port);
    bob.signIn("bob", password);
    Api.ownKey(keys, "bob-cli", "bob", Role.READER);
    keys.create(program("shop"), "bob", "new");
    Api.ownKey(keys, "ann-cli", "ann", Role.OPERATOR);
    for (String other : List.of("ann-cli", "nothing")) {
      Browser.Page refused = bob.post(ownRevocation(other), Map.of("reason", "left"));
      assertThat(refused.status()).as(other).isEqualTo(409);
      assertThat(refused.body().path("detail").asString())
          .isEqualTo("you own no key '%s' in use".formatted(other));
    }
    for (String own : List.of("bob-cli", "shop")) {
      assertThat(bob.post(ownRevocation(own), Map.of("reason", "left")).status())
          .as(own)
          .isEqualTo(200);
      assertThat(row("/keys", own).path("revokedAt").isNull()).as(own).isFalse();
    }
  }

  private static String ownRevocation(String what) {
    return "/api/v1/ops/me/keys/%s/revoke".formatted(what);
  }

  private static NewKey program(String name) {
    return new NewKey(name, Set.of(Role.WRITER), Set.of(), null);
  }

  @Test
  void everybodyMakesKeysOfTheirOwnWithTheirOwnRolesAndAnEnd() {
    people.add("bob", Set.of(Role.OPERATOR, Role.APPROVER), "tester", "new");
    servers.sql("update person set must_change = false");
    String first = Api.ownKey(keys, "bob-cli", "bob", Role.OPERATOR, Role.APPROVER);
    var bob = new Api(port, first);
    String own = "{'reason':'mine','name':'%s','roles':['%s']%s}";
    String days = ",'validForDays':30";
    assertThat(verb(bob, "/me/keys", own.formatted("x", "admin", days)).status()).isEqualTo(400);
    assertThat(verb(bob, "/me/keys", own.formatted("x", "approver", "")).status()).isEqualTo(400);
    Answer made = verb(bob, "/me/keys", own.formatted("bob-two", "approver", days));
    assertThat(made.status()).isEqualTo(200);
    assertThat(records.words("select owner || ' ' || own from api_key where name = 'bob-two'"))
        .containsExactly("bob true");
    assertThat(verb("/keys", own.formatted("x", "approver", days)).status()).isEqualTo(400);
    String program = key(new NewKey("shop", Set.of(Role.WRITER), Set.of(), null));
    Answer refused = verb(new Api(port, program), "/me/keys", own.formatted("x", "writer", days));
    assertThat(word(refused)).isEqualTo("account-refused");

    var two = new Api(port, made.body().path("secret").asString());
    assertThat(roles(bob)).containsExactly("viewer", "operator", "approver", "reader");
    verb("/people/bob/roles", "{'reason':'moved','roles':['approver']}");
    await().until(() -> roles(bob).equals(List.of("viewer", "approver", "reader")));
    verb("/people/bob/roles", "{'reason':'moved','roles':['viewer']}");
    await().until(() -> roles(two).equals(List.of("viewer", "reader")));
    String shown = verb("/people/bob/disable?dryRun=true", REASON).body().toString();
    assertThat(shown)
        .contains("would disable bob", "nobody can use bob's keys then: bob-cli, bob-two");
    assertThat(bob.get("/ops/me").status()).isEqualTo(200);
    assertThat(verb("/people/bob/end-sessions", REASON).body().toString())
        .contains("ended the sessions of bob", "these keys stay valid", "bob-cli, bob-two");
    assertThat(bob.get("/ops/me").status()).isEqualTo(200);
    verb("/people/bob/disable", REASON);
    for (Api ofBob : List.of(bob, two)) {
      await().until(() -> ofBob.get("/ops/me").status() == 401);
    }
  }

  private static List<String> roles(Api api) {
    return api.get("/ops/me").body().path("roles").valueStream().map(JsonNode::asString).toList();
  }

  @Test
  void onlyItsOwnerRotatesAKeyOrTheUserOfAShellIfItIsAPrograms() {
    Api.ownKey(keys, "approver", "ann", Role.APPROVER);
    keys.create(new NewKey("night", Set.of(Role.OPERATOR), Set.of(), null), "ann", "test");
    for (String by : List.of("ann", "Ann", "local:root", "key:night")) {
      assertThat(keys.rotate("night", Duration.ZERO, null, by, "test")).startsWith("pal_");
    }
    List<String> before = state();
    Answer refused = verb("/keys/approver/rotate", REASON);
    assertThat(word(refused)).isEqualTo("account-refused");
    assertThat(refused.body().path("detail").asString())
        .contains("only ann, who owns the key 'approver', may rotate it");
    assertThat(state()).isEqualTo(before);
    for (String by : List.of("local:root", "key:night")) {
      assertThatThrownBy(() -> keys.rotate("approver", Duration.ZERO, Api.TEN_YEARS, by, "test"))
          .as(by)
          .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED);
    }
    assertThatThrownBy(() -> keys.rotate("approver", Duration.ZERO, null, "ann", "test"))
        .hasMessageContaining("expires");
    for (String by : List.of("ann", "Ann", "local:ann", "key:approver")) {
      assertThat(keys.rotate("approver", Duration.ZERO, Api.TEN_YEARS, by, "test"))
          .startsWith("pal_");
    }
    assertThat(verb("/keys/approver/revoke", REASON).status()).isEqualTo(200);
  }

  @Test
  void aKeyThatIsRevokedStaysSo() {
    verb("/keys", CREATE);
    verb("/keys/shop/revoke", REASON);
    List<String> before = state();
    Answer refused = verb("/keys/shop/rotate", REASON);
    assertThat(word(refused)).isEqualTo("account-refused");
    assertThat(refused.body().path("detail").asString()).contains("'shop' is revoked");
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void aRevocationDuringARotationRevokesTheNewSecret() {
    verb("/keys", CREATE);
    CompletableFuture<Integer> revoked =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  keys.rotate("shop", Duration.ofHours(1), null, "tester", "test");
                  var begun =
                      CompletableFuture.supplyAsync(() -> keys.revoke("shop", "tester", "test"));
                  awaitBlocked(begun);
                  return begun;
                }));
    assertThat(revoked.join()).isEqualTo(2);
    assertThat(
            records.number(
                "select count(*) from api_secret where key = 'shop' and revoked_at is null"))
        .isZero();
  }

  private void awaitBlocked(CompletableFuture<?> begun) {
    String blocked =
        """
        select count(*)
        from pg_locks
        join pg_stat_activity using (pid)
        where not granted and datname = current_database()
        """;
    await().until(() -> records.number(blocked) > 0 || begun.isDone());
  }

  @Test
  void aNameOfAKeyCountsBeforeTheIdOfASecret() {
    verb("/keys", CREATE);
    String id = row("/keys", "shop").path("id").asString();
    keys.create(new NewKey(id, Set.of(Role.WRITER), Set.of(), null), "tester", "test");
    assertThat(message(verb("/keys/" + id + "/revoke", REASON))).isEqualTo("revoked " + id);
    assertThat(row("/keys", "shop").path("revokedAt").isNull()).isTrue();
    assertThat(row("/keys", id).path("revokedAt").isNull()).isFalse();
  }

  /** One has seen bob's row, the other has not; both take the locks in one order. */
  @Test
  void changesOfAPersonAtTheSameTimeDoNotDeadlock() {
    verb("/people", ADD);
    verb("/people", ADD.replace("bob", "cid"));
    String seen = row("/people", "bob").path("etag").asString();
    CompletableFuture<Answer> stale =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  people.setEnabled("cid", false, "tester", "test");
                  var begun =
                      CompletableFuture.supplyAsync(
                          () -> verb("/people/bob/disable", REASON, "If-Match", seen));
                  awaitBlocked(begun);
                  people.setEnabled("bob", false, "tester", "test");
                  return begun;
                }));
    assertThat(word(stale.join())).isEqualTo("stale-view");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/people         | {'reason':'r','name':'cid','roles':['viewer']}",
        "/keys           | {'reason':'r','name':'x','roles':['writer']}",
        "/members/forget | {'reason':'request 7','member':'ann'}"
      })
  void whatHasNoETagRefusesAConditionThatNamesOne(String path, String body) {
    play();
    List<String> before = state();
    for (String dryRun : List.of("", "?dryRun=true")) {
      Answer refused = verb(path + dryRun, body, "If-Match", "\"x\"");
      assertThat(refused.status()).isEqualTo(412);
      assertThat(refused.body().path("detail").asString()).endsWith("leave out If-Match");
    }
    assertThat(state()).isEqualTo(before);
    assertThat(followed(verb(path, body, "If-Match", "*")).body().path("state").asString())
        .isEqualTo("done");
  }

  @Test
  void callersWithoutTheRoleOrAKeyForgetNobody() {
    play();
    List<String> before = records.words("select t::text from member t order by 1");
    assertThat(verb(new Api(port, null), "/members/forget", FORGET).status()).isEqualTo(401);
    assertThat(verb(new Api(port, "pal_x_y"), "/members/forget", FORGET).status()).isEqualTo(401);
    for (Role role : List.of(Role.OPERATOR, Role.APPROVER, Role.WRITER, Role.VIEWER)) {
      assertThat(verb(api(role.word(), role), "/members/forget", FORGET).status()).isEqualTo(403);
    }
    Board board = world.board(Contest.rules());
    var limited = new NewKey("limited", Set.of(Role.ADMIN), Set.of(board.id()), null);
    assertThat(verb(new Api(port, key(limited)), "/members/forget", FORGET).status())
        .isEqualTo(403);
    assertThat(records.words("select t::text from member t order by 1")).isEqualTo(before);
  }

  private void play() {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Contest.facts());
    world.pass(Duration.ofDays(2));
    world.settle(day);
    servers.register("ann");
  }

  private Answer followed(Answer answer) {
    return followed(admin, answer);
  }

  private static Answer followed(Api api, Answer answer) {
    assertThat(answer.status()).as(answer.response().body()).isIn(200, 202);
    String task = answer.header("Location").replace("/api/v1", "");
    Answer followed = api.get(task + "?wait=30");
    while (followed.body().path("state").asString().equals("running")) {
      followed = api.get(task + "?wait=30&seen=" + followed.body().path("progress").size());
    }
    return followed;
  }

  @Test
  void aPersonIsForgottenOnceHoweverOftenItIsAsked() throws Exception {
    play();
    String profiles = "select count(*) from member where nickname = 'ann'";
    assertThat(verb("/members/forget?dryRun=true", FORGET).status()).isEqualTo(200);
    assertThat(records.number(profiles)).isOne();
    List<Answer> answers = atOnce(4, n -> verb("/members/forget", FORGET, KEY, "f"));
    assertThat(answers).extracting(answer -> answer.body().path("id").asLong()).hasSize(4);
    assertThat(answers.stream().map(answer -> answer.body().path("id")).distinct()).hasSize(1);
    Answer done = followed(answers.get(0));
    assertThat(done.body().path("state").asString()).as(done.response().body()).isEqualTo("done");
    assertThat(message(done)).startsWith("the profile of 'ann' is deleted");
    assertThat(records.number(profiles)).isZero();
    assertThat(records.words("select by from audit_entry where verb = 'forget'"))
        .containsExactly("key:boss");
    assertThat(records.verify().named()).isEmpty();
    assertThat(followed(verb("/members/forget", FORGET, KEY, "f")).body()).isEqualTo(done.body());
    assertThat(message(verb("/members/forget", FORGET))).contains("was deleted before");
    assertThat(records.words("select member from audit_entry where verb = 'forget' order by id"))
        .as("the second call changed nothing of a member")
        .containsExactly("ann", null);
  }
}
