package palmares.live.journal;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * Drains journals while a server runs. Several servers may do so at the same time: each skips the
 * periods that another has locked.
 */
@Component
@EnableConfigurationProperties(JournalSettings.class)
class Drainer extends BackgroundLoop {
  Drainer(Loops loops, DrainRound round, JournalSettings settings) {
    super(loops, "journal drainer", settings.drain(), round::run);
  }
}
