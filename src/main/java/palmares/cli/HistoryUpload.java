package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.Progress;
import palmares.live.history.HistoryReader;
import palmares.live.history.HistoryReader.UnreadableSource;
import palmares.live.history.HistorySource;
import palmares.live.intake.EventOutcome.Kind;
import palmares.platform.Refusal;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Sends histories to a server, with a heartbeat also while a source or a batch takes long. */
final class HistoryUpload {
  private static final String PATH = "/api/v1/imports";
  private static final long HEARTBEAT_SECONDS = 3;
  private static final int MAX_NAMES_LENGTH = 500;
  private static final byte[] NOTHING = {};

  /** How long a batch that is refused for a while is sent again. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  private final Client client;
  private final BiConsumer<Sentence, Duration> pause;
  private final Map<String, Long> outcomes = new TreeMap<>();
  private final Map<String, Long> leftOut = new TreeMap<>();
  private long lines;
  private long withoutEffect;

  /**
   * @param pause waits before a batch is sent again, which was refused for a reason
   */
  HistoryUpload(Client client, BiConsumer<Sentence, Duration> pause) {
    this.client = client;
    this.pause = pause;
  }

  /**
   * Sends every line of every source. If that fails, the import is not recorded as ended, so that
   * its periods stay open; sending them again adds the rest.
   *
   * @return how many periods are due afterwards
   * @throws UnreadableSource if a source cannot be read to its end
   */
  long send(List<HistorySource> sources, Progress progress) throws UnreadableSource {
    String names = sources.stream().map(HistorySource::name).collect(Collectors.joining(", "));
    String shown = names.substring(0, Math.min(names.length(), MAX_NAMES_LENGTH));
    Object id =
        client.post(PATH + "?sources=" + URLEncoder.encode(shown, UTF_8), NOTHING).get("id");
    String path = PATH + "/" + id;
    ScheduledExecutorService heartbeat =
        Executors.newSingleThreadScheduledExecutor(HistoryUpload::daemon);
    heartbeat.scheduleWithFixedDelay(
        () -> beat(path), HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    try {
      new HistoryReader(new Batches(path, progress)).read(sources);
      return end(path, true);
    } catch (UnreadableSource | RuntimeException e) {
      stop(path, e);
      throw e;
    } finally {
      heartbeat.shutdownNow();
    }
  }

  /** Says that no more will come, so that no other import waits for a heartbeat. */
  private void stop(String path, Exception reason) {
    try {
      end(path, false);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "import-heartbeat");
    thread.setDaemon(true);
    return thread;
  }

  /** A failure is one of the next batch, too, which reports it. */
  private void beat(String path) {
    try {
      client.post(path + "/lines", NOTHING);
    } catch (RuntimeException e) {
      return;
    }
  }

  private long end(String path, boolean complete) {
    return number(client.post(path + "/end?complete=" + complete, NOTHING).get("due"));
  }

  /** Sends batches, and shows what became of them. */
  private final class Batches implements HistoryReader.Target {
    private final String path;
    private final Progress progress;

    Batches(String path, Progress progress) {
      this.path = path;
      this.progress = progress;
    }

    @Override
    public void take(String source, long first, byte[] batch) {
      Map<String, Object> taken = taken(path + "/lines?first=" + first, batch);
      lines += number(taken.get("lines"));
      withoutEffect += number(taken.get("withoutEffect"));
      add(outcomes, taken.get("outcomes"));
      add(leftOut, taken.get("leftOut"));
      for (Object each : (List<?>) Objects.requireNonNull(taken.get("notTaken"))) {
        var line = (Map<?, ?>) each;
        progress.say(
            TerminalText.of(
                "%s:%s: %s: %s"
                    .formatted(source, line.get("line"), line.get("reason"), line.get("detail"))));
      }
    }

    /** Sends a batch again while the server refuses it for a while: its lines have the same ids. */
    private Map<String, Object> taken(String target, byte[] batch) {
      Duration waited = Duration.ZERO;
      while (true) {
        try {
          return client.post(target, batch);
        } catch (Refusal e) {
          if (e.retrySeconds().isEmpty() || waited.compareTo(MAX_WAIT) >= 0) {
            throw e;
          }
          var wait = Duration.ofSeconds(e.retrySeconds().getAsInt());
          pause.accept(e.said(), wait);
          waited = waited.plus(wait);
        }
      }
    }

    @Override
    public void taken(long bytes) {
      progress.at(bytes, Texts.here().of(new CommandSentences.Lines(lines)));
    }
  }

  private static void add(Map<String, Long> sums, @Nullable Object counts) {
    ((Map<?, ?>) Objects.requireNonNull(counts))
        .forEach((name, count) -> sums.merge(name.toString(), number(count), Long::sum));
  }

  private static long number(@Nullable Object json) {
    return ((Number) Objects.requireNonNull(json)).longValue();
  }

  /** The lines that were not blank. */
  long lines() {
    return lines;
  }

  /** Counts undos without anything to undo, and repeats of an action on its subject. */
  long withoutEffect() {
    return withoutEffect;
  }

  /** Counts results of a kind, except those {@link #withoutEffect}. */
  long of(Kind kind) {
    return outcomes.getOrDefault(kind.word(), 0L);
  }

  /** Counts, by reason, the boards that refused an event which counts on another board. */
  Map<String, Long> leftOut() {
    return leftOut;
  }
}
