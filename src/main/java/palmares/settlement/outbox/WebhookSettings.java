package palmares.settlement.outbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
    private void check(List<String> allowedHosts) {
      if (url == null) {
        throw wrong("url is missing");
      }
      requireUrl(url);
      requireAllowed(url, allowedHosts);
      if (token != null && !TOKEN.matcher(token).matches()) {
        throw wrong("token must be 1 to 4096 visible ASCII characters without spaces");
      }
    }
  }

  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,4096}");
  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1");
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Checks the settings of a webhook that has a URL.
   *
   * @param property the property that has them, for messages
   * @throws IllegalArgumentException if one is wrong
   */
  WebhookSettings checked(String property) {
    Subscription wanted = Subscription.of(property + ".facts", facts);
    try {
      requireUrl(Objects.requireNonNull(url));
      requireAllowed(url, allowedHosts);
      if (secret.isEmpty()) {
        throw wrong("secret is missing: make one with 'echo whsec_$(openssl rand -base64 32)'");
      }
      secret.forEach(Signature::of);
      requireTime("connect-timeout", connectTimeout);
      requireTime("timeout", timeout);
      if (confirms && !wanted.hasTransfers()) {
        throw wrong("confirms is true, which needs the fact award.*: add it to facts");
      }
      checkList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(property + "." + e.getMessage());
    }
    return this;
  }

  private void checkList() {
    if (list == null) {
      return;
    }
    if (!confirms) {
      throw wrong("list is set, which needs confirms=true: only the wallet has a list");
    }
    try {
      list.check(allowedHosts);
    } catch (IllegalArgumentException e) {
      throw wrong("list." + e.getMessage());
    }
  }

  Subscription subscription() {
    return Subscription.of("facts", facts);
  }

  boolean isLocal() {
    return url != null && LOCAL_HOSTS.contains(host(url));
  }

  private static void requireUrl(URI url) {
    if (url.getHost() == null || url.getUserInfo() != null || url.getFragment() != null) {
      throw wrong("url must be https://host/path, without a user or a fragment");
    }
    boolean plain = "http".equals(url.getScheme()) && LOCAL_HOSTS.contains(host(url));
    if (!"https".equals(url.getScheme()) && !plain) {
      throw wrong("url must begin with https:// ; http:// is for localhost only");
    }
  }

  private static void requireAllowed(URI url, List<String> hosts) {
    if (hosts.stream().noneMatch(host -> host.strip().equalsIgnoreCase(host(url)))) {
      throw wrong(
          "url goes to the host '%s', which is not in allowed-hosts (%s): add it to allow that"
              .formatted(host(url), hosts.isEmpty() ? "none" : String.join(", ", hosts)));
    }
  }

  private static void requireTime(String name, Duration time) {
    if (time.toMillis() < 1 || time.compareTo(MAX_TIMEOUT) > 0) {
      throw wrong("%s is %s, and must be 1ms to 15s".formatted(name, time));
    }
  }

  private static String host(URI url) {
    return url.getHost().toLowerCase(Locale.ROOT);
  }

  static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what);
  }
}
