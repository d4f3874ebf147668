package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.ConfiguredNodes;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.testing.Installed;

/** TLS of a real Redis: used by both sides, or by one alone, which a start refuses by its cause. */
@TestInstance(Lifecycle.PER_CLASS)
class RedisTlsTest {
  private static final String TLS = "spring.data.redis.ssl.enabled=true";

  private Process redis;
  private String certificate;
  private int plainPort;
  private int tlsPort;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Path program = Installed.require("redis-server", "redis-server");
    Path openssl = Installed.require("openssl", "openssl");
    String key = folder.resolve("key.pem").toString();
    certificate = folder.resolve("cert.pem").toString();
    run(
        folder,
        openssl.toString(),
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
            + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "
            + key
            + " -out "
            + certificate);
    plainPort = freePort();
    tlsPort = freePort();
    redis =
        process(
            folder,
            program.toString(),
            "--bind 127.0.0.1 --save --port %d --tls-port %d --tls-cert-file %s --tls-key-file %s"
                    .formatted(plainPort, tlsPort, certificate, key)
                + " --tls-ca-cert-file %s --tls-auth-clients no".formatted(certificate));
    await().until(() -> answers(tlsPort));
  }

  private static void run(Path folder, String program, String arguments) throws IOException {
    Process ended = process(folder, program, arguments);
    assertThat(ended.onExit().join().exitValue())
        .as(Files.readString(folder.resolve("output")))
        .isZero();
  }

  private static Process process(Path folder, String program, String arguments) throws IOException {
    var command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments.split(" ")));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean answers(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @AfterAll
  void stop() {
    if (redis != null) {
      redis.destroyForcibly().onExit().join();
    }
  }

  private static ApplicationContextRunner start(int port, String... settings) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class))
        .withUserConfiguration(RedisClient.class)
        .withBean(RedisAddress.class)
        .withBean(ConfiguredNodes.class)
        .withBean(RedisAtStart.class)
        .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port)
        .withPropertyValues(settings);
  }

  /** The command line ends with the exit code 4 and these two sentences. */
  private static void assertRefused(ApplicationContextRunner started, String cause, String remedy) {
    started.run(
        context -> {
          Throwable failure = context.getStartupFailure();
          while (failure != null && !(failure instanceof ServersUnavailable)) {
            failure = failure.getCause();
          }
          assertThat(failure)
              .as("%s", context.getStartupFailure())
              .hasMessageContainingAll(cause, remedy);
        });
  }

  @Test
  void bothSidesUseTls() {
    start(
            tlsPort,
            "spring.data.redis.ssl.bundle=ours",
            "spring.ssl.bundle.pem.ours.truststore.certificate=file:" + certificate)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aRedisWithoutTlsIsRefused() {
    LettuceClientOptionsBuilderCustomizer impatient =
        options ->
            options.sslOptions(
                SslOptions.builder().handshakeTimeout(Duration.ofMillis(300)).build());
    assertRefused(
        start(plainPort, TLS)
            .withBean(LettuceClientOptionsBuilderCustomizer.class, () -> impatient),
        "it does not use TLS at this port",
        "Remove spring.data.redis.ssl.*, or name the port at which Redis uses TLS");
  }

  @Test
  void aRedisThatAsksForTlsIsRefused() {
    assertRefused(
        start(tlsPort),
        "closes the connection",
        "If Redis uses TLS at this port, set spring.data.redis.ssl.enabled=true");
  }

  @Test
  void aCertificateThatNobodyVouchesForIsRefused() {
    assertRefused(
        start(tlsPort, TLS),
        "its certificate is not trusted",
        "Name the certificate of its authority in"
            + " spring.ssl.bundle.pem.NAME.truststore.certificate");
  }
}
