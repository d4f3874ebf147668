package palmares.live.journal;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * Drains journals for as long as a server runs. Any number of servers may do so side by side:
 * whoever finds a period held by another leaves it.
 */
@Component
@EnableConfigurationProperties(JournalSettings.class)
class Drainer extends BackgroundLoop {
  Drainer(Loops loops, DrainRound round, JournalSettings settings) {
    super(loops, "journal drainer", settings.drain(), round::run);
  }
}
