package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import palmares.api.http.ProblemException;

/** An address that asks too often waits, and no other does. */
class RequestRatesTest {
  private final RequestRates rates = new RequestRates(new LimitSettings(100_000, 1_000, 2));

  @Test
  void anAddressThatTriesTooOftenLearnsWhenToTryAgain() {
    rates.countSignIn("192.0.2.1");
    rates.countSignIn("192.0.2.1");
    assertThatThrownBy(() -> rates.countSignIn("192.0.2.1"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              var response = new MockHttpServletResponse();
              assertThatCode(() -> problem.writeTo(response)).doesNotThrowAnyException();
              assertThat(response.getStatus()).isEqualTo(429);
              assertThat(Integer.parseInt(response.getHeader("Retry-After"))).isBetween(1, 60);
            });
    rates.countSignIn("192.0.2.2");
  }
}
