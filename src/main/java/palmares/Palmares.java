package palmares;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.cli.Cli;
import palmares.cli.UnpackedJar;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.time.DatabaseClock;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;

/** The application, which a server runs. */
@SpringBootApplication(proxyBeanMethods = false)
public class Palmares {

  public static void main(String... arguments) {
    Clock clock = Clock.systemUTC();
    OptionalInt ended = UnpackedJar.run(Palmares.class, clock, arguments);
    if (ended.isPresent()) {
      System.exit(ended.getAsInt());
    }
    Locale.setDefault(Locale.ROOT); // Messages and files are read on other machines, too.
    System.exit(Cli.run(Palmares.class, clock, arguments));
  }

  /**
   * The only clock; a sandbox, the demo and tests provide another one. Commands that use the data
   * of a sandbox go by its clock.
   */
  @Bean
  @ConditionalOnMissingBean
  Clock clock(JdbcClient jdbc, ObjectProvider<EmbeddedServers> embedded) {
    var clock = new DatabaseClock(jdbc);
    return embedded.stream()
        .flatMap(servers -> servers.sandboxClockAhead().stream())
        .findFirst()
        .map(ahead -> Clock.offset(clock, ahead))
        .orElse(clock);
  }

  /** The boards in force; a command that has already read them provides them. */
  @Bean
  @ConditionalOnMissingBean
  Catalogue catalogue(@Value("${palmares.jobs:#{null}}") @Nullable Path folder) {
    return BoardFiles.readForServer(folder);
  }
}
