package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.period.Period;
import palmares.platform.threads.Outages;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** If PostgreSQL ends a session during a transaction, the client is asked to retry. */
@WorldTest
class KilledBackendTest {
  private static final String INVITE =
      "{'id': 'i', 'member': 'ann', 'action': 'invite', 'subject': 'bob'}";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @Autowired private TransactionTemplate transaction;
  @LocalServerPort private int port;

  private Period week;
  private Api api;

  @BeforeEach
  void createACommittedBoardThatCountsInvites() {
    week =
        world.open(
            world.board(
                Rules.of("week")
                    .with("durability: committed")
                    .with("actions: { invite: 100 }")
                    .with("invites: { action: invite }")));
    api = new Api(port, Api.key(keys, "tests"));
  }

  @Test
  void aRetriedCommittedEventCountsOnce() {
    assertUnavailable(killedWhileItWaits(() -> api.post(INVITE)));
    assertThat(api.post(INVITE).body().path("outcome").asString()).isEqualTo("applied");
    assertThat(records.points(week, "ann")).isEqualTo(100);
  }

  @Test
  void aRetriedEventCountsOnceIfItsCommitWasKilled() {
    servers.sql(
        """
        create function end_session() returns trigger language plpgsql as $$
        begin
          perform pg_terminate_backend(pg_backend_pid());
          return null;
        end $$
        """);
    servers.sql(
        """
        create constraint trigger dies_in_commit after insert on committed_event
        deferrable initially deferred for each row execute function end_session()
        """);
    try {
      assertUnavailable(api.post(INVITE));
      assertThatThrownBy(() -> world.take(Fact.by("ann").does("invite").on("joe")))
          .as("as a background loop sees it")
          .satisfies(e -> assertThat(Outages.server(e)).contains("PostgreSQL"));
    } finally {
      servers.sql("drop trigger dies_in_commit on committed_event");
      servers.sql("drop function end_session()");
    }
    assertThat(api.post(INVITE).body().path("outcome").asString()).isEqualTo("applied");
    assertThat(records.points(week, "ann")).isEqualTo(100);
  }

  @Test
  void aRetriedRegistrationIsMadeOnce() {
    String code =
        api.postTo("/members", "{'externalId': '1', 'nickname': 'Ann', 'member': 'ann'}")
            .body()
            .path("inviteCode")
            .asString();
    String bob = "{'externalId': '2', 'nickname': 'Bob', 'inviteCode': '" + code + "'}";
    assertUnavailable(killedWhileItWaits(() -> api.postTo("/members", bob)));
    assertThat(api.postTo("/members", bob).status()).isEqualTo(201);
    assertThat(records.points(week, "ann")).isEqualTo(100);
  }

  @Test
  void aRetriedEventThatCreatesTheLiveBoardCountsOnce() {
    Period day = world.open(world.board(Rules.day().with("actions: { like: 1 }")));
    String like = "{'id': 'l', 'member': 'ann', 'action': 'like'}";
    week = day;
    assertUnavailable(killedWhileItWaits(() -> api.post(like)));
    assertThat(api.post(like).body().path("outcome").asString()).isEqualTo("applied");
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  /** The transaction waits for the period's row until its session is ended. */
  private Answer killedWhileItWaits(Supplier<Answer> request) {
    CompletableFuture<Answer> asked =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  records.number(
                      "select id from period where id = ? for update", week.id().value());
                  var asking = CompletableFuture.supplyAsync(request);
                  await().until(this::somebodyWaits);
                  records.number(
                      "select count(pg_terminate_backend(pid)) from pg_stat_activity "
                          + "where wait_event_type = 'Lock' and query like '%period%'");
                  return asking;
                }));
    return asked.join();
  }

  private boolean somebodyWaits() {
    return records.number(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                + " and query like '%period%'")
        > 0;
  }

  private static void assertUnavailable(Answer answer) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:database-unavailable");
    assertThat(answer.header("Retry-After")).isEqualTo("5");
  }
}
