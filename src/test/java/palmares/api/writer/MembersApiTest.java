package palmares.api.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.live.journal.Journal;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** Registering members, and reading them without revealing their telephone numbers. */
@WorldTest
class MembersApiTest {
  private static final String NUMBER = "+8613800138000";
  private static final String ANN =
      "{'externalId': '" + NUMBER + "', 'nickname': 'Ann', 'member': 'ann'}";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @Autowired private Journal journal;
  @Autowired private KnownMembers knownMembers;
  @LocalServerPort private int port;

  private Board board;
  private Api api;

  @BeforeEach
  void createAnInviteBoard() {
    board =
        world.board(
            Rules.of("week")
                .with("durability: committed")
                .with("actions: { invite: 100 }")
                .with("invites: { action: invite }"));
    api = new Api(port, Api.key(keys, "test"));
  }

  @Test
  void aRepeatedRegistrationGetsTheSameResponse() {
    Answer created = api.postTo("/members", ANN);
    assertThat(created.status()).isEqualTo(201);
    Answer again = api.postTo("/members", ANN);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(created.body());
    assertThat(created.body().path("member").asString()).isEqualTo("ann");
    assertThat(created.body().path("externalId").asString()).isEqualTo("***000");
  }

  @Test
  void linesShowNicknameAndInvites() {
    String code = code(api.postTo("/members", ANN));
    invite(code, "1");
    invite(code, "2");
    assertShown();
    world.settle(world.open(board));
    assertShown();
  }

  private void assertShown() {
    JsonNode line =
        api.get("/boards/%s/periods/2026-W47/top".formatted(board.id())).body().at("/lines/0");
    assertThat(line.path("nickname").asString()).isEqualTo("Ann");
    assertThat(line.has("inviteCode")).isFalse();
    assertThat(line.path("invites").asLong()).isEqualTo(2);
  }

  @Test
  void aProfileShowsInviterAndInvites() {
    String code = code(api.postTo("/members", ANN));
    String newcomer = invite(code, "1").body().path("member").asString();
    assertThat(api.get("/members/ann").body().path("invites").asLong()).isEqualTo(1);
    JsonNode profile = api.get("/members/" + newcomer).body();
    assertThat(profile.path("inviter").asString()).isEqualTo("ann");
    assertThat(profile.path("nickname").asString()).isEqualTo("newcomer 1");
    assertProblem(api.get("/members/nobody"), 404, "unknown-member");
  }

  @Test
  void activityIsReturnedLatestFirst() {
    Board day = world.board(Rules.day().with("actions: { like: 1, comment: 3 }"));
    world.take(Fact.by("ann").on("post"));
    world.pass(Duration.ofMinutes(1));
    world.take(Fact.by("ann").does("comment"));
    world.take(Fact.by("bob"));
    journal.drain(world.open(day));
    JsonNode entries = api.get("/members/ann/activity?days=1").body().path("actions");
    assertThat(entries)
        .extracting(entry -> entry.path("action").asString())
        .containsExactly("comment", "like");
    world.pass(Duration.ofDays(2));
    assertThat(api.get("/members/ann/activity?days=1").body().path("actions")).isEmpty();
    assertThat(api.get("/members/ann/activity").body().path("actions")).hasSize(2);
    assertThat(api.get("/members/ann/activity?count=1").body().path("actions")).hasSize(1);
    assertProblem(api.get("/members/ann/activity?days=32"), 400, "invalid-field");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'externalId': '+8613800138000', 'nickname': 'Other'}                    | 409 | already-registered
          {'externalId': 'other', 'nickname': 'Ann', 'member': 'ann'}              | 409 | member-taken
          {'externalId': 'other', 'nickname': 'Bob', 'inviteCode': '22222222'}     | 422 | unknown-code
          {'externalId': 'other', 'nickname': 'Bob', 'inviteCode': '?'}            | 422 | unknown-code
          {'externalId': '+8613800138000'}                                         | 400 | missing-field
          {'nickname': 'Bob'}                                                      | 400 | missing-field
          {'externalId': '+8613800138000', 'nickname': ''}                         | 400 | invalid-field
          {'externalId': 8613800138000, 'nickname': 'Bob'}                         | 400 | invalid-field
          {'externalId': '+8613800138000', 'nickname': 'B', 'phone': '138'}        | 400 | unknown-field
          {'externalId': +8613800138000}                                           | 400 | malformed
          {'externalId': p8613800138000}                                           | 400 | malformed
          ['+8613800138000']                                                       | 400 | malformed
          """)
  void anInvalidRegistrationIsRefusedWithoutRevealingTheNumber(
      String body, int status, String problem) {
    api.postTo("/members", ANN);
    Answer answer = api.postTo("/members", body);
    assertProblem(answer, status, problem);
    assertThat(answer.response().body()).doesNotContain("8613800138000", "38000");
    assertThat(records.number("select count(*) from member")).isEqualTo(1);
  }

  @Test
  void aSelfInviteHasItsOwnProblemType() {
    String code = code(api.postTo("/members", ANN));
    assertProblem(
        api.postTo("/members", ANN.replace("}", ", 'inviteCode': '" + code + "'}")),
        422,
        "self-invite");
  }

  @Test
  void theNumberIsNotInTheDatabase() {
    String code = code(api.postTo("/members", ANN));
    invite(code, "1");
    world.settle(world.open(board));
    for (String table :
        records.words("select tablename from pg_tables where schemaname = current_schema()")) {
      assertThat(records.words("select t::text from \"" + table + "\" t"))
          .as(table)
          .noneMatch(row -> row.contains("8613800138000"));
    }
  }

  /** Every role, limited to no board, to one whose lines have nicknames, and to another. */
  @Test
  void rolesAndBoardsDecideWhatIsSeenOfAPerson() {
    Board plain = world.board(Rules.day().with("actions: { like: 1 }").with("public: false"));
    String code = code(api.postTo("/members", ANN));
    String newcomer = invite(code, "1").body().path("member").asString();
    world.take(Fact.by(newcomer).to(plain));
    var shown = Set.of("member", "registeredAt");
    var named = Set.of("member", "nickname", "invites", "registeredAt");
    var all =
        Set.of(
            "member", "nickname", "inviteCode", "externalId", "inviter", "invites", "registeredAt");
    for (Role role : EnumSet.complementOf(EnumSet.of(Role.WALLET))) {
      boolean isStaff = !Set.of(Role.READER, Role.WRITER).contains(role);
      assertThat(seen(newcomer, role)).as(role.word()).isEqualTo(isStaff ? all : named);
      assertThat(seen(newcomer, role, board)).as(role + " on " + board).isEqualTo(named);
      assertThat(seen(newcomer, role, plain)).as(role + " on " + plain).isEqualTo(shown);
    }
    assertThat(caller(Role.WALLET).get("/members/" + newcomer).status()).isEqualTo(403);
  }

  private Set<String> seen(String member, Role role, Board... boards) {
    return Set.copyOf(caller(role, boards).get("/members/" + member).body().propertyNames());
  }

  private Api caller(Role role, Board... boards) {
    var ids = Arrays.stream(boards).map(Board::id).collect(Collectors.toSet());
    String name = role.word() + "-" + ids.stream().map(BoardId::value).findAny().orElse("all");
    var key = new NewKey(name, Set.of(role), ids, Api.TEN_YEARS);
    return new Api(port, Api.ownKey(keys, key, "tester"));
  }

  /** The newcomer has a line on both boards, ann only on the one that counts invites. */
  @Test
  void anExplanationShowsNoMoreOfAPersonThanTheProfile() {
    Board plain = world.board(Rules.day().with("actions: { like: 1 }").with("public: false"));
    String code = code(api.postTo("/members", ANN));
    String newcomer = invite(code, "1").body().path("member").asString();
    String own = code(api.get("/members/" + newcomer));
    invite(own, "2");
    world.take(Fact.by(newcomer).to(plain));
    var id = Set.of("member", "registeredAt");
    var named = Set.of("member", "registeredAt", "nickname");
    var all = Set.of("member", "registeredAt", "nickname", "inviteCode", "inviter");
    var whole = caller(Role.VIEWER);
    var limited = caller(Role.VIEWER, plain);
    var inviting = caller(Role.VIEWER, board);
    assertExplained(whole, explanation(plain, newcomer), all, own);
    assertExplained(whole, explanation(board, newcomer), all, own);
    assertExplained(limited, explanation(plain, newcomer), id, own);
    assertExplained(inviting, explanation(board, newcomer), named, own);

    assertThat(whole.get(explanation(plain, "ann")).status()).isEqualTo(200);
    assertThat(inviting.get("/members/ann").status()).isEqualTo(200);
    assertThat(limited.get("/members/" + newcomer).status()).as("is on the board").isEqualTo(200);
    assertProblem(limited.get("/members/ann"), 404, "unknown-member");
    for (String member : List.of("ann", "nobody")) {
      Answer refused = limited.get(explanation(plain, member));
      assertProblem(refused, 404, "unknown-member");
      assertThat(refused.body().path("detail").asString())
          .startsWith("there is no member '%s', on %s ".formatted(member, plain.id()))
          .contains("or in another of its periods");
      assertThat(limited.get(console(explanation(plain, member))).status()).isEqualTo(404);
    }
    assertProblem(limited.get(explanation(board, "ann")), 403, "forbidden");
    assertThat(limited.get("/../../console/boards/" + plain.id()).status())
        .as("a card has nicknames")
        .isEqualTo(403);
    journal.drain(world.open(plain));
    world.pass(Duration.ofDays(1));
    world.take(Fact.by("zoe").to(plain));
    assertThat(limited.get(explanation(plain, "2026-11-21", newcomer)).status())
        .as("has a line in an earlier period of the board")
        .isEqualTo(200);
    assertProblem(limited.get(explanation(plain, "2026-11-21", "ann")), 404, "unknown-member");
    world.settle(world.period(plain, "2026-11-20"));
    assertThat(limited.get("/members/" + newcomer).status()).as("was on it").isEqualTo(200);
    assertProblem(limited.get("/members/ann"), 404, "unknown-member");
    assertThat(knownMembers.knowsOn(plain.id(), new MemberId(newcomer))).isTrue();
    assertThat(knownMembers.knowsOn(board.id(), new MemberId(newcomer))).isFalse();
  }

  private String explanation(Board of, String member) {
    return explanation(of, of == board ? "2026-W47" : "2026-11-20", member);
  }

  private static String explanation(Board board, String period, String member) {
    return "/ops/boards/%s/periods/%s/members/%s/explanation".formatted(board.id(), period, member);
  }

  private static String console(String explanation) {
    return "/../../console" + explanation.replace("/ops", "").replace("/explanation", "");
  }

  /** As JSON, text, and page of the console. */
  private static void assertExplained(Api caller, String path, Set<String> fields, String code) {
    JsonNode who = caller.get(path, "Accept", Api.JSON).body().path("who");
    assertThat(who.propertyStream().filter(field -> !field.getValue().isNull()))
        .as(path)
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrderElementsOf(fields);
    String console = console(path);
    String shown = caller.get(path + "?format=table").response().body();
    assertThat(shown).as(path).contains("registered");
    assertThat(shown.contains("newcomer 1")).as(path).isEqualTo(fields.contains("nickname"));
    assertThat(shown.contains(code)).as(path).isEqualTo(fields.contains("inviteCode"));
    assertThat(shown.contains("invited by ann")).as(path).isEqualTo(fields.contains("inviter"));
    Answer page = caller.get(console);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.response().body().contains("newcomer 1"))
        .as(console)
        .isEqualTo(fields.contains("nickname"));
    assertThat(page.response().body()).doesNotContain(code, "invited by");
    assertThat(caller.get(path + "?format=csv").response().body())
        .contains("revision")
        .doesNotContain(code, "newcomer 1", "invited by");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/members/ann", "/members/ann/activity"})
  void readingMembersNeedsAKey(String path) {
    api.postTo("/members", ANN);
    var anybody = new Api(port, null);
    assertProblem(anybody.get(path), 401, "unauthorized");
    assertProblem(anybody.postTo("/members", ANN), 401, "unauthorized");
  }

  @Test
  void registeringNeedsAKeyForEveryBoardWithInvites() {
    var some = new Api(port, Api.key(keys, "some", new BoardId("another")));
    assertProblem(some.postTo("/members", ANN), 403, "forbidden");
    assertThat(records.number("select count(*) from member")).isZero();
  }

  private Answer invite(String code, String who) {
    Answer answer =
        api.postTo(
            "/members",
            "{'externalId': 'other %s', 'nickname': 'newcomer %s', 'inviteCode': '%s'}"
                .formatted(who, who, code));
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(201);
    return answer;
  }

  private static String code(Answer answer) {
    return answer.body().path("inviteCode").asString();
  }

  private static void assertProblem(Answer answer, int status, String problem) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
  }
}
