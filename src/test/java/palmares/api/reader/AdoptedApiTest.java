package palmares.api.reader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.period.Period;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An adopted board can be read only once it is settled. */
@WorldTest
class AdoptedApiTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Period day;

  @BeforeEach
  void createAnAdoptedBoard() {
    day =
        world.open(
            world.board(
                "title: T\nperiod: day\nadopt: { key: 'lb:{period}', encoding: points }\n"));
    for (String member : new String[] {"ann", "zoe"}) {
      servers.redis(
          redis ->
              redis
                  .zSetCommands()
                  .zAdd("lb:2026-11-20".getBytes(UTF_8), 7, member.getBytes(UTF_8)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/top", "/members/ann", "/members/ann/around", "/stream"})
  void readsOfAnOpenPeriodAreRefused(String question) {
    Answer answer = get("current", question);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.body().get("type").stringValue()).isEqualTo("urn:palmares:problem:adopted");
    assertThat(answer.body().get("detail").stringValue()).contains("read it from your own program");
  }

  @Test
  void settledLinesSayWhatIsUnknown() {
    world.settle(day);
    assertThat(get("2026-11-20", "/top").body().get("lines").toString())
        .isEqualTo(
            "[{'place':1,'rank':1,'member':'zoe','points':7,'credits':0,'loss':'no-time'},"
                    .replace('\'', '"')
                + "{'place':2,'rank':2,'member':'ann','points':7,'credits':0,'loss':'no-time'}]"
                    .replace('\'', '"'));
    assertThat(get("2026-11-20", "/top?count=1").body().get("next")).isNotNull();
  }

  private Answer get(String period, String question) {
    return new Api(port, Api.key(keys, "reader"))
        .get("/boards/%s/periods/%s%s".formatted(day.board(), period, question));
  }
}
