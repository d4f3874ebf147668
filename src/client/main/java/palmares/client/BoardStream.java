package palmares.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Follows a board on a separate thread. It reads no more than its subscriber has asked for; the
 * server sends to a slow reader the latest lines only.
 */
final class BoardStream implements Flow.Subscription, Runnable {
  private static final int NO_CONTENT = 204;
  private static final int OK = 200;

  private final PalmaresClient client;
  private final String board;
  private final int count;
  private final RetryPolicy retries;
  private final Flow.Subscriber<? super Board> subscriber;
  private final Thread thread = new Thread(this, "palmares-stream");
  private final Semaphore demand = new Semaphore(0);
  private volatile boolean cancelled;
  private volatile @Nullable Throwable wrongDemand;

  private String period;
  private @Nullable String lastId;

  /** How many connections have failed since the last lines. */
  private int failed;

  private BoardStream(
      PalmaresClient client,
      String board,
      String period,
      int count,
      RetryPolicy retries,
      Flow.Subscriber<? super Board> subscriber) {
    this.client = client;
    this.board = board;
    this.period = period;
    this.count = count;
    this.retries = retries;
    this.subscriber = subscriber;
  }

  static void begin(
      PalmaresClient client,
      String board,
      String period,
      int count,
      RetryPolicy retries,
      Flow.Subscriber<? super Board> subscriber) {
    var stream = new BoardStream(client, board, period, count, retries, subscriber);
    subscriber.onSubscribe(stream);
    stream.thread.setDaemon(true);
    stream.thread.start();
  }

  @Override
  public void request(long n) {
    if (n < 1) {
      wrongDemand = new IllegalArgumentException("%s lines were asked for".formatted(n));
      thread.interrupt();
    } else if (demand.availablePermits() < Integer.MAX_VALUE / 2) {
      demand.release((int) Math.min(n, Integer.MAX_VALUE / 2));
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    thread.interrupt();
  }

  @Override
  public void run() {
    try {
      boolean sealed = false;
      while (!sealed && !cancelled) {
        sealed = readOnce();
      }
      if (!cancelled) {
        subscriber.onComplete();
      }
    } catch (InterruptedException | RuntimeException e) {
      if (!cancelled) {
        Throwable asked = wrongDemand;
        subscriber.onError(asked == null ? e : asked);
      }
    }
  }

  /** Reads one connection until it ends, and returns whether the period is sealed. */
  private boolean readOnce() throws InterruptedException {
    PalmaresException failure;
    try {
      HttpRequest.Builder request = client.stream(board, period, count);
      if (lastId != null) {
        request.header("Last-Event-ID", lastId);
      }
      HttpResponse<InputStream> answer =
          client.exchange(request.build(), BodyHandlers.ofInputStream());
      try (var body = new WatchedBody(answer.body(), client.maxSilence())) {
        if (answer.statusCode() == NO_CONTENT) {
          return true;
        }
        if (answer.statusCode() != OK) {
          throw PalmaresException.of(answer, body.readAllBytes());
        }
        if (read(new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8)))) {
          return true;
        }
        failure = PalmaresException.noAnswer(board, new IOException("the stream has ended"));
      }
    } catch (IOException e) {
      failure = PalmaresException.noAnswer(board, e);
    } catch (PalmaresException e) {
      failure = e;
    }
    if (cancelled || !failure.isRetryable()) {
      throw failure;
    }
    client.pause(retries, ++failed, failure);
    return false;
  }

  /** Passes each message on, and returns whether the last one says that the period is sealed. */
  private boolean read(BufferedReader lines) throws IOException, InterruptedException {
    String id = null;
    String event = "";
    var data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id:")) {
        id = value(line);
      } else if (line.startsWith("event:")) {
        event = value(line);
      } else if (line.startsWith("data:")) {
        data.append(value(line));
      } else if (line.isEmpty() && data.length() > 0) {
        boolean sealed = event.equals("sealed");
        pass(id, data.toString(), sealed);
        if (sealed) {
          return true;
        }
        data.setLength(0);
      }
    }
    return false;
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }

  /** After a reconnection, the first message may be the last one of before. */
  private void pass(@Nullable String id, String data, boolean sealed) throws InterruptedException {
    failed = 0;
    if (!sealed && id != null && id.equals(lastId)) {
      return;
    }
    Board top = Board.of(Json.object(data.getBytes(StandardCharsets.UTF_8)));
    demand.acquire();
    lastId = id;
    period = top.period();
    subscriber.onNext(top);
  }
}
