package shop;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.springframework.util.FileSystemUtils;
import palmares.testing.PalmaresServer;

/** The server of all tests, whose wallet is a shop at a port that is free until it starts. */
public final class SharedServer {
  public static final String DAY = "2026-11-20";
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** Of the list of what the shop has credited. */
  public static final String TOKEN = "the-shops-own-token";

  private static final String RULES =
      """
      title: Shop
      period: %s
      public: true
      zone: UTC
      grace: 10s
      actions:
        %s: { points: 1, max-quantity: 1000 }
      max-points: 100000
      ranks: unique
      rewards:
        - rule: prize
          ranks: { 1: 1000, 2-20: 100 }
      """;

  private static SharedServer shared;

  private final PalmaresServer server;
  private final int shopPort;

  private SharedServer() throws IOException {
    Path folder = Files.createTempDirectory("palmares-starter");
    try (var free = new ServerSocket(0)) {
      shopPort = free.getLocalPort();
    }
    server =
        PalmaresServer.start(
            folder,
            Instant.parse(DAY + "T12:00:00Z"),
            Map.of(
                "orders", RULES.formatted("day", "buy"), "coins", RULES.formatted("month", "coin")),
            "palmares.outbox.batch-size=2",
            "palmares.outbox.min-retry-delay=100ms",
            "palmares.outbox.max-retry-delay=200ms",
            "palmares.outbox.webhooks.wallet.url=http://localhost:" + shopPort + "/palmares/facts",
            "palmares.outbox.webhooks.wallet.allowed-hosts=localhost",
            "palmares.outbox.webhooks.wallet.secret=" + SECRET,
            "palmares.outbox.webhooks.wallet.facts=period.settled,period.amended,award.*",
            "palmares.outbox.webhooks.wallet.confirms=true",
            "palmares.outbox.webhooks.wallet.list.url=http://localhost:" + shopPort + "/credits",
            "palmares.outbox.webhooks.wallet.list.token=" + TOKEN);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(folder)));
  }

  private void close(Path folder) {
    try {
      server.close();
      FileSystemUtils.deleteRecursively(folder);
    } catch (IOException e) {
      System.err.println("the server of the tests goes on: " + e);
    }
  }

  /** Starts it for the first test that asks. */
  public static synchronized SharedServer get() throws IOException {
    if (shared == null) {
      shared = new SharedServer();
    }
    return shared;
  }

  public PalmaresServer palmares() {
    return server;
  }

  public int shopPort() {
    return shopPort;
  }
}
