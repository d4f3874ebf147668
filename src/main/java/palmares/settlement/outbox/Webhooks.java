package palmares.settlement.outbox;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;
import palmares.platform.text.WrongSetting;

/**
 * Configures the webhooks.
 *
 * @param webhook the webhook that is called so; null if it has no URL
 * @param webhooks further ones by name, each with the settings of {@code palmares.outbox.webhook}
 */
@ConfigurationProperties("palmares.outbox")
record Webhooks(
    @NestedConfigurationProperty @Nullable WebhookSettings webhook,
    @DefaultValue Map<String, WebhookSettings> webhooks) {
  private static final Setting OUTBOX = new Setting("palmares.outbox");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
  private static final List<String> OTHERS =
      List.of(WebhookTarget.NAME, RedisStreamTarget.NAME, MailTarget.NAME);

  Webhooks {
    webhook =
        webhook == null || webhook.url() == null ? null : webhook.checked(OUTBOX.part("webhook"));
    webhooks = new TreeMap<>(webhooks);
    webhooks.forEach(Webhooks::check);
    List<String> wallets =
        Stream.concat(
                Stream.ofNullable(webhook)
                    .filter(WebhookSettings::confirms)
                    .map(wallet -> OUTBOX.part("webhook")),
                webhooks.entrySet().stream()
                    .filter(named -> named.getValue().confirms())
                    .map(named -> OUTBOX.part("webhooks").part(named.getKey())))
            .map(wallet -> wallet.part("confirms").name())
            .toList();
    if (wallets.size() > 1) {
      throw new WrongSetting(null, new TargetSettingSentences.OneWallet(wallets));
    }
  }

  private static void check(String name, WebhookSettings settings) {
    Setting webhooks = OUTBOX.part("webhooks");
    if (!NAME.matcher(name).matches() || OTHERS.contains(name)) {
      throw webhooks.wrong(name, new TargetSettingSentences.WebhookName(OTHERS));
    }
    settings.checked(webhooks.part(name));
  }
}
