import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.boot.context.event.ApplicationReadyEvent;
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

/**
 * The product's server, with a clock that a test sets by lines of the input. It is compiled by the
 * test, against the product's jar.
 */
@Import(Palmares.class)
public class ClockedServer {
  public static void main(String... arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(Cli.run(ClockedServer.class, Clock.systemUTC(), arguments));
  }

  @Bean
  @Primary
  static SettableClock settableClock() {
    var clock = new SettableClock(Instant.parse(System.getProperty("clock")));
    clock.run();
    return clock;
  }

  @Bean
  static ApplicationListener<ApplicationReadyEvent> control(SettableClock clock, ApiKeys keys) {
    return ready -> {
      Set<Role> roles = EnumSet.allOf(Role.class);
      roles.remove(Role.APPROVER);
      String key = keys.create(new NewKey("tests", roles, Set.of(), null), "tests", "tests");
      String port = ready.getApplicationContext().getEnvironment().getProperty("local.server.port");
      System.out.println("control " + port + " " + key);
      var thread = new Thread(() -> obey(clock), "control");
      thread.setDaemon(true);
      thread.start();
    };
  }

  private static void obey(SettableClock clock) {
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        clock.set(Instant.parse(line));
        clock.run();
        System.out.println("control " + line);
      }
    } catch (IOException e) {
      e.printStackTrace();
    }
    System.exit(0); // The test is gone.
  }
}
