package palmares.settlement.outbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.core.NestedExceptionUtils;
import palmares.platform.text.Sentence;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;

/** Calls the host of a webhook: without redirects, in time, and not in the private network. */
final class WebhookClient {
  private final WebhookSettings settings;
  private final HttpClient client;

  WebhookClient(WebhookSettings settings) {
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.connectTimeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /**
   * Sends a request. The time limits the whole exchange, so that an endless body delays nothing.
   *
   * @param bytes how many bytes of the answer are kept; the others are read and dropped
   * @throws DeliveryFailed if no answer comes
   */
  HttpResponse<byte[]> send(HttpRequest request, int bytes, Duration timeout) {
    requirePublic(request.uri());
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, info -> start(bytes));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw DeliveryFailed.temporary(new DeliverySentences.NoAnswer(timeout.toMillis()));
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
  private void requirePublic(URI url) {
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
