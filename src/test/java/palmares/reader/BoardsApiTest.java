package palmares.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.board.Board;
import palmares.period.Period;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** The door for readers: the same lines while a period goes on and once it is settled. */
@WorldTest
class BoardsApiTest {
  @Autowired private World world;
  @LocalServerPort private int port;

  private Period day;
  private Api api;

  @BeforeEach
  void aContest() {
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
  void creditsAreToldOnceTheyArePaid() {
    assertThat(get("current", "/members/ann").body().has("credits")).isFalse();
    assertThat(get("current", "/top").body().path("state").asString()).isEqualTo("open");
    world.settle(day);
    assertThat(get("2026-11-20", "/members/ann").body().path("credits").asLong()).isEqualTo(1040);
    assertThat(get("2026-11-20", "/members/dan").body().path("credits").asLong()).isZero();
    assertThat(get("2026-11-20", "/top").body().path("state").asString()).isEqualTo("settled");
  }

  @Test
  void whatThereIsNotIsNotFound() {
    assertProblem(api.get("/boards/nowhere/periods/current/top"), 404, "unknown-board");
    assertProblem(api.get("/boards/No%20where/periods/current/top"), 404, "unknown-board");
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
        "/members/bob/around?neighbours=-1",
        "/members/a%00b",
        "/members/1234567890123456789012345678901234567890123456789012345678901234567"
      })
  void aQuestionThatMakesNoSenseIsABadRequest(String path) {
    Answer answer = get("current", path);
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void aMemberIsFoundByWhateverItsIdHolds() {
    world.take(Fact.by("a b:\u00e9\uD83D\uDE00?"));
    Answer answer = get("current", "/members/a%20b%3A%C3%A9%F0%9F%98%80%3F");
    assertThat(line(answer.body())).endsWith("a b:\u00e9\uD83D\uDE00? 1");
  }

  @Test
  void aMembersIdMayHoldASlash() {
    world.take(Fact.by("team/ann"));
    assertThat(line(get("current", "/members/team%2Fann").body())).endsWith("team/ann 1");
    assertThat(lines(get("current", "/members/team%2Fann/around?neighbours=0"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/members/%00", "/members/%ff", "/members/a%C3", "/top/%00?count=1"})
  void anAddressThatCannotBeReadIsAProblemWithoutAStack(String path) {
    Answer answer = get("current", path);
    assertProblem(answer, 400, "bad-request");
    assertThat(answer.type()).startsWith("application/problem+json");
    assertThat(answer.body().path("status").asInt()).isEqualTo(400);
    assertThat(answer.body().path("title").asString()).isEqualTo("Bad Request");
    assertThat(answer.response().body()).doesNotContain("<html", "org.apache", "Tomcat");
  }

  @Test
  void aRequestLineThatCannotBeReadIsAProblemToo() throws IOException {
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
  void whereThereIsNoPresentPeriodThatIsSaid() {
    Board quiet = world.board(Rules.day());
    assertThat(current(quiet)).contains("is not open yet");
    Board between =
        world.board(
            Rules.of("seasons")
                .with("seasons: [{ name: spring, from: 2027-03-01, to: 2027-05-31 }]"));
    assertThat(current(between)).endsWith("has no period at present: name one as spring");
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
