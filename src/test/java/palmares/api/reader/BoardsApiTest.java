package palmares.api.reader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** Reads return the same lines from the live board and once the period is settled. */
@WorldTest
class BoardsApiTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Period day;
  private Api api;

  @BeforeEach
  void createAContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    api = new Api(port, null);
  }

  @Test
  void topMemberAndAroundAgreeLiveAndSettled() {
    List<String> live = lines(get("current", "/top"));
    assertThat(live).containsExactly("1 ann 200", "2 cid 100", "2 bob 100", "4 dan 1", "5 eve 0");
    assertSame(live, "current");
    world.settle(day);
    assertSame(live, "2026-11-20");
  }

  private void assertSame(List<String> all, String period) {
    assertThat(lines(get(period, "/top"))).isEqualTo(all);
    assertThat(lines(get(period, "/top?count=2"))).isEqualTo(all.subList(0, 2));
    assertThat(line(get(period, "/members/bob").body())).isEqualTo("2 bob 100");
    assertThat(lines(get(period, "/members/bob/around?neighbours=1"))).isEqualTo(all.subList(1, 4));
    assertThat(lines(get(period, "/members/ann/around?neighbours=0"))).isEqualTo(all.subList(0, 1));
    assertThat(lines(get(period, "/members/eve/around"))).isEqualTo(all);
  }

  @Test
  void pagesAndRanksAgreeLiveAndSettled() {
    assertPages("current");
    assertThat(rank("current", 1)).isEqualTo("{'rank':1,'members':5,'points':200,'needed':200}");
    assertThat(rank("current", 3)).isEqualTo("{'rank':3,'members':5,'points':100,'needed':100}");
    assertThat(rank("current", 6)).isEqualTo("{'rank':6,'members':5,'needed':0}");
    world.settle(day);
    assertPages("2026-11-20");
    assertThat(rank("2026-11-20", 3)).isEqualTo("{'rank':3,'members':5,'points':100}");
  }

  private void assertPages(String period) {
    Answer first = get(period, "/top?count=2");
    Answer second = get(period, "/top?count=2&after=" + first.body().path("next").asString());
    Answer third = get(period, "/top?count=2&after=" + second.body().path("next").asString());
    assertThat(lines(first)).containsExactly("1 ann 200", "2 cid 100");
    assertThat(lines(second)).containsExactly("2 bob 100", "4 dan 1");
    assertThat(lines(third)).containsExactly("5 eve 0");
    assertThat(third.body().has("next")).isFalse();
    assertThat(lines(get(period, "/top?count=2&fromRank=3"))).containsExactly("4 dan 1", "5 eve 0");
    assertThat(lines(get(period, "/top?fromRank=6"))).isEmpty();
    assertThat(get(period, "").body().path("members").asLong()).isEqualTo(5);
    assertThat(get(period, "").body().has("lines")).isFalse();
  }

  private String rank(String period, long rank) {
    return get(period, "/ranks/" + rank)
        .body()
        .toString()
        .replace('"', '\'')
        .replaceFirst("'asOf':'[^']+',", "");
  }

  @Test
  void friendsHaveTheirRanksOnTheWholeBoard() {
    assertFriends("current");
    world.settle(day);
    assertFriends("2026-11-20");
  }

  private void assertFriends(String period) {
    String path = "/boards/" + day.board() + "/periods/" + period + "/friends";
    for (Answer answer :
        List.of(
            api.get(path + "?member=eve&member=zoe&member=bob&member=eve"),
            api.post(path, Api.JSON, "{\"members\": [\"eve\", \"zoe\", \"bob\", \"eve\"]}"))) {
      assertThat(lines(answer)).containsExactly("2 bob 100", "5 eve 0");
      assertThat(answer.body().path("absent").toString()).isEqualTo("[\"zoe\"]");
      assertThat(answer.body().path("members").asLong()).isEqualTo(5);
    }
  }

  @Test
  void thePercentileIsTheShareOfMembersNotAhead() {
    var shares = List.of(100.0, 80.0, 80.0, 40.0, 20.0);
    assertThat(percentiles("current")).isEqualTo(shares);
    world.settle(day);
    assertThat(percentiles("2026-11-20")).isEqualTo(shares);
    Board lonely = world.board(Rules.day());
    world.take(Fact.by("ann").to(lonely));
    assertThat(
            api.get("/boards/" + lonely.id() + "/periods/current/members/ann")
                .body()
                .path("percentile")
                .asDouble())
        .isEqualTo(100.0);
    assertThat(BoardsController.MemberLineView.percentile(1, 1_000_000)).isEqualTo("99.99");
  }

  private List<Double> percentiles(String period) {
    return Stream.of("ann", "bob", "cid", "dan", "eve")
        .map(member -> get(period, "/members/" + member).body().path("percentile").asDouble())
        .toList();
  }

  @Test
  void aLiveAnswerSaysWhenItWasReadByTheClockOfTheSandbox() {
    for (String path :
        List.of(
            "", "/top", "/members/bob", "/members/bob/around", "/ranks/1", "/friends?member=bob")) {
      assertIsAsOfNow(path, () -> get("current", path));
    }
    String friends = "/boards/%s/periods/current/friends".formatted(day.board());
    assertIsAsOfNow("POST friends", () -> api.post(friends, Api.JSON, "{\"members\": [\"bob\"]}"));
    world.settle(day);
    assertThat(get("2026-11-20", "/top").body().has("asOf")).isFalse();
    assertThat(get("2026-11-20", "/members/bob").body().has("asOf")).isFalse();
  }

  private void assertIsAsOfNow(String what, Supplier<Answer> call) {
    assertThat(Instant.parse(call.get().body().path("asOf").asString()))
        .as(what)
        .isEqualTo(world.now());
  }

  @Test
  void aBoardThatWasNeverWrittenIsAnsweredAsOfTheTimeOfPostgres() {
    Board quiet = world.board(Rules.day());
    world.open(quiet);
    assertThat(api.get("/boards/" + quiet.id() + "/periods/current/top").body().path("asOf"))
        .hasToString("\"2026-11-20T10:00:00Z\"");
  }

  @Test
  void aPeriodSaysWhenItClosesAndWhenTheNextOneStarts() {
    for (String path : List.of("", "/top", "/friends?member=bob", "/members/bob/around")) {
      JsonNode body = get("current", path).body();
      assertThat(body.path("closesAt").asString()).isEqualTo("2026-11-21T00:10:00Z");
      assertThat(body.path("nextStartsAt").asString()).isEqualTo("2026-11-21T00:00:00Z");
    }
    world.settle(day);
    assertThat(get("2026-11-20", "").body().path("nextStartsAt").asString())
        .isEqualTo("2026-11-21T00:00:00Z");
    Board seasons =
        world.board(
            Rules.of("seasons")
                .with("seasons: [{ name: autumn, from: 2026-11-01, to: 2026-11-30 }]"));
    world.open(seasons);
    JsonNode last = api.get("/boards/" + seasons.id() + "/periods/autumn").body();
    assertThat(last.has("closesAt")).isTrue();
    assertThat(last.has("nextStartsAt")).isFalse();
  }

  @Test
  void theListOfPeriodsSaysWhenTheNextOneOfTheBoardStarts() {
    Board daily = world.board(Rules.day());
    Period first = world.open(daily);
    assertThat(nextStarts(daily)).containsExactly("2026-11-20 null");
    world.settle(first);
    world.open(daily);
    assertThat(nextStarts(daily))
        .containsExactlyInAnyOrder("2026-11-20 \"2026-11-21T00:00:00Z\"", "2026-11-21 null");
  }

  private List<String> nextStarts(Board board) {
    return new Api(port, Api.key(keys, "viewer"))
        .get("/ops/periods?board=" + board.id())
        .body()
        .valueStream()
        .map(row -> row.path("period").asString() + " " + row.path("nextStartsAt"))
        .toList();
  }

  @Test
  void anUnchangedBoardReturns304() {
    for (String path : List.of("", "/top", "/members/bob", "/friends?member=bob", "/ranks/1")) {
      String tag = get("current", path).header("ETag");
      assertThat(tag).startsWith("W/\"");
      assertThat(known("current", path, tag).status()).as(path).isEqualTo(304);
      assertThat(known("current", path, "\"another\"").status()).isEqualTo(200);
      world.take(Fact.by("fay"));
      Answer changed = known("current", path, tag);
      assertThat(changed.status()).as(path).isEqualTo(200);
      assertThat(changed.header("ETag")).isNotEqualTo(tag);
    }
    String live = get("current", "/top").header("ETag");
    assertThat(known("current", "/members/nobody", live).status()).isEqualTo(404);
    assertThat(known("current", "/top?after=x", live).status()).isEqualTo(400);
    world.settle(day);
    assertThat(known("2026-11-20", "/top", live).status()).isEqualTo(200);
    String settled = get("2026-11-20", "/top").header("ETag");
    assertThat(known("2026-11-20", "/top", settled).status()).isEqualTo(304);
  }

  private Answer known(String period, String path, String tag) {
    return api.get("/boards/" + day.board() + "/periods/" + period + path, "If-None-Match", tag);
  }

  @Test
  void aCursorIsValidForItsPeriodOnly() {
    String next = get("current", "/top?count=2").body().path("next").asString();
    Period other = world.open(world.board(Contest.rules()));
    Answer elsewhere = api.get("/boards/" + other.board() + "/periods/current/top?after=" + next);
    assertProblem(elsewhere, 400, "invalid-cursor");
    for (String wrong : List.of("x", "%20", next.substring(1), next + "A", "MQoyCjM")) {
      assertProblem(get("current", "/top?after=" + wrong), 400, "invalid-cursor");
    }
    assertProblem(get("current", "/top?fromRank=1&after=" + next), 400, "invalid-field");
    world.settle(day);
    for (String forged :
        List.of("5\n" + "a".repeat(70), "5\n" + "9".repeat(80), "\n" + "a".repeat(70))) {
      String cursor =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString((day.id().value() + "\n" + forged).getBytes(UTF_8));
      assertThat(get("2026-11-20", "/top?after=" + cursor).status()).as(forged).isBetween(400, 410);
    }
  }

  @Test
  void aCursorStaysValidAfterSettlingUnlessItsLineMoved() {
    String stays = get("current", "/top?count=2").body().path("next").asString();
    String moves = get("current", "/top?count=3").body().path("next").asString();
    world.take(Fact.by("bob").on("another"));
    world.settle(day);
    assertThat(lines(get("2026-11-20", "/top?after=" + stays)))
        .containsExactly("4 dan 1", "5 eve 0");
    assertProblem(get("2026-11-20", "/top?after=" + moves), 410, "stale-cursor");
  }

  @Test
  void aLostLiveBoardIsAProblem() {
    servers.flush();
    for (String path : List.of("", "/top", "/members/ann", "/friends?member=bob", "/ranks/1")) {
      assertProblem(get("current", path), 503, "live-board-gone");
    }
    Period fresh = world.open(world.board(Rules.day()));
    Answer empty = api.get("/boards/" + fresh.board() + "/periods/current/top");
    assertThat(empty.body().path("members").asLong(-1)).isZero();
  }

  @Test
  void invalidFriendsAreRefused() {
    String path = "/boards/" + day.board() + "/periods/current/friends";
    assertProblem(api.post(path, Api.JSON, "[]"), 400, "malformed");
    assertProblem(api.post(path, Api.JSON, "{}"), 400, "missing-field");
    assertProblem(api.post(path, Api.JSON, "{\"members\": 7}"), 400, "invalid-field");
    assertProblem(api.post(path, Api.JSON, "{\"members\": [7]}"), 400, "invalid-field");
    assertProblem(api.post(path, Api.JSON, "{\"members\": [\"\"]}"), 400, "invalid-field");
    assertProblem(api.post(path, Api.JSON, "{\"friends\": []}"), 400, "unknown-field");
    assertProblem(api.post(path, Api.JSON, members(1_001)), 413, "too-many-members");
    assertThat(api.post(path, Api.JSON, members(1_000)).status()).isEqualTo(200);
    assertProblem(api.post(path, Api.JSON, " ".repeat(1 << 20) + "{}"), 413, "too-large");
  }

  private static String members(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"m" + i + "\"")
        .collect(Collectors.joining(",", "{\"members\": [", "]}"));
  }

  @Test
  void creditsAppearOnceTheyArePaid() {
    assertThat(get("current", "/members/ann").body().has("credits")).isFalse();
    assertThat(get("current", "/top").body().path("state").asString()).isEqualTo("open");
    world.settle(day);
    assertThat(get("2026-11-20", "/members/ann").body().path("credits").asLong()).isEqualTo(1040);
    assertThat(get("2026-11-20", "/members/dan").body().path("credits").asLong()).isZero();
    assertThat(get("2026-11-20", "/top").body().path("state").asString()).isEqualTo("settled");
  }

  /** No client takes a text apart to learn what was paid. */
  @Test
  void whatIsPaidInOtherCurrenciesIsAList() {
    Board board =
        world.board(
            Rules.day().with("rewards: [{ rule: first, currency: gems, ranks: { 1: 5 } }]"));
    Period other = world.open(board);
    world.take(
        List.of(
            Fact.by("ann").does("coin").times(2).to(board), Fact.by("bob").does("coin").to(board)));
    world.settle(other);
    String path = "/boards/%s/periods/%s/members/".formatted(board.id(), other.name());
    JsonNode first = api.get(path + "ann").body();
    assertThat(first.path("credits").asLong()).isZero();
    assertThat(first.path("otherPrizes").toString())
        .isEqualTo("[{\"currency\":\"gems\",\"amount\":5}]");
    assertThat(api.get(path + "bob").body().has("otherPrizes")).isFalse();
  }

  @Test
  void unknownBoardsPeriodsAndMembersAreNotFound() {
    var reader = new Api(port, Api.key(keys, "reader"));
    for (String board : List.of("nowhere", "No%20where")) {
      String path = "/boards/" + board + "/periods/current/top";
      assertProblem(reader.get(path), 404, "unknown-board");
      assertProblem(api.get(path), 401, "unauthorized");
    }
    for (String period : List.of("2026-11-19", "2026-W47", "soon", "%20")) {
      assertProblem(get(period, "/top"), 404, "unknown-period");
    }
    assertProblem(get("current", "/members/zoe"), 404, "unknown-member");
    assertProblem(get("current", "/members/zoe/around"), 404, "unknown-member");
    world.settle(day);
    assertProblem(get("2026-11-20", "/members/zoe/around"), 404, "unknown-member");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/top?count=0",
        "/top?count=-1",
        "/top?count=1001",
        "/top?count=many",
        "/top?count=99999999999",
        "/top?fromRank=0",
        "/top?fromRank=9007199254740993",
        "/ranks/0",
        "/ranks/first",
        "/friends?member=a%00b",
        "/members/bob/around?neighbours=-1",
        "/members/a%00b",
        "/members/1234567890123456789012345678901234567890123456789012345678901234567"
      })
  void invalidParametersAreABadRequest(String path) {
    Answer answer = get("current", path);
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void memberIdsMayContainAnyCharacter() {
    world.take(Fact.by("a b:\u00e9\uD83D\uDE00?"));
    Answer answer = get("current", "/members/a%20b%3A%C3%A9%F0%9F%98%80%3F");
    assertThat(line(answer.body())).endsWith("a b:\u00e9\uD83D\uDE00? 1");
  }

  @Test
  void memberIdsMayContainASlash() {
    world.take(Fact.by("team/ann"));
    assertThat(line(get("current", "/members/team%2Fann").body())).endsWith("team/ann 1");
    assertThat(lines(get("current", "/members/team%2Fann/around?neighbours=0"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/members/%00", "/members/%ff", "/members/a%C3", "/top/%00?count=1"})
  void anInvalidPathIsAProblemWithoutAStackTrace(String path) {
    Answer answer = get("current", path);
    assertProblem(answer, 400, "bad-request");
    assertThat(answer.type()).startsWith("application/problem+json");
    assertThat(answer.body().path("status").asInt()).isEqualTo(400);
    assertThat(answer.body().path("title").asString()).isEqualTo("Bad request");
    assertThat(answer.response().body()).doesNotContain("<html", "org.apache", "Tomcat");
  }

  @Test
  void anInvalidRequestLineIsAProblem() throws IOException {
    try (var socket = new Socket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write("GET /api/<v1> HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "urn:palmares:problem:bad-request")
          .doesNotContain("<html");
    }
  }

  @Test
  void aMissingCurrentPeriodIsAProblem() {
    Board quiet = world.board(Rules.day());
    assertThat(current(quiet)).contains("is not open yet");
    Board between =
        world.board(
            Rules.of("seasons")
                .with("seasons: [{ name: spring, from: 2027-03-01, to: 2027-05-31 }]"));
    assertThat(current(between)).endsWith("has no current period: name one, such as spring");
  }

  private String current(Board board) {
    Answer answer = api.get("/boards/" + board.id() + "/periods/current/top");
    assertProblem(answer, 404, "unknown-period");
    return answer.body().path("detail").asString();
  }

  private Answer get(String period, String path) {
    return api.get("/boards/" + day.board() + "/periods/" + period + path);
  }

  private static List<String> lines(Answer answer) {
    var lines = new ArrayList<String>();
    answer.body().path("lines").forEach(line -> lines.add(line(line)));
    return lines;
  }

  private static String line(JsonNode line) {
    return "%d %s %d"
        .formatted(
            line.path("rank").asLong(),
            line.path("member").asString(),
            line.path("points").asLong());
  }

  private static void assertProblem(Answer answer, int status, String problem) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
  }
}
