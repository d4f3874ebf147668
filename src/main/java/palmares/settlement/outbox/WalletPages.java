package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import palmares.settlement.outbox.WebhookSettings.ListSettings;
import palmares.settlement.wallet.WalletSentences;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the list of a wallet's credits from the wallet, page by page. A page is JSON with {@code
 * credits} and either {@code next}, a link, or {@code cursor}; the last page has null there. If one
 * page is wrong, nothing is read.
 */
@Component
public class WalletPages {
  private static final int MAX_PAGES = 1_000;
  private static final int MAX_SHOWN_CHARACTERS = 100;
  static final int MAX_PAGE_BYTES = 4 << 20;
  static final int MAX_BYTES = 32 << 20;
  static final Duration MAX_TIME = Duration.ofSeconds(30);

  /** The wallet may have got an award at another time by its own clock. */
  static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

  /** What a list without credits is read from, since an empty text may be cut off. */
  private static final String NO_CREDITS = "id,amount\n";

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private final @Nullable WebhookSettings wallet;
  private final LongSupplier nanos;
  private final int maxPages;

  @Autowired
  WalletPages(Webhooks webhooks) {
    this(webhooks, System::nanoTime, MAX_PAGES);
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   * @param maxPages the most pages that a list may have
   */
  WalletPages(Webhooks webhooks, LongSupplier nanos, int maxPages) {
    this.maxPages = maxPages;
    this.wallet =
        Stream.concat(Stream.ofNullable(webhooks.webhook()), webhooks.webhooks().values().stream())
            .filter(WebhookSettings::confirms)
            .findAny()
            .orElse(null);
    this.nanos = nanos;
  }

  /** Whether the wallet has a list that can be read. */
  public boolean isConfigured() {
    return wallet != null && wallet.list() != null;
  }

  /** Reports that the wallet does not answer, or not with a list. */
  static final class NoList extends Refusal {
    private NoList(Sentence said) {
      super(Problem.WRONG_STATE, said);
    }
  }

  /**
   * Reads the whole list, which is asked for with a few minutes more at both ends.
   *
   * @param from asked of the wallet: the awards that it got since then; null for all
   * @param to asked of the wallet: and before then, whenever it has credited them; null for all
   * @return the list as NDJSON; as CSV if there are no credits
   * @throws Refusal if no address of a list is configured, or a page cannot be had or read
   */
  public String read(@Nullable Instant from, @Nullable Instant to) {
    ListSettings list = wallet == null ? null : wallet.list();
    if (wallet == null || list == null) {
      throw new Refusal(Problem.WRONG_STATE, new WalletSentences.NoListAddress());
    }
    var reading = new Reading(wallet, list, first(list, from, to));
    URI next = reading.first;
    while (next != null) {
      next = reading.read(next);
    }
    return reading.credits.isEmpty() ? NO_CREDITS : reading.credits.toString();
  }

  private static URI first(ListSettings list, @Nullable Instant from, @Nullable Instant to) {
    var url = UriComponentsBuilder.fromUri(Objects.requireNonNull(list.url()));
    if (from != null) {
      url.queryParam("from", from.minus(CLOCK_DIFFERENCE));
    }
    if (to != null) {
      url.queryParam("to", to.plus(CLOCK_DIFFERENCE));
    }
    return url.build(true).toUri();
  }

  /** The pages that are read so far. */
  private final class Reading {
    private final WebhookSettings wallet;
    private final ListSettings list;
    private final URI first;
    private final WebhookClient client;
    private final StringBuilder credits = new StringBuilder();
    private final Set<URI> pages = new HashSet<>();
    private final long beganNanos = nanos.getAsLong();
    private long bytes;

    Reading(WebhookSettings wallet, ListSettings list, URI first) {
      this.wallet = wallet;
      this.list = list;
      this.first = first;
      this.client = new WebhookClient(wallet);
    }

    /** Reads a page, and returns the address of the next one; null after the last one. */
    private @Nullable URI read(URI page) {
      if (!pages.add(page)) {
        throw refused(new WalletSentences.PageAgain());
      }
      if (pages.size() > maxPages) {
        throw refused(new WalletSentences.TooManyPages(maxPages));
      }
      JsonNode content = content(page);
      JsonNode found = content.path("credits");
      if (!found.isArray()) {
        throw refused(new WalletSentences.NoCredits());
      }
      for (JsonNode credit : found) {
        credits.append(credit).append('\n');
      }
      return next(page, content);
    }

    private JsonNode content(URI page) {
      byte[] body = get(page);
      bytes += body.length;
      if (body.length > MAX_PAGE_BYTES || bytes > MAX_BYTES) {
        throw refused(new WalletSentences.LongPages(MAX_PAGE_BYTES, MAX_BYTES));
      }
      try {
        return JSON.readTree(body);
      } catch (JacksonException e) {
        throw refused(new WalletSentences.NotAPage(String.valueOf(e.getOriginalMessage())));
      }
    }

    private byte[] get(URI page) {
      Duration left = MAX_TIME.minusNanos(nanos.getAsLong() - beganNanos);
      if (left.toMillis() < 1) {
        throw refused(new WalletSentences.SlowList(MAX_TIME.toSeconds()));
      }
      Duration timeout = left.compareTo(wallet.timeout()) < 0 ? left : wallet.timeout();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(page)
              .timeout(timeout)
              .header("accept", "application/json")
              .header("user-agent", "palmares");
      if (list.token() != null) {
        request.header("authorization", "Bearer " + list.token());
      }
      HttpResponse<byte[]> answer;
      try {
        answer = client.send(request.build(), MAX_PAGE_BYTES + 1, timeout);
      } catch (DeliveryFailed e) {
        if (timeout.equals(left)) {
          throw refused(new WalletSentences.SlowList(MAX_TIME.toSeconds()));
        }
        throw new NoList(failed(e.said()));
      }
      if (answer.statusCode() != 200) {
        throw new NoList(failed(new DeliverySentences.Answered(answer.statusCode())));
      }
      return answer.body();
    }

    /** A page must say whether it is the last one, or a list that is cut off would pass. */
    private @Nullable URI next(URI page, JsonNode content) {
      JsonNode link = content.path("next");
      JsonNode cursor = content.path("cursor");
      if (link.isMissingNode() == cursor.isMissingNode()) {
        throw refused(new WalletSentences.NoNextPage());
      }
      JsonNode given = link.isMissingNode() ? cursor : link;
      if (given.isNull()) {
        return null;
      }
      if (!given.isString() || given.asString().isEmpty()) {
        throw refused(new WalletSentences.NoNextPage());
      }
      if (link.isMissingNode()) {
        String value = UriUtils.encode(cursor.asString(), UTF_8);
        return UriComponentsBuilder.fromUri(first)
            .replaceQueryParam("cursor", value)
            .build(true)
            .toUri();
      }
      return follow(page, link.asString());
    }

    /** The secret goes to no other host. */
    private URI follow(URI page, String link) {
      URI next;
      try {
        next = resolve(page, link);
      } catch (IllegalArgumentException e) {
        throw refused(new WalletSentences.NextElsewhere(shown(link)));
      }
      boolean same =
          Objects.equals(next.getScheme(), first.getScheme())
              && Objects.equals(next.getRawAuthority(), first.getRawAuthority())
              && next.getFragment() == null;
      if (!same) {
        throw refused(new WalletSentences.NextElsewhere(shown(link)));
      }
      return next;
    }

    /** As RFC 3986 says; Java drops the last part of the path if the link is a query alone. */
    private static URI resolve(URI page, String link) {
      return link.startsWith("?")
          ? UriComponentsBuilder.fromUri(page).replaceQuery(link.substring(1)).build(true).toUri()
          : page.resolve(link);
    }

    /** Leaves out the query, which may hold a key, and what nobody would read. */
    private static String shown(String link) {
      int end = Math.min(link.length(), MAX_SHOWN_CHARACTERS);
      return link.substring(0, end).split("[?#]", 2)[0];
    }

    private Refusal refused(Sentence why) {
      return new Refusal(Problem.WRONG_STATE, failed(why));
    }

    private Sentence failed(Sentence why) {
      return new WalletSentences.PageFailed(pages.size(), why);
    }
  }
}
