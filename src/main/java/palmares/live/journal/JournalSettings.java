package palmares.live.journal;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of live journals.
 *
 * @param drain whether this process drains all open periods all the time, as a server does
 */
@ConfigurationProperties("palmares.journal")
record JournalSettings(@DefaultValue("false") boolean drain) {}
