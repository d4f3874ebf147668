package palmares.api.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.UriUtils;
import org.yaml.snakeyaml.Yaml;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.json.JsonMapper;

/** A wallet says by a call what became of an award, once, and only of an award that is posted. */
@WorldTest
class DeliveriesApiTest {
  private static final String CREDITED = "{\"outcome\":\"credited\",\"amount\":1000}";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Api api;
  private Period day;

  @BeforeEach
  void aSettledDay() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    var key = new NewKey("wallet", Set.of(Role.WALLET), Set.of(), null);
    api = new Api(port, keys.create(key, "tester", "test"));
  }

  private Answer confirm(String award, String body) {
    String id = award.replace("%", "%25").replace("/", "%2F").replace(";", "%3B");
    return api.post("/deliveries/" + id + "/outcome", Api.JSON, body);
  }

  private String award(String member) {
    return "award.paid:%s/%s/1/%s/podium/credits/award".formatted(day.board(), day.name(), member);
  }

  @Test
  void aConfirmationIsStoredOnce() {
    Answer first = confirm(award("ann"), CREDITED);
    assertThat(first.status()).as(first.response().body()).isEqualTo(200);
    assertThat(first.body().path("isNew").asBoolean()).isTrue();
    assertThat(confirm(award("ann"), CREDITED).body().path("isNew").asBoolean(true)).isFalse();
    assertThat(records.words("select member || ' ' || result || ' ' || by from receipt"))
        .containsExactly("ann credited key:wallet");
  }

  @Test
  void theExampleOfTheDocumentIsTaken() throws IOException {
    Map<?, ?> node;
    try (var file =
        Files.newBufferedReader(Path.of("src/main/resources/palmares/api/http/openapi.yaml"))) {
      node = new Yaml().load(file);
    }
    for (String name :
        List.of(
            "paths",
            "/api/v1/deliveries/{award}/outcome",
            "post",
            "requestBody",
            "content",
            "application/json",
            "example")) {
      node = (Map<?, ?>) requireNonNull(node.get(name), name);
    }
    Answer taken = confirm(award("ann"), JsonMapper.shared().writeValueAsString(node));
    assertThat(taken.status()).as(taken.response().body()).isEqualTo(200);
  }

  @Test
  void anAwardOfAnyMemberCanBeConfirmed() {
    String member = "a/b%2F;c=d 中+";
    Period other = world.open(world.board(Contest.rules()));
    world.take(List.of(Fact.by(member).on("post")));
    world.settle(other);
    String award =
        "award.paid:%s/%s/1/%s/podium/credits/award"
            .formatted(other.board(), other.name(), UriUtils.encodePathSegment(member, UTF_8));
    Answer first = confirm(award, CREDITED);
    assertThat(first.status()).as(first.response().body()).isEqualTo(200);
    assertThat(records.words("select member from receipt")).containsExactly(member);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nobody | {"outcome":"credited","amount":1000}              | 404 | unknown-object
          ann    | {"outcome":"credited","amount":1001}              | 400 | invalid-field
          ann    | {"outcome":"credited","amount":"1000"}            | 400 | invalid-field
          ann    | {"outcome":"credited"}                            | 400 | invalid-field
          ann    | {"outcome":"lost"}                                | 400 | invalid-field
          ann    | {"outcome":"refused"}                             | 400 | invalid-field
          ann    | {"outcome":"credited","amount":1000,"other":true} | 400 | unknown-field
          ann    | [1]                                               | 400 | invalid-field
          """)
  void aWrongConfirmationChangesNothing(String member, String body, int status, String problem) {
    Answer refused = confirm(award(member), body);
    assertThat(refused.status()).as(refused.response().body()).isEqualTo(status);
    assertThat(refused.problem()).endsWith(problem);
    assertThat(records.number("select count(*) from receipt")).isZero();
  }

  @Test
  void aKeyConfirmsOnlyOnItsBoardsAndOnlyAsTheWallet() {
    var other = new NewKey("other", Set.of(Role.WALLET), Set.of(new BoardId("other")), null);
    api = new Api(port, keys.create(other, "tester", "test"));
    assertThat(confirm(award("ann"), CREDITED).status()).isEqualTo(403);
    for (Role role : EnumSet.complementOf(EnumSet.of(Role.WALLET))) {
      api = new Api(port, Api.ownKey(keys, role.word(), "tester", role));
      assertThat(confirm(award("ann"), CREDITED).status()).as(role.word()).isEqualTo(403);
    }
    assertThat(records.number("select count(*) from receipt")).isZero();
  }
}
