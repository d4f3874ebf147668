package palmares.settlement.outbox;

import static java.net.HttpURLConnection.HTTP_GONE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.springframework.core.NestedExceptionUtils;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import tools.jackson.databind.json.JsonMapper;

/** Posts signed batches to one URL over HTTP. */
final class WebhookTarget implements DeliveryTarget {
  static final String NAME = "webhook";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Of an answer, which has a few words on each award of a batch. */
  private static final int MAX_ANSWER_BYTES = 4 << 20;

  private final String name;
  private final WebhookSettings settings;
  private final URI url;
  private final List<Signature> signatures;
  private final HttpClient client;
  private final Clock clock;
  private final Spans spans;

  /**
   * @param settings with a URL
   */
  WebhookTarget(String name, WebhookSettings settings, Clock clock, Spans spans) {
    this.name = name;
    this.settings = settings;
    this.url = Objects.requireNonNull(settings.url());
    this.signatures = settings.secret().stream().map(Signature::of).toList();
    this.clock = clock;
    this.spans = spans;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.connectTimeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean confirms() {
    return settings.confirms();
  }

  /** Leaves out the query, which may hold a key. */
  @Override
  public String address() {
    return "%s://%s%s".formatted(url.getScheme(), url.getRawAuthority(), url.getRawPath());
  }

  @Override
  public Subscription facts() {
    return settings.subscription();
  }

  @Override
  public Answer send(FactBatch batch) {
    requirePublic();
    byte[] body = JSON.writeValueAsBytes(Map.of("facts", batch.facts()));
    HttpRequest.Builder request = request(batch.id(), body);
    HttpResponse<byte[]> response =
        spans.send("webhook", request::setHeader, () -> post(request.build()));
    int status = response.statusCode();
    if (status == HTTP_GONE) {
      throw DeliveryFailed.permanent(new DeliverySentences.Gone(status), status);
    }
    if (status / 100 == 3) {
      throw DeliveryFailed.temporary(new DeliverySentences.Redirected(status), status);
    }
    if (status / 100 != 2) {
      throw DeliveryFailed.temporary(new DeliverySentences.Answered(status), status);
    }
    return confirms() && response.body().length > 0
        ? WalletAnswers.read(status, response.body(), MAX_ANSWER_BYTES)
        : Answer.of(status);
  }

  private HttpRequest.Builder request(String id, byte[] body) {
    long timestamp = clock.instant().getEpochSecond();
    return HttpRequest.newBuilder(url)
        .timeout(settings.timeout())
        .header("content-type", "application/json")
        .header("user-agent", "palmares")
        .header("webhook-id", id)
        .header("webhook-timestamp", Long.toString(timestamp))
        .header(
            "webhook-signature",
            signatures.stream()
                .map(signature -> signature.sign(id, timestamp, body))
                .collect(Collectors.joining(" ")))
        .POST(BodyPublishers.ofByteArray(body));
  }

  /** The timeout covers the whole exchange, so that an endless body delays nothing. */
  private HttpResponse<byte[]> post(HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, info -> start(confirms() ? MAX_ANSWER_BYTES + 1 : 0));
    try {
      return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw DeliveryFailed.temporary(new DeliverySentences.NoAnswer(settings.timeout().toMillis()));
    } catch (ExecutionException e) {
      throw DeliveryFailed.temporary(reason(Objects.requireNonNullElse(e.getCause(), e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DeliveryFailed.temporary(new DeliverySentences.Stopped());
    }
  }

  /** Keeps the first bytes of a body, and reads and drops the others. */
  private static BodySubscriber<byte[]> start(int bytes) {
    var kept = new ByteArrayOutputStream();
    return BodySubscribers.mapping(
        BodySubscribers.ofByteArrayConsumer(
            part ->
                part.ifPresent(
                    read -> kept.write(read, 0, Math.min(read.length, bytes - kept.size())))),
        end -> kept.toByteArray());
  }

  /** Java's connections fail without a message. */
  private static Sentence reason(Throwable cause) {
    Throwable root = NestedExceptionUtils.getMostSpecificCause(cause);
    if (root instanceof UnresolvedAddressException || root instanceof UnknownHostException) {
      return new DeliverySentences.NoAddress();
    }
    if (cause instanceof HttpConnectTimeoutException) {
      return new DeliverySentences.ConnectTimeout();
    }
    if (cause instanceof ConnectException && cause.getMessage() == null) {
      return new DeliverySentences.ConnectRefused();
    }
    String message = cause.getMessage();
    if (cause instanceof IOException) {
      return message == null
          ? new DeliverySentences.Closed()
          : new DeliverySentences.NoConnection(message);
    }
    return new DeliverySentences.NotSent(message == null ? cause.toString() : message);
  }

  /** Refuses a host name that leads into the private network, unless it is configured. */
  private void requirePublic() {
    if (settings.privateAddresses() || settings.isLocal()) {
      return;
    }
    try {
      for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
        if (isPrivate(address)) {
          throw DeliveryFailed.temporary(
              new DeliverySentences.PrivateAddress(url.getHost(), address.getHostAddress()));
        }
      }
    } catch (UnknownHostException e) {
      throw DeliveryFailed.temporary(new DeliverySentences.UnknownHost(url.getHost()));
    }
  }

  static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean uniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
    boolean carrier = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
    return uniqueLocal
        || carrier
        || address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress();
  }
}
