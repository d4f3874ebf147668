package palmares.api.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of the HTTP server.
 *
 * @param bodyTimeout how long a whole request body may take to arrive; at least 1 s
 * @param answerTimeout how long a page of the console, and a request for boards, events or members,
 *     waits for each answer of PostgreSQL; at least 100 ms
 * @param reportTimeout how long a page that adds up or compares payments, and a read of the
 *     operations API, wait for each answer of PostgreSQL; at least 100 ms
 * @param transfersPerAddress how many request bodies and long responses of one address may be
 *     transferred at a time; at least 1
 * @param anonymousTransfersPerAddress how many transfers of one address may be of requests without
 *     a valid API key or session; at least 1
 * @param connectionsPerAddress how many connections one address may have; by default half of {@code
 *     server.tomcat.max-connections}
 * @param memory how much heap large bodies and long responses may take together; by default a
 *     quarter of the heap; at least 40 MB, which the largest request takes
 */
@ConfigurationProperties("palmares.http")
record HttpSettings(
    @DefaultValue("20s") Duration bodyTimeout,
    @DefaultValue("10s") Duration answerTimeout,
    @DefaultValue("10m") Duration reportTimeout,
    @DefaultValue("100") int transfersPerAddress,
    @DefaultValue("10") int anonymousTransfersPerAddress,
    @Nullable Integer connectionsPerAddress,
    @Nullable DataSize memory) {
  private static final DataSize MIN_MEMORY = DataSize.ofMegabytes(40);

  HttpSettings {
    if (bodyTimeout.toSeconds() < 1
        || answerTimeout.toMillis() < 100
        || reportTimeout.toMillis() < 100
        || transfersPerAddress < 1
        || anonymousTransfersPerAddress < 1
        || (connectionsPerAddress != null && connectionsPerAddress < 1)
        || (memory != null && memory.compareTo(MIN_MEMORY) < 0)) {
      throw new IllegalArgumentException(
          "palmares.http: body-timeout must be at least 1s, answer-timeout and report-timeout"
              + " 100ms, transfers-per-address, anonymous-transfers-per-address and"
              + " connections-per-address 1, memory 40MB; not %s, %s, %s, %s, %s, %s, %s"
                  .formatted(
                      bodyTimeout,
                      answerTimeout,
                      reportTimeout,
                      transfersPerAddress,
                      anonymousTransfersPerAddress,
                      connectionsPerAddress,
                      memory));
    }
  }

  long memoryBytes() {
    return memory != null
        ? memory.toBytes()
        : Math.max(MIN_MEMORY.toBytes(), Runtime.getRuntime().maxMemory() / 4);
  }
}
