package palmares.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Fact;
import palmares.testing.RawHttp;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Clients that do not read their results leave connections to PostgreSQL for everything else. */
@WorldTest
class StreamedReadsTest {
  /** The lines take more than what the systems of both sides keep of an answer. */
  private static final int MEMBERS = 40_000;

  private static final int RECEIVE_BYTES = 4_096;

  private static final String READING =
      """
      select count(*) from pg_stat_activity
      where state = 'idle in transaction' and query like '%line.place%'
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  @Value("${spring.datasource.hikari.maximum-pool-size}")
  private int connections;

  private final List<RawHttp> readers = new ArrayList<>();

  @AfterEach
  void hangUp() {
    readers.forEach(RawHttp::close);
    while (records.number(READING) > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void clientsThatDoNotReadHoldAQuarterOfTheConnections() {
    Board board = world.board(Rules.day().with("actions: { like: 1 }"));
    Period day = world.open(board);
    world.takeAll(
        IntStream.range(0, MEMBERS)
            .mapToObj(i -> Fact.by("member-%050d".formatted(i)).to(board))
            .toList(),
        World.ANYBODY);
    world.settle(day);
    Board committed = world.board(Rules.day().with("durability: committed"));
    Period open = world.open(committed);
    String key =
        keys.create(
            new NewKey("reader", Set.of(Role.VIEWER), Set.of(), null), "local:test", "test");
    String path =
        "/ops/boards/%s/periods/%s/report".formatted(board.id().value(), day.name().value());
    int permits = connections / 4;
    for (int i = 0; i < permits; i++) {
      var reader = new RawHttp(port, RECEIVE_BYTES);
      readers.add(reader);
      reader.head("GET /api/v1" + path + " HTTP/1.1", "Authorization: Bearer " + key);
    }
    while (records.number(READING) < permits) {
      Thread.onSpinWait();
    }
    Answer refused = new Api(port, key).get(path);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("Retry-After")).isEqualTo("10");
    assertThat(new Api(port, key).get("/ops/periods").status()).isEqualTo(200);
    world.take(Fact.by("ann").to(committed));
    world.settle(open);
    assertThat(records.points(open, "ann")).isEqualTo(1);
    readers.forEach(RawHttp::close);
    while (records.number(READING) > 0) {
      Thread.onSpinWait();
    }
    assertThat(new Api(port, key).get(path).body().size()).isEqualTo(MEMBERS);
  }
}
