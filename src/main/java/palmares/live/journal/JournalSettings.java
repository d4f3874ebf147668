package palmares.live.journal;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this process treats live journals.
 *
 * @param drain whether it drains those of open periods all the time; a server does
 */
@ConfigurationProperties("palmares.journal")
record JournalSettings(@DefaultValue("false") boolean drain) {}
