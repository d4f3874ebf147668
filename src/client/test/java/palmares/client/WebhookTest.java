package palmares.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.client.Confirmation.Result;

/** A delivery is read only if a known secret has signed these bytes now. */
class WebhookTest {
  /** The example of the Standard Webhooks specification. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long TIME = 1_614_265_330;
  private static final String SPECIFIED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final String AWARD =
      """
      {"facts": [{"id": "award.paid:invites/2026-W47/1/ann/podium/credits/award",
        "type": "award.paid", "time": "2026-11-23T00:10:02Z", "board": "invites",
        "period": "2026-W47", "revision": 1,
        "data": {"transfer": "invites/2026-W47/1/ann/podium/credits/award", "member": "ann",
          "rule": "podium", "amount": 9007199254740993, "currency": "credits"}}]}
      """;

  private final Webhook webhook = at(0, SECRET);

  private static Webhook at(long seconds, String... secrets) {
    return new Webhook(
        List.of(secrets),
        Webhook.TOLERANCE,
        Clock.fixed(Instant.ofEpochSecond(TIME + seconds), ZoneOffset.UTC));
  }

  private static List<Fact> read(Webhook webhook, String signatures, String body) {
    return webhook.read(ID, Long.toString(TIME), signatures, body.getBytes(UTF_8));
  }

  private static String sign(String secret, String body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
    byte[] signed = (ID + "." + TIME + "." + body).getBytes(UTF_8);
    return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
  }

  @Test
  void theSignatureIsThatOfTheSpecification() {
    assertThatThrownBy(() -> read(webhook, SPECIFIED, "{\"test\": 2432232314}"))
        .as("genuine, but without facts")
        .isExactlyInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read(webhook, SPECIFIED, "{\"test\": 2432232315}"))
        .isInstanceOf(Webhook.NotGenuine.class);
  }

  @Test
  void anAwardIsReadExactly() throws Exception {
    List<Fact> facts = read(webhook, sign(SECRET, AWARD), AWARD);
    assertThat(facts)
        .singleElement()
        .satisfies(
            fact -> {
              assertThat(fact.award().amount()).isEqualTo(9007199254740993L);
              assertThat(fact.award().member()).isEqualTo("ann");
              assertThat(fact.revision()).isEqualTo(1);
              assertThat(Confirmation.credited(fact).amount()).isEqualTo(9007199254740993L);
            });
  }

  @ParameterizedTest
  @CsvSource({"-300, true", "300, true", "-301, false", "301, false"})
  void aDeliveryIsTakenFiveMinutesBeforeAndAfterItsTime(long seconds, boolean taken)
      throws Exception {
    Webhook now = at(seconds, SECRET);
    String signature = sign(SECRET, AWARD);
    if (taken) {
      assertThat(read(now, signature, AWARD)).hasSize(1);
    } else {
      assertThatThrownBy(() -> read(now, signature, AWARD)).hasMessageContaining("301 s");
    }
  }

  @Test
  void anyOfSeveralSecretsAndSignaturesFits() throws Exception {
    String other = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);
    String both = sign(other, AWARD) + " v1a,x " + sign(SECRET, AWARD);
    assertThat(read(webhook, both, AWARD)).hasSize(1);
    assertThat(read(at(0, other, SECRET), sign(SECRET, AWARD), AWARD)).hasSize(1);
    assertThatThrownBy(() -> read(at(0, other), sign(SECRET, AWARD), AWARD))
        .isInstanceOf(Webhook.NotGenuine.class);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 1, x", "a, -, x", "a, 1, -", "a, now, x", "a, '', x"})
  void headersThatAreMissingOrNoNumberAreRefused(String id, String timestamp, String signature) {
    assertThatThrownBy(() -> webhook.read(id, timestamp, signature, AWARD.getBytes(UTF_8)))
        .isInstanceOf(Webhook.NotGenuine.class);
  }

  @Test
  void aWrongSecretIsRefusedAndNotShown() {
    assertThatThrownBy(() -> at(0, "whsec_hush!"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hush");
    assertThatThrownBy(() -> at(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aConfirmationIsWrittenAndReadAlike() {
    var refused = new Confirmation("award.paid:x", Result.REFUSED, null, "closed");
    var credited = new Confirmation("award.paid:y", Result.CREDITED, Long.MAX_VALUE, null);
    var returned = new Confirmation("award.returned:z", Result.RETURNED, 7L, null);
    assertThat(List.of(refused, credited, returned))
        .allSatisfy(each -> assertThat(Confirmation.parse(each.toJson())).isEqualTo(each));
    assertThat(returned.toJson()).contains("\"returned\"");
    assertThatThrownBy(() -> new Confirmation("award.paid:x", Result.CREDITED, null, null))
        .hasMessageContaining("amount");
    assertThatThrownBy(() -> new Confirmation("award.returned:x", Result.RETURNED, null, null))
        .hasMessageContaining("amount");
    assertThatThrownBy(() -> new Confirmation("award.paid:x", Result.REFUSED, null, " "))
        .hasMessageContaining("reason");
    assertThatThrownBy(() -> Confirmation.parse("{\"id\":\"x\",\"outcome\":\"lost\"}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAwardIsCreditedAndAReturnReturned() throws Exception {
    Fact award = read(webhook, sign(SECRET, AWARD), AWARD).get(0);
    String body = AWARD.replace("award.paid", "award.returned").replace("/award\"", "/return\"");
    Fact back = read(webhook, sign(SECRET, body), body).get(0);
    assertThat(Confirmation.returned(back))
        .isEqualTo(new Confirmation(back.id(), Result.RETURNED, 9007199254740993L, null));
    assertThat(Confirmation.refused(back, "spent").isRefused()).isTrue();
    assertThatThrownBy(() -> Confirmation.returned(award))
        .hasMessageContaining("is no award.returned");
    assertThatThrownBy(() -> Confirmation.credited(back)).hasMessageContaining("is no award.paid");
  }

  @Test
  void anEventIsWrittenAndReadAlike() {
    Event event =
        Event.of("e-1", "ann \"quoted\" 爱", "coin")
            .on("chest")
            .undone()
            .times(3)
            .reaching(1L << 53)
            .thenBy(2)
            .at(Instant.parse("2026-11-20T12:00:00.123456789Z"))
            .only("coins");
    assertThat(Event.parse(event.toJson())).isEqualTo(event);
    assertThat(Event.parse(Event.of("e", "m", "a").toJson())).isEqualTo(Event.of("e", "m", "a"));
  }

  @Test
  void delaysGrowToTheLongestAndAreSpread() {
    var policy = new RetryPolicy(9, Duration.ofMillis(100), Duration.ofSeconds(1));
    for (int failed = 1; failed < 80; failed++) {
      long whole = Math.min(1000, 100L << Math.min(failed - 1, 10));
      assertThat(policy.delay(failed).toMillis()).isBetween(whole / 2 - 1, whole);
    }
  }
}
