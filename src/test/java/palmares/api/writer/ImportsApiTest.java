package palmares.api.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Imports over HTTP: the lines of a history under one run that keeps its periods open. */
@WorldTest
class ImportsApiTest {
  private static final String NDJSON = "application/x-ndjson";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Api admin;

  @BeforeEach
  void createABoardAndAKey() {
    world.board(Rules.day().with("clock: event").with("actions: { step: 5 }"));
    admin = new Api(port, Api.ownKey(keys, "root", "ann", Role.ADMIN));
  }

  private static String event(String id, String member) {
    return "{\"id\":\"%s\",\"member\":\"%s\",\"action\":\"step\",\"occurredAt\":\"%s\"}\n"
        .formatted(id, member, "2025-01-02T10:00:00Z");
  }

  private long begin() {
    Answer begun = admin.post("/imports?sources=a.ndjson", NDJSON, "");
    assertThat(begun.status()).isEqualTo(200);
    return begun.body().path("id").asLong();
  }

  private Answer take(long run, String lines) {
    return admin.post("/imports/%d/lines?first=7".formatted(run), NDJSON, lines);
  }

  @Test
  void eachBatchSaysWhatBecameOfItsLines() {
    long run = begin();
    Answer taken = take(run, event("e1", "ann") + "\n" + event("e2", "") + event("e1", "ann"));
    assertThat(taken.status()).isEqualTo(200);
    assertThat(taken.body().path("lines").asInt()).isEqualTo(3);
    assertThat(taken.body().path("outcomes").toString())
        .isEqualTo("{\"applied\":1,\"duplicate\":1,\"refused\":1}");
    assertThat(taken.body().path("notTaken").get(0).path("line").asInt()).isEqualTo(9);
    assertThat(taken.body().path("notTaken").get(0).path("reason").asString())
        .isEqualTo("invalid-field");
    assertThat(take(run, "").body().path("lines").asInt()).as("a heartbeat").isZero();
  }

  @Test
  void itsPeriodsAreDueOnceItHasEndedAsAWhole() {
    String isOpenedByImport = "select count(*) from period where opened_by_import is not null";
    long torn = begin();
    take(torn, event("e1", "ann"));
    assertThat(records.number(isOpenedByImport)).isEqualTo(1);
    assertThat(end(torn, false).body().path("due").asInt()).as("it stopped before").isZero();
    long whole = begin();
    take(whole, event("e1", "ann"));
    assertThat(end(whole, true).body().path("due").asInt()).isEqualTo(1);
  }

  private Answer end(long run, boolean complete) {
    return admin.post("/imports/%d/end?complete=%s".formatted(run, complete), NDJSON, "");
  }

  @Test
  void onlyWhoBeganItContinuesItAndNobodyOnceItHasEnded() {
    long run = begin();
    var other = new Api(port, Api.ownKey(keys, "other", "bob", Role.ADMIN));
    Answer foreign = other.post("/imports/%d/lines".formatted(run), NDJSON, event("e1", "ann"));
    assertThat(foreign.status()).isEqualTo(404);
    assertThat(foreign.body().path("detail").asString())
        .isEqualTo("no import %d of yours is running: run the import again".formatted(run));
    end(run, true);
    assertThat(take(run, event("e1", "ann")).status()).isEqualTo(404);
    assertThat(end(run, true).status()).isEqualTo(404);
    assertThat(records.number("select count(*) from period")).isZero();
  }

  /** Of any age, events would pay for what an operator has closed. */
  @Test
  void nobodyButAnAdminImports() {
    for (Role role : new Role[] {Role.WRITER, Role.OPERATOR, Role.APPROVER, Role.VIEWER}) {
      var api = new Api(port, Api.ownKey(keys, role.word(), "bob", role));
      assertThat(api.post("/imports?sources=x", NDJSON, "").status()).isEqualTo(403);
    }
    assertThat(records.number("select count(*) from import_run")).isZero();
  }
}
