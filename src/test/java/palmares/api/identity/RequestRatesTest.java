package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import palmares.api.http.ProblemDetails;
import palmares.platform.Refusal;
import palmares.platform.threads.RecentlyUsed;

/** An address that asks too often waits, and no other does. */
class RequestRatesTest {
  private final RequestRates rates = new RequestRates(new LimitSettings(100_000, 1_000, 2, 40, 20));

  @Test
  void anAddressThatTriesTooOftenLearnsWhenToTryAgain() {
    rates.countSignIn("192.0.2.1");
    rates.countSignIn("192.0.2.1");
    assertThatThrownBy(() -> rates.countSignIn("192.0.2.1"))
        .isInstanceOfSatisfying(
            Refusal.class,
            problem -> {
              var response = new MockHttpServletResponse();
              assertThatCode(() -> ProblemDetails.write(problem, response))
                  .doesNotThrowAnyException();
              assertThat(response.getStatus()).isEqualTo(429);
              assertThat(Integer.parseInt(response.getHeader("Retry-After"))).isBetween(1, 60);
            });
    rates.countSignIn("192.0.2.2");
  }

  @Test
  void requestsOfOtherAddressesDoNotResetALimit() {
    exhaust("192.0.2.1");
    for (int i = 1; i < RequestRates.MAX_BUCKETS; i++) {
      rates.countSignIn("other " + i);
    }
    assertRefused("192.0.2.1");
    for (int i = 1; i < RequestRates.MAX_BUCKETS; i++) {
      rates.countSignIn("more " + i);
    }
    assertRefused("192.0.2.1");
  }

  @Test
  void theAddressUnusedForTheLongestTimeIsDropped() {
    Map<String, Integer> recent = RecentlyUsed.map(3);
    for (String name : List.of("a", "b", "c", "a", "d", "e")) {
      recent.merge(name, 1, Integer::sum);
    }
    assertThat(recent).containsExactly(entry("a", 2), entry("d", 1), entry("e", 1));
  }

  @Test
  void anIpv6AddressCountsAsItsNetwork() {
    exhaust("2001:db8:0:1::1");
    assertRefused("2001:db8:0:1:ffff::2");
    assertRefused("2001:db8:0:1::3%1");
    rates.countSignIn("2001:db8:0:2::1");
    rates.countSignIn("::ffff:192.0.2.7");
    rates.countSignIn("no:address");
    rates.countSignIn("");
  }

  private void exhaust(String address) {
    rates.countSignIn(address);
    rates.countSignIn(address);
    assertRefused(address);
  }

  private void assertRefused(String address) {
    assertThatThrownBy(() -> rates.countSignIn(address)).isInstanceOf(Refusal.class);
  }
}
