package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** Behaviour when Redis has no memory left or has lost its scripts. */
@WorldTest
class FullRedisTest {
  private static final String EVENT = "{'id': '%s', 'member': 'ann', 'action': 'like'}";
  private static final int MORE_THAN_A_CALL = 200;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Board board;
  private Api api;

  @BeforeEach
  void createABoardWithAMember() {
    board = world.board(Rules.day());
    api = new Api(port, Api.key(keys, "tests"));
    assertThat(api.post(EVENT.formatted("e1")).status()).isEqualTo(200);
  }

  @AfterEach
  void memory() {
    memory("0");
  }

  @Test
  void withoutMemoryEventsAreRefusedAndARetryCountsOnce() {
    memory("1");
    Answer answer = api.post(EVENT.formatted("e2"));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:redis-full");
    assertThat(answer.header("Retry-After")).isEqualTo("30");
    assertThat(points()).isEqualTo(1);
    assertThat(api.get("/boards/" + board.id() + "/periods/current/top").status()).isEqualTo(200);
    memory("0");
    assertThat(outcome("e2")).isEqualTo("applied");
    assertThat(outcome("e2")).isEqualTo("duplicate");
    assertThat(points()).isEqualTo(2);
  }

  @Test
  void lostScriptsAreSentAgain() {
    forgetScripts();
    assertThat(outcome("e2")).isEqualTo("applied");
    assertThat(outcome("e1")).isEqualTo("duplicate");
    assertThat(points()).isEqualTo(2);
  }

  @Test
  void eventsKeepTheirOrderWhenScriptsAreLost() {
    forgetScripts();
    long forgotten = unknownScripts();
    var events = new ArrayList<String>();
    events.add(on("e2", "'subject': 's'"));
    IntStream.range(0, MORE_THAN_A_CALL).forEach(i -> events.add(EVENT.formatted("f" + i)));
    events.add(on("e3", "'subject': 's', 'undo': true"));
    JsonNode outcomes = api.post(events.toString()).body();
    assertThat(outcomes.get(0).path("outcome").asString()).isEqualTo("applied");
    assertThat(outcomes.get(events.size() - 1).path("outcome").asString()).isEqualTo("undone");
    // No script was called by its digest alone before its text was sent.
    assertThat(unknownScripts()).isEqualTo(forgotten);
  }

  private static String on(String id, String more) {
    return EVENT.formatted(id).replace("}", ", " + more + "}");
  }

  private String outcome(String id) {
    return api.post(EVENT.formatted(id)).body().path("outcome").asString();
  }

  private long points() {
    return records.live(world.open(board)).stream().mapToLong(Line::points).sum();
  }

  private void forgetScripts() {
    servers.redis(
        connection -> {
          connection.scriptingCommands().scriptFlush();
          return true;
        });
  }

  private long unknownScripts() {
    return servers.redis(
        connection -> {
          String count =
              String.valueOf(
                  connection
                      .serverCommands()
                      .info("errorstats")
                      .getProperty("errorstat_NOSCRIPT", "count=0"));
          return Long.parseLong(count.substring("count=".length()));
        });
  }

  private void memory(String most) {
    servers.redis(
        connection -> {
          connection.serverCommands().setConfig("maxmemory", most);
          return true;
        });
  }
}
