package palmares.settlement.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;

/** Webhooks have names, each its own settings, and one of them may be the wallet. */
class WebhooksTest {
  private static Webhooks bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("palmares.outbox", Webhooks.class);
  }

  private static WebhookSettings bound(Map<String, String> properties) {
    return Objects.requireNonNull(bind(properties).webhooks().get("wallet"));
  }

  private static Map<String, String> wallet(String more, String value) {
    String name = "palmares.outbox.webhooks.wallet.";
    return Map.of(
        name + "url",
        "https://wallet.example/facts",
        name + "allowed-hosts",
        "wallet.example",
        name + "secret",
        Receiver.SECRET,
        more.startsWith("palmares") ? more : name + more,
        value);
  }

  @Test
  void withoutSettingsThereIsNone() {
    assertThat(bind(Map.of()).webhook()).isNull();
    assertThat(bind(Map.of()).webhooks()).isEmpty();
  }

  @Test
  void aNamedOneHasItsOwnFactsAndDefaults() {
    WebhookSettings wallet = bound(wallet("facts", "period.settled,period.amended,award.*"));
    assertThat(wallet.subscription().types())
        .containsExactly("award.*", "period.amended", "period.settled");
    assertThat(wallet.confirms()).isFalse();
    assertThat(wallet.timeout()).hasSeconds(10);
    assertThat(bound(wallet("confirms", "true")).confirms()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allowed-hosts | shop.example | palmares.outbox.webhooks.wallet.url goes to the host 'wallet.example'
          secret        | hunter2      | palmares.outbox.webhooks.wallet.secret is not 'whsec_'
          url           | ftp://x      | palmares.outbox.webhooks.wallet.url must begin with
          facts         | money        | palmares.outbox.webhooks.wallet.facts is 'money', and must be * or some of
          palmares.outbox.webhooks.mail.url | https://x | palmares.outbox.webhooks is 'mail', and a name is
          palmares.outbox.webhooks.chat.timeout | 1s    | palmares.outbox.webhooks.chat.url is missing
          """)
  void aWrongSettingIsNamed(String setting, String value, String complaint) {
    Map<String, String> properties = new HashMap<>(wallet("confirms", "false"));
    properties.put(
        setting.startsWith("palmares") ? setting : "palmares.outbox.webhooks.wallet." + setting,
        value);
    assertThatThrownBy(() -> bind(properties))
        .extracting(NestedExceptionUtils::getMostSpecificCause)
        .extracting(Throwable::getMessage)
        .asString()
        .contains(complaint)
        .doesNotContain("hunter2");
  }

  @Test
  void aWalletNeedsAwardsAndIsOne() {
    Map<String, String> properties = new HashMap<>(wallet("confirms", "true"));
    properties.put("palmares.outbox.webhooks.wallet.facts", "digest");
    assertThatThrownBy(() -> bind(properties))
        .rootCause()
        .hasMessageContaining("confirms is 'true', and needs the fact award.*");
    properties.put("palmares.outbox.webhooks.wallet.facts", "*");
    for (String setting : new String[] {"url", "allowed-hosts", "secret", "confirms"}) {
      properties.put(
          "palmares.outbox.webhooks.bank." + setting,
          properties.get("palmares.outbox.webhooks.wallet." + setting));
    }
    assertThatThrownBy(() -> bind(properties))
        .rootCause()
        .hasMessageContaining(
            "palmares.outbox.webhooks.bank.confirms, palmares.outbox.webhooks.wallet.confirms are"
                + " true, and an award has one wallet");
  }
}
