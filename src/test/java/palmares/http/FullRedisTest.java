package palmares.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import palmares.writer.ApiKeys;

/** A Redis that answers, and yet cannot do what it is asked. */
@WorldTest
class FullRedisTest {
  private static final String EVENT = "{'id': '%s', 'member': 'ann', 'action': 'like'}";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Board board;
  private Api api;

  @BeforeEach
  void aBoardWithSomebodyOnIt() {
    board = world.board(Rules.day());
    api = new Api(port, keys.create("tests", Set.of()));
    assertThat(api.post(EVENT.formatted("e1")).status()).isEqualTo(200);
  }

  @AfterEach
  void memory() {
    memory("0");
  }

  @Test
  void withoutMemoryNothingIsTakenAndARetryCountsOnce() {
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
  void aRedisThatForgotItsScriptsIsSentThemAgain() {
    forgetScripts();
    assertThat(outcome("e2")).isEqualTo("applied");
    assertThat(outcome("e1")).isEqualTo("duplicate");
    assertThat(points()).isEqualTo(2);
  }

  @Test
  void aRedisThatForgotItsScriptsTakesEventsInTheirOrder() {
    forgetScripts();
    long forgotten = unknownScripts();
    String undo = EVENT.formatted("e2").replace("}", ", 'subject': 's'%s}");
    Answer answer =
        api.post(
            "[%s, %s]"
                .formatted(
                    undo.formatted(""), undo.formatted(", 'undo': true").replace("e2", "e3")));
    assertThat(answer.body().findValuesAsString("outcome"))
        .containsExactly("applied", "applied", "undone", "undone");
    // Nothing was asked for by a digest alone before the text was there.
    assertThat(unknownScripts()).isEqualTo(forgotten);
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
