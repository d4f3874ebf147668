package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.platform.text.Setting;
import palmares.settlement.outbox.Delivery.RetryBackoff;

/** A webhook goes to a host that somebody has allowed, encrypted and signed, or not at all. */
class WebhookSettingsTest {
  private static final List<String> HOSTS = List.of("shop.example", "localhost");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://evil.example/x      | the host 'evil.example', which is not in palmares.outbox.webhook.allowed-hosts (shop.example, localhost)
          https://shop.example.evil/x | the host 'shop.example.evil', which is not in
          http://shop.example/x       | http:// is for localhost only
          ftp://shop.example/x        | must begin with https://
          https://me:pw@shop.example/ | without a user or a fragment
          https:///x                  | must be https://host/path
          /x                          | must be https://host/path
          """)
  void anAddressThatIsNotAllowedIsRefusedWithTheReason(String url, String complaint) {
    assertThatThrownBy(() -> settings(url, Receiver.SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("palmares.outbox.webhook.url ")
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource({"https://shop.example/x", "https://SHOP.example:8443/x", "http://localhost:1/x"})
  void anAllowedOneIsTaken(String url) {
    assertThat(settings(url, Receiver.SECRET).url()).isEqualTo(URI.create(url));
  }

  @ParameterizedTest
  @CsvSource({"hunter2", "whsec_short", "whsec_!!!!", "''"})
  void aWeakSecretIsRefusedAndNotShown(String secret) {
    assertThatThrownBy(() -> settings("https://shop.example/x", secret))
        .hasMessageContaining("palmares.outbox.webhook.secret is not 'whsec_'")
        .hasMessageNotContaining("hunter2")
        .hasMessageNotContaining("short");
  }

  /** The vector of the Standard Webhooks specification's own libraries. */
  @Test
  void theSignatureIsThatOfTheSpecification() {
    assertThat(
            Signature.of(new Setting("secret"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .sign(
                    "msg_p5jXN8AQM9LWM0D4loKWxJek",
                    1614265330,
                    "{\"test\": 2432232314}".getBytes(UTF_8)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, true",
    "192.168.1.1, true",
    "169.254.169.254, true",
    "127.0.0.1, true",
    "100.64.0.1, true",
    "0.0.0.0, true",
    "fd00::1, true",
    "fe80::1, true",
    "::1, true",
    "93.184.216.34, false",
    "2606:2800:220:1::1, false"
  })
  void privateAddressesAreKnown(String address, boolean isPrivate) throws Exception {
    assertThat(WebhookClient.isPrivate(InetAddress.getByName(address))).isEqualTo(isPrivate);
  }

  @Test
  void theWaitDoublesUpToItsCapAndNeverFallsBelowHalf() {
    var settings =
        new OutboxSettings(
            false,
            500,
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofDays(3),
            Duration.ofDays(90),
            1_000);
    assertThat(
            List.of(1, 2, 3, 4, 5, 1000).stream().map(new RetryBackoff(settings, () -> 1)::after))
        .extracting(Duration::toSeconds)
        .containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
    assertThat(new RetryBackoff(settings, () -> 0).after(3)).isEqualTo(Duration.ofSeconds(10));
  }

  private static WebhookSettings settings(String url, String secret) {
    return new WebhookSettings(
            URI.create(url),
            List.of(secret),
            HOSTS,
            false,
            List.of("*"),
            false,
            null,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10))
        .checked(new Setting("palmares.outbox.webhook"));
  }
}
