package palmares.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.unit.DataSize;

/**
 * Configures the client of Palmares.
 *
 * @param url of the server, such as {@code https://palmares.example}; if it is not set, nothing of
 *     the client is configured
 * @param key the API key
 * @param timeout how long to wait for each whole answer
 */
@ConfigurationProperties("palmares.client")
record PalmaresProperties(
    @Nullable String url,
    @Nullable String key,
    @DefaultValue("10s") Duration timeout,
    @DefaultValue Outbox outbox,
    @DefaultValue Webhook webhook) {

  /**
   * Configures the outbox.
   *
   * @param enabled whether this process sends what is in the outbox; others of the same database
   *     may
   * @param initializeSchema when the tables are created: always, embedded (only in databases in
   *     memory) or never
   * @param batchSize how many events are sent at once, 1 to 10000
   * @param pollInterval how often the outbox is read for events of other processes
   * @param maxRetryDelay the longest delay between attempts while Palmares does not answer
   * @param overdueAfter how long the oldest event may wait before health is down
   */
  record Outbox(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
      @DefaultValue("500") int batchSize,
      @DefaultValue("1s") Duration pollInterval,
      @DefaultValue("1m") Duration maxRetryDelay,
      @DefaultValue("10m") Duration overdueAfter) {
    private static final int MAX_BATCH = 10_000;

    Outbox {
      if (batchSize < 1 || batchSize > MAX_BATCH) {
        throw new IllegalArgumentException(
            "palmares.client.outbox.batch-size is %d, and must be 1 to %d"
                .formatted(batchSize, MAX_BATCH));
      }
      if (pollInterval.toMillis() < 1) {
        throw new IllegalArgumentException(
            "palmares.client.outbox.poll-interval is %s, and must be at least 1ms"
                .formatted(pollInterval));
      }
    }
  }

  /**
   * Configures where facts are delivered.
   *
   * @param path of the endpoint, where Palmares posts
   * @param secrets the secrets of the webhook, each {@code whsec_} and Base64; several while they
   *     are changed; if there is none, there is no endpoint
   * @param tolerance how far the time of a delivery may be from now
   * @param maxSize the longest delivery that is read
   */
  record Webhook(
      @DefaultValue("/palmares/facts") String path,
      @DefaultValue List<String> secrets,
      @DefaultValue("5m") Duration tolerance,
      @DefaultValue("8MB") DataSize maxSize) {}
}
