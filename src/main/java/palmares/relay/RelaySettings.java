package palmares.relay;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this process relays committed events.
 *
 * @param background whether it also relays, all the time, what others could not; a server does
 */
@ConfigurationProperties("palmares.relay")
record RelaySettings(@DefaultValue("false") boolean background) {}
