package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.method.HandlerMethod;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contract;
import palmares.testing.ProxiedServer;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/**
 * Every operation of the OpenAPI document is called by every kind of caller, on a public board and
 * on another, and answers 401 or 403 exactly where the rule in the document refuses the caller.
 */
@WorldTest
class AccessMatrixTest {
  /** The id of an award, which has that of its board. */
  private static final String AWARD = "{award}";

  @Autowired private ApiKeys keys;
  @Autowired private World world;
  @Autowired private EndpointRules rules;
  @LocalServerPort private int port;

  private int numbered;

  private final HttpClient http = HttpClient.newHttpClient();

  /** An operation and its rule, as the document states them. */
  private record Operation(
      String method,
      String path,
      String name,
      @Nullable String bodyType,
      Set<Role> roles,
      boolean unlessPublic,
      boolean checksBoards,
      boolean checksOperations,
      boolean signedIn,
      boolean givesAccess) {
    boolean hasBoard() {
      return path.contains("{board}");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /**
   * Somebody who calls.
   *
   * @param token null if none is sent
   * @param caller null if the token is not valid
   * @param limited the role of a key that is limited to boards or operations, else null
   */
  private record Somebody(
      String what, @Nullable String token, @Nullable Caller caller, @Nullable Role limited) {
    Somebody(String what, @Nullable String token) {
      this(what, token, null, null);
    }

    /** Limits are tried by two roles that may call, and by two that may not. */
    boolean calls(Operation operation) {
      return limited == null
          || Stream.of(true, false)
              .flatMap(mayCall -> firstAndLast(operation, mayCall))
              .anyMatch(limited::equals);
    }

    private static Stream<Role> firstAndLast(Operation operation, boolean mayCall) {
      List<Role> all =
          Stream.of(Role.values())
              .filter(
                  role -> {
                    Caller caller = Caller.key("any", Set.of(role), Set.of(), Set.of());
                    return operation.roles().stream().anyMatch(caller::has) == mayCall;
                  })
              .toList();
      return all.isEmpty() ? Stream.of() : Stream.of(all.get(0), all.get(all.size() - 1));
    }
  }

  private static List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    for (var path : Contract.DOCUMENT.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        if (!method.getKey().equals("parameters")) {
          JsonNode operation = method.getValue();
          operations.add(
              new Operation(
                  method.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  operation.path("operationId").asString(),
                  operation.at("/requestBody/content").propertyNames().stream()
                      .findFirst()
                      .orElse(null),
                  operation
                      .path("x-roles")
                      .valueStream()
                      .map(role -> Role.of(role.asString()))
                      .collect(Collectors.toSet()),
                  operation.has("x-unless-public"),
                  operation.has("x-checks-boards"),
                  operation.has("x-checks-operations"),
                  operation.has("x-signed-in"),
                  operation.has("x-gives-access")));
        }
      }
    }
    return operations;
  }

  /** The status that the rule alone decides; 0 if it allows the call. */
  private static int refusal(Operation operation, Somebody somebody, Board board) {
    if (somebody.token() != null && somebody.caller() == null) {
      return 401;
    }
    if (operation.roles().isEmpty()) {
      return operation.signedIn() && somebody.caller() == null ? 401 : 0;
    }
    if (operation.unlessPublic() && board.isPublic()) {
      return 0;
    }
    Caller caller = somebody.caller();
    if (caller == null) {
      return 401;
    }
    if (operation.roles().stream().noneMatch(caller::has)) {
      return 403;
    }
    boolean isOfAward = operation.path().contains(AWARD);
    boolean inScope =
        caller.boards().isEmpty()
            || (operation.checksBoards() && !isOfAward)
            || ((operation.hasBoard() || isOfAward) && caller.mayUse(board.id()));
    boolean mayCall =
        caller.operations().isEmpty()
            || operation.method().equals("GET")
            || operation.checksOperations()
            || (caller.operations().contains(operation.name()) && !operation.givesAccess());
    return inScope && mayCall ? 0 : 403;
  }

  private List<Somebody> everybody(Board board, Board another) {
    var all = new ArrayList<Somebody>();
    all.add(new Somebody("nobody", null));
    all.add(new Somebody("a wrong key", "pal_x_y"));
    String revoked = create("revoked", Role.ADMIN, Set.of(), null);
    keys.revoke("revoked", "tester", "test");
    all.add(new Somebody("a revoked key", revoked));
    String expired = create("expired", Role.ADMIN, Set.of(), Duration.ofHours(1));
    world.pass(Duration.ofHours(1));
    all.add(new Somebody("an expired key", expired));
    for (Role role : Role.values()) {
      for (Set<Board> boards : List.of(Set.<Board>of(), Set.of(board), Set.of(another))) {
        var ids = boards.stream().map(Board::id).collect(Collectors.toSet());
        String name = role.word() + " on " + ids;
        all.add(
            new Somebody(
                name,
                create(name, role, boards, null),
                Caller.key(name, Set.of(role), ids, Set.of()),
                ids.isEmpty() ? null : role));
      }
      all.add(limited(role, Set.of("opsClose", "opsVerify", "takeEvents", "opsCreateKey")));
    }
    return all;
  }

  private Somebody limited(Role role, Set<String> operations) {
    String name = role.word() + " limited to " + operations;
    var key =
        new NewKey(role.word() + " limited", Set.of(role), Set.of(), operations, Api.TEN_YEARS);
    return new Somebody(
        name,
        Api.ownKey(keys, key, "tester"),
        Caller.key(name, Set.of(role), Set.of(), operations),
        role);
  }

  private String create(String name, Role role, Set<Board> boards, @Nullable Duration validFor) {
    var ids = boards.stream().map(Board::id).collect(Collectors.toSet());
    Duration lasting = validFor == null ? Api.TEN_YEARS : validFor;
    return Api.ownKey(keys, new NewKey(name, Set.of(role), ids, lasting), "tester");
  }

  @Test
  void everyOperationAnswersEverybodyAsItsRuleSays() throws Exception {
    Board shown = world.board(Rules.day());
    Board hidden = world.board(Rules.day().with("public: false"));
    var wrong = new ArrayList<String>();
    List<Somebody> everybody = everybody(hidden, shown);
    int calls = 0;
    for (Operation operation : operations()) {
      for (Board board : operation.hasBoard() ? List.of(shown, hidden) : List.of(hidden)) {
        for (Somebody somebody :
            everybody.stream().filter(each -> each.calls(operation)).toList()) {
          int expected = refusal(operation, somebody, board);
          HttpResponse<String> answer = call(operation, somebody, board);
          int status = answer.statusCode();
          if (expected == 0 ? status == 401 || status == 403 : status != expected) {
            wrong.add(
                "%s by %s on %s: %d, not %d: %s"
                    .formatted(operation, somebody.what(), board, status, expected, answer.body()));
          }
          if (status == 401) {
            assertThat(answer.headers().firstValue("WWW-Authenticate"))
                .hasValue("Bearer realm=\"palmares\"");
          }
          calls++;
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(calls).isGreaterThan(500);
  }

  /** As a resource of the operations API. */
  interface Readable {
    @Requires(Role.VIEWER)
    String read();
  }

  @Test
  void whatHasNoRuleIsCalledByNobody() throws Exception {
    for (Object handler : List.of(new Object(), new HandlerMethod(this, "toString"))) {
      assertThatThrownBy(() -> rules.preHandle(request("GET"), response(), handler))
          .isInstanceOfSatisfying(
              Refusal.class,
              refused -> assertThat(refused.problem()).isEqualTo(Problem.UNAUTHORIZED));
    }
    Runnable withoutRule = rules.guarded(Runnable.class, () -> {});
    assertThatThrownBy(withoutRule::run).hasMessage("nobody may call run");
  }

  /** Pages are no operations of the document, and call resources in this process. */
  @Test
  void aKeyThatIsLimitedToOperationsReadsNoPageOfDataAndSendsNoForm() throws Exception {
    Readable resource = () -> "data";
    var method = new HandlerMethod(resource, Readable.class.getMethod("read"));
    var limited = Caller.key("night", Set.of(Role.VIEWER), Set.of(), Set.of("opsClose"));
    SecurityContextHolder.getContext().setAuthentication(limited.authentication());
    try {
      assertThat(rules.preHandle(request("GET"), response(), method)).isTrue();
      assertThatThrownBy(() -> rules.preHandle(request("POST"), response(), method))
          .hasMessage("key:night is limited to the operations opsClose, and this is another");
      Readable guarded = rules.guarded(Readable.class, resource);
      assertThatThrownBy(guarded::read).hasMessage("key:night is limited to operations of the API");
    } finally {
      SecurityContextHolder.clearContext();
    }
  }

  private static MockHttpServletRequest request(String method) {
    return new MockHttpServletRequest(method, "/console/verbs/close");
  }

  private static MockHttpServletResponse response() {
    return new MockHttpServletResponse();
  }

  /** On collections, a key that is limited to a board names it. */
  @Test
  void aKeyThatIsLimitedToABoardReadsWhatConcernsItAlone() throws Exception {
    Board own = world.board(Rules.day());
    Board other = world.board(Rules.day());
    var limited =
        new Somebody(
            "own board by query",
            create("limited", Role.VIEWER, Set.of(own), null),
            Caller.key("limited", Set.of(Role.VIEWER), Set.of(own.id()), Set.of()),
            Role.VIEWER);
    var collections = new ArrayList<String>();
    for (Operation operation : operations()) {
      if (operation.method().equals("GET")
          && !operation.hasBoard()
          && operation.roles().equals(Set.of(Role.VIEWER))
          && !operation.checksBoards()) {
        for (String query :
            List.of(
                "",
                "?board=",
                "?board=" + other.id(),
                "?board=%s&board=%s".formatted(own.id(), other.id()),
                "?board=%s,%s".formatted(own.id(), other.id()))) {
          assertThat(call(operation, query, limited, own).statusCode())
              .as(operation + query)
              .isEqualTo(403);
        }
        int status = call(operation, "?board=" + own.id(), limited, own).statusCode();
        assertThat(status).as(operation.toString()).isIn(200, 403);
        if (status == 200) {
          collections.add(operation.name());
        }
      }
    }
    assertThat(collections)
        .containsExactlyInAnyOrder(
            "opsAuditLog",
            "opsInbox",
            "opsInvites",
            "opsLateEventList",
            "opsPeriodList",
            "opsQuarantine",
            "opsRuns",
            "opsWithheld");
  }

  private HttpResponse<String> call(Operation operation, Somebody somebody, Board board)
      throws IOException, InterruptedException {
    return call(operation, "", somebody, board);
  }

  private HttpResponse<String> call(
      Operation operation, String query, Somebody somebody, Board board)
      throws IOException, InterruptedException {
    String path =
        operation
                .path()
                .replace("{board}", board.id().value())
                .replace("{period}", "1999-01-01")
                .replace(AWARD, URLEncoder.encode(board.id() + "/1999-01-01/1/x/x/x/award", UTF_8))
                .replaceAll("\\{\\w+\\}", "x1")
            + query;
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (somebody.token() != null) {
      request.header("Authorization", "Bearer " + somebody.token());
    }
    if (operation.bodyType() == null) {
      request.method(operation.method(), BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", operation.bodyType())
          .method(operation.method(), BodyPublishers.ofString("{}"));
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    Contract.check(answer);
    return answer;
  }

  /** Through the chain of events, that of all else, and a page; each path by another key. */
  @Test
  void aKeyAndAnAddressThatSendTooManyRequestsWaitAndOthersDoNot(
      @Autowired ApplicationContext context) throws IOException {
    try (var limited =
        new ProxiedServer(
            context,
            "--palmares.limits.requests-per-caller=2",
            "--palmares.limits.requests-per-address=2")) {
      world.now(limited.application().getBean(Clock.class).instant());
      for (String path : List.of("/events", "/ops/periods", "/../../console/boards")) {
        assertIsRefused(limited(limited, Role.VIEWER), path);
        assertThat(sent(limited(limited, Role.VIEWER), path).status())
            .as("by another key: " + path)
            .isEqualTo(200);
      }
      assertIsRefused(new Api(limited.port(), null), "/boards/none/periods/current/top");
      assertThat(limited(limited, Role.READER).get("/boards/none/periods/current/top").status())
          .as("by a key, from the same address")
          .isEqualTo(404);
    }
  }

  private Api limited(ProxiedServer server, Role role) {
    var key = new NewKey("key-" + ++numbered, Set.of(role, Role.WRITER), Set.of(), Api.TEN_YEARS);
    return new Api(server.port(), Api.ownKey(keys, key, "tester"));
  }

  private static Answer sent(Api caller, String path) {
    return path.equals("/events") ? caller.post("[]") : caller.get(path);
  }

  /** Within a few requests, as half a second gives back one. */
  private static void assertIsRefused(Api caller, String path) {
    Answer first = sent(caller, path);
    assertThat(first.status()).as(path).isNotEqualTo(429);
    Answer last = first;
    for (int i = 0; i < 50 && last.status() != 429; i++) {
      last = sent(caller, path);
    }
    assertThat(last.status()).as(path).isEqualTo(429);
    assertThat(last.header("Retry-After")).as(path).matches("[1-9]\\d*");
    if (!path.contains("console")) {
      assertThat(last.problem()).isEqualTo("urn:palmares:problem:too-many-requests");
    }
  }
}
