package palmares.settlement.outbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;

/**
 * Configures a webhook.
 *
 * @param url where batches are posted; if it is not set, there is no webhook
 * @param secret the keys that sign batches, each {@code whsec_} and Base64 of 24 to 64 bytes;
 *     several while a receiver changes its key
 * @param allowedHosts the hosts that may be called; must contain that of the URL
 * @param privateAddresses whether the host may have a private address
 * @param facts the types of facts that it gets; {@code *} for all
 * @param confirms whether it is the wallet, which says what became of each award
 * @param list where the wallet lists what it has credited; null if it does not
 * @param connectTimeout how long to wait for a connection; at most 15 s
 * @param timeout how long to wait for an answer; at most 15 s, since a shutdown waits for it
 */
record WebhookSettings(
    @Nullable URI url,
    @DefaultValue List<String> secret,
    @DefaultValue List<String> allowedHosts,
    @DefaultValue("false") boolean privateAddresses,
    @DefaultValue("*") List<String> facts,
    @DefaultValue("false") boolean confirms,
    @NestedConfigurationProperty @Nullable ListSettings list,
    @DefaultValue("5s") Duration connectTimeout,
    @DefaultValue("10s") Duration timeout) {
  /**
   * Configures the list of the wallet's credits.
   *
   * @param url where the server reads it once a night, and for {@code palmares reconcile --fetch},
   *     on one of the allowed hosts
   * @param token the secret that is sent as {@code Authorization: Bearer}; null for none
   */
  record ListSettings(@Nullable URI url, @Nullable String token) {
    private void check(Setting list, Setting hosts, List<String> allowedHosts) {
      requireUrl(list.part("url"), url, hosts, allowedHosts);
      if (token != null && !TOKEN.matcher(token).matches()) {
        throw list.part("token").wrongSecret(new TargetSettingSentences.Token());
      }
    }
  }

  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,4096}");
  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1");
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Checks the settings of a webhook that has a URL.
   *
   * @param webhook the setting that groups them
   * @throws palmares.platform.text.WrongSetting if one is wrong
   */
  WebhookSettings checked(Setting webhook) {
    Subscription wanted = Subscription.of(webhook.part("facts"), facts);
    Setting hosts = webhook.part("allowed-hosts");
    requireUrl(webhook.part("url"), url, hosts, allowedHosts);
    Setting secrets = webhook.part("secret");
    if (secret.isEmpty()) {
      throw secrets.missing(new TargetSettingSentences.SecretMissing(Signature.MAKES_ONE));
    }
    signatures(secrets);
    webhook.part("connect-timeout").requireWithin(MIN_TIMEOUT, MAX_TIMEOUT, connectTimeout);
    webhook.part("timeout").requireWithin(MIN_TIMEOUT, MAX_TIMEOUT, timeout);
    if (confirms && !wanted.hasTransfers()) {
      throw webhook
          .part("confirms")
          .wrong(true, new TargetSettingSentences.NeedsTransfers(Subscription.TRANSFERS));
    }
    if (list != null && !confirms) {
      throw webhook.part("confirms").wrong(false, new TargetSettingSentences.NeedsWallet());
    }
    if (list != null) {
      list.check(webhook.part("list"), hosts, allowedHosts);
    }
    return this;
  }

  /** The keys of settings that are checked. */
  List<Signature> signatures() {
    return signatures(new Setting("secret"));
  }

  private List<Signature> signatures(Setting setting) {
    return secret.stream().map(each -> Signature.of(setting, each)).toList();
  }

  /** The facts of settings that are checked. */
  Subscription subscription() {
    return Subscription.of(new Setting("facts"), facts);
  }

  boolean isLocal() {
    return url != null && LOCAL_HOSTS.contains(host(url));
  }

  private static void requireUrl(
      Setting setting, @Nullable URI url, Setting hosts, List<String> allowedHosts) {
    if (url == null) {
      throw setting.missing(new TargetSettingSentences.UrlMissing());
    }
    if (url.getHost() == null || url.getUserInfo() != null || url.getFragment() != null) {
      throw setting.wrongSecret(new TargetSettingSentences.HttpsUrl());
    }
    boolean plain = "http".equals(url.getScheme()) && LOCAL_HOSTS.contains(host(url));
    if (!"https".equals(url.getScheme()) && !plain) {
      throw setting.wrongSecret(new TargetSettingSentences.Encrypted());
    }
    if (allowedHosts.stream().noneMatch(host -> host.strip().equalsIgnoreCase(host(url)))) {
      throw setting.wrongSecret(
          allowedHosts.isEmpty()
              ? new TargetSettingSentences.NoAllowedHost(host(url), hosts.name())
              : new TargetSettingSentences.AllowedHost(host(url), hosts.name(), allowedHosts));
    }
  }

  private static String host(URI url) {
    return url.getHost().toLowerCase(Locale.ROOT);
  }
}
