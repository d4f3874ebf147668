package palmares.crash;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import palmares.Palmares;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.cli.Cli;
import palmares.platform.time.SettableClock;
import palmares.testing.Api;

/**
 * The server as a process, which has {@link KillPoints}, and a clock that its campaign sets. It
 * calls the campaign when it has started, and does what that says, a line at a time.
 */
@Import(Palmares.class)
class MortalServer {
  /** The port at which the campaign listens. */
  static final String PORT = "CRASH_PORT";

  /** The time at which the clock begins. */
  static final String NOW = "CRASH_NOW";

  /** The point to die at, as in the line {@code arm}; empty for none. */
  static final String ARM = "CRASH_ARM";

  /** {@link #NONE} for a server that is measured, and not killed at a point. */
  static final String POINTS = "CRASH_POINTS";

  static final String NONE = "none";

  /** What ends the line {@code arm} of a server that is stopped and not killed. */
  static final String STOP = "\tstop";

  public static void main(String... arguments) {
    Locale.setDefault(Locale.ROOT);
    arm(variable(ARM));
    System.exit(Cli.run(MortalServer.class, Clock.systemUTC(), arguments));
  }

  private static String variable(String name) {
    return Objects.requireNonNullElse(System.getenv(name), "");
  }

  @Bean
  static BeanPostProcessor killPoints() {
    return variable(POINTS).equals(NONE) ? new BeanPostProcessor() {} : new KillPoints();
  }

  @Bean
  @Primary
  SettableClock campaignClock() {
    var clock = new SettableClock(Instant.parse(variable(NOW)));
    clock.run();
    return clock;
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> campaign(SettableClock clock, ApiKeys keys) {
    return ready -> {
      ApplicationContext context = ready.getApplicationContext();
      var thread = new Thread(() -> obey(context, clock, keys), "campaign");
      thread.setDaemon(true);
      thread.start();
    };
  }

  private static void obey(ApplicationContext context, SettableClock clock, ApiKeys keys) {
    int port = Integer.parseInt(variable(PORT));
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        var in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        var out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      out.println(context.getEnvironment().getProperty("local.server.port"));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split("\t", 2);
        out.println(
            switch (words[0]) {
              case "arm" -> arm(words[1]);
              case "points" -> points();
              case "measure" -> measure();
              case "at" -> set(clock, Instant.parse(words[1]));
              case "key" ->
                  Api.ownKey(
                      keys,
                      new NewKey(words[1], Set.of(Role.values()), Set.of(), Api.TEN_YEARS),
                      words[1]);
              default -> throw new IllegalArgumentException(line);
            });
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String set(SettableClock clock, Instant time) {
    clock.set(time);
    clock.run();
    return "";
  }

  /**
   * @param line point, whether after it, and how often, separated by tabs, and {@code stop} if it
   *     is stopped there; empty to die at none
   */
  private static String arm(String line) {
    if (line.isEmpty()) {
      KillPoints.disarm();
    } else {
      String[] words = line.split("\t", -1);
      KillPoints.arm(
          words[0], words[1].equals("after"), Long.parseLong(words[2]), line.endsWith(STOP));
    }
    return "";
  }

  /** Bytes of the heap that are in use, threads, and open files, separated by tabs. */
  private static String measure() {
    System.gc();
    var files = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + "\t"
        + ManagementFactory.getThreadMXBean().getThreadCount()
        + "\t"
        + files.getOpenFileDescriptorCount();
  }

  private static String points() {
    return KillPoints.counts().entrySet().stream()
        .map(point -> point.getKey() + "\t" + point.getValue())
        .collect(Collectors.joining("\t"));
  }
}
