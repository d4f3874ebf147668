package palmares.bulk;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How history is kept.
 *
 * @param ownTablesFrom a period of so many members, or more, gets tables of its own; fewer share
 *     one, since making tables takes longer than filling them
 */
@ConfigurationProperties("palmares.history")
record HistorySettings(@DefaultValue("50000") long ownTablesFrom) {}
