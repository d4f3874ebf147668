package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;

/** Whom a server takes for a user of its machine. */
class LocalTokenTest {
  private final LocalToken token = new LocalToken();

  private static MockHttpServletRequest request(String remote, String local) {
    var request = new MockHttpServletRequest();
    request.setRemoteAddr(remote);
    request.setLocalAddr(local);
    request.addHeader(LocalToken.USER, "zo%C3%AB");
    return request;
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1", "127.0.0.9, 127.0.0.1", "::1, ::1", "10.0.0.5, 10.0.0.5"})
  void aUserOfTheMachineMayDoEverything(String remote, String local) {
    Caller caller = token.caller(token.secret(), request(remote, local)).orElseThrow();
    assertThat(caller.name()).isEqualTo("local:zoë");
    assertThat(caller.roles()).containsExactly(Role.values());
    assertThat(caller.isLimited()).isFalse();
  }

  @Test
  void anotherTokenIsNone() {
    var here = request("127.0.0.1", "127.0.0.1");
    for (String other : new String[] {"", "x", new LocalToken().secret(), token.secret() + "0"}) {
      assertThat(token.caller(other, here)).isEmpty();
    }
    assertThat(token.secret()).matches("[0-9a-f]{64}");
    assertThat(token.toString()).doesNotContain(token.secret());
  }

  @Test
  void theTokenIsOfNoUseElsewhere() {
    assertThat(token.caller(token.secret(), request("10.0.0.6", "10.0.0.5"))).isEmpty();
    for (String header : new String[] {"X-Forwarded-For", "Forwarded"}) {
      var forwarded = request("127.0.0.1", "127.0.0.1");
      forwarded.addHeader(header, "203.0.113.7");
      assertThat(token.caller(token.secret(), forwarded)).as(header).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ann%0Abob",
    "''",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
  })
  void aNameThatNoSystemGivesIsNotBelieved(String name) {
    var request = new MockHttpServletRequest();
    request.addHeader(LocalToken.USER, name);
    assertThat(token.caller(token.secret(), request).orElseThrow().name())
        .isEqualTo("local:unknown");
  }
}
