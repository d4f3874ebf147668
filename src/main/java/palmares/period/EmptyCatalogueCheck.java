package palmares.period;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.boardfiles.Catalogue;

/**
 * Refuses to start without boards if the database has periods. An installation that has played has
 * board files, so its folder is the wrong one, or was not mounted.
 */
@Component
class EmptyCatalogueCheck {
  private static final Logger LOG = LoggerFactory.getLogger(EmptyCatalogueCheck.class);

  EmptyCatalogueCheck(Catalogue catalogue, JdbcClient jdbc) {
    catalogue
        .emptyFolder()
        .ifPresent(
            folder -> {
              if (jdbc.sql("select exists (select from period)").query(Boolean.class).single()) {
                throw new IllegalStateException(
                    ("the folder %s has no board file, but the database has periods: give the"
                            + " folder of their boards with --jobs DIR")
                        .formatted(folder));
              }
              LOG.warn(
                  "no board file in {}: takes no events until a board is added and the server is"
                      + " restarted; the console shows the first steps",
                  folder);
            });
  }
}
