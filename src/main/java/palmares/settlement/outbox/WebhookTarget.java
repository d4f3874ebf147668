package palmares.settlement.outbox;

import static java.net.HttpURLConnection.HTTP_GONE;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
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
  private final WebhookClient client;
  private final Clock clock;
  private final Spans spans;

  /**
   * @param settings with a URL
   */
  WebhookTarget(String name, WebhookSettings settings, Clock clock, Spans spans) {
    this.name = name;
    this.settings = settings;
    this.url = Objects.requireNonNull(settings.url());
    this.signatures = settings.signatures();
    this.clock = clock;
    this.spans = spans;
    this.client = new WebhookClient(settings);
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
    byte[] body = JSON.writeValueAsBytes(Map.of("facts", batch.facts()));
    HttpRequest.Builder request = request(batch.id(), body);
    HttpResponse<byte[]> response =
        spans.send(
            "webhook",
            request::setHeader,
            () ->
                client.send(
                    request.build(), confirms() ? MAX_ANSWER_BYTES + 1 : 0, settings.timeout()));
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
}
