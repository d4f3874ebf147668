package palmares.api.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/** A repeated request with the same key gets the same response, and is processed once. */
@WorldTest
class IdempotencyTest {
  private static final String REPLAYED = "Idempotent-Replayed";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Board board;
  private Api api;

  @BeforeEach
  void createABoardAndAKey() {
    board = world.board(Rules.day().with("max-points: 5").with("actions: { like: 1 }"));
    api = new Api(port, Api.key(keys, "tests"));
  }

  @Test
  void aRepeatedRequestGetsTheSameResponse() {
    Answer first = post("k1", like("e1"));
    Answer again = post("k1", like("e1"));
    assertThat(first.header(REPLAYED)).isEmpty();
    assertThat(again.header(REPLAYED)).isEqualTo("true");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.type()).isEqualTo(first.type());
    assertThat(again.response().body())
        .isEqualTo(first.response().body())
        .contains("\"outcome\":\"applied\"");
    assertThat(post("\"k1\"", like("e1")).header(REPLAYED)).isEqualTo("true");
    assertThat(post("k2", like("e1")).body().path("outcome").asString()).isEqualTo("duplicate");
  }

  @Test
  void refusalsAreStoredToo() {
    IntStream.range(0, 5).forEach(i -> api.post(like("e" + i)));
    Answer first = post("k1", like("last"));
    Answer again = post("k1", like("last"));
    assertThat(first.problem()).isEqualTo("urn:palmares:problem:max-points");
    assertThat(again.status()).isEqualTo(422);
    assertThat(again.type()).isEqualTo("application/problem+json");
    assertThat(again.response().body()).isEqualTo(first.response().body());
  }

  @Test
  void aDifferentRequestWithTheSameKeyIsRefused() {
    post("k1", like("e1"));
    assertProblem(post("k1", like("e2")), 422, "idempotency-key-reused");
    assertThat(points()).isEqualTo(1);
  }

  @Test
  void keysOfDifferentCallersDoNotCollide() {
    post("k1", like("e1"));
    Answer answer =
        new Api(port, Api.key(keys, "others"))
            .post("/events", Api.JSON, like("e2"), "Idempotency-Key", "k1");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header(REPLAYED)).isEmpty();
  }

  @Test
  void aRequestThatWasNotProcessedMayBeRepeated() {
    assertProblem(post("k1", "nonsense"), 400, "malformed");
    assertThat(post("k1", like("e1")).status()).isEqualTo(200);
  }

  @Test
  void afterADayEventsStillCountOnceByTheirIds() {
    post("k1", like("e1"));
    servers.redis(
        connection -> {
          var kept = connection.keyCommands().keys("palmares:answer:*".getBytes(UTF_8));
          assertThat(kept).hasSize(1);
          assertThat(connection.keyCommands().ttl(kept.iterator().next()))
              .isBetween(86_000L, 86_400L);
          return connection.keyCommands().del(kept.iterator().next());
        });
    assertThat(post("k1", like("e1")).body().path("outcome").asString()).isEqualTo("duplicate");
    assertThat(points()).isEqualTo(1);
  }

  @Test
  void aLargeResponseIsNotStoredAndEventsCountOnce() {
    String many =
        IntStream.range(0, 1_000)
            .mapToObj(i -> like("e" + i).replace("ann", "m" + i))
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(post("k1", many).response().body()).contains("applied");
    Answer again = post("k1", many);
    assertThat(again.header(REPLAYED)).isEmpty();
    assertThat(again.response().body()).contains("duplicate").doesNotContain("applied");
  }

  @Test
  void ofConcurrentRequestsOneIsProcessed() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    var start = new CountDownLatch(1);
    var answers = new ArrayList<Future<Answer>>();
    for (int i = 0; i < 8; i++) {
      answers.add(
          threads.submit(
              () -> {
                start.await();
                return post("k1", like("e1"));
              }));
    }
    start.countDown();
    var applied = new ArrayList<String>();
    for (Future<Answer> answer : answers) {
      Answer got = answer.get();
      if (got.status() == 200) {
        applied.add(got.body().path("outcome").asString());
      } else {
        assertProblem(got, 409, "idempotency-key-in-use");
      }
    }
    threads.shutdown();
    assertThat(applied).isNotEmpty().containsOnly("applied");
    assertThat(points()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\"a", "a b", "\"a b\"", "a\"b", "\"\"", "\"\"a\"\"", "\"a\"b\""})
  void anInvalidKeyIsRefused(String key) {
    assertProblem(post(key, like("e1")), 400, "invalid-idempotency-key");
    assertProblem(post("k".repeat(256), like("e1")), 400, "invalid-idempotency-key");
    assertThat(post("k".repeat(255), like("e1")).status()).isEqualTo(200);
  }

  @Test
  void twoKeysAreRefused() {
    Answer refused =
        api.post("/events", Api.JSON, like("e1"), "Idempotency-Key", "k1", "Idempotency-Key", "k2");
    assertProblem(refused, 400, "invalid-idempotency-key");
    assertThat(post("k1,k2", like("e1")).body().path("outcome").asString()).isEqualTo("applied");
  }

  private Answer post(String key, String body) {
    return api.post("/events", Api.JSON, body, "Idempotency-Key", key);
  }

  private static String like(String id) {
    return "{\"id\": \"%s\", \"member\": \"ann\", \"action\": \"like\"}".formatted(id);
  }

  private long points() {
    return records.live(world.open(board)).stream().mapToLong(Line::points).sum();
  }

  private static void assertProblem(Answer answer, int status, String problem) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
  }
}
