package palmares.api.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import palmares.platform.text.Setting;
import palmares.platform.text.SettingSentences;

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
  private static final Duration MIN_ANSWER_TIMEOUT = Duration.ofMillis(100);
  private static final DataSize MIN_MEMORY = DataSize.ofMegabytes(40);

  HttpSettings {
    var http = new Setting("palmares.http");
    http.part("body-timeout").requireAtLeast(Duration.ofSeconds(1), bodyTimeout);
    http.part("answer-timeout").requireAtLeast(MIN_ANSWER_TIMEOUT, answerTimeout);
    http.part("report-timeout").requireAtLeast(MIN_ANSWER_TIMEOUT, reportTimeout);
    http.part("transfers-per-address").requireAtLeast(1, transfersPerAddress);
    http.part("anonymous-transfers-per-address").requireAtLeast(1, anonymousTransfersPerAddress);
    if (connectionsPerAddress != null) {
      http.part("connections-per-address").requireAtLeast(1, connectionsPerAddress);
    }
    if (memory != null && memory.compareTo(MIN_MEMORY) < 0) {
      throw http.part("memory").wrong(memory, new SettingSentences.AtLeast("40MB"));
    }
  }

  long memoryBytes() {
    return memory != null
        ? memory.toBytes()
        : Math.max(MIN_MEMORY.toBytes(), Runtime.getRuntime().maxMemory() / 4);
  }
}
