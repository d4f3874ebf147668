package palmares.platform.infra;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the embedded servers.
 *
 * @param data the data folder of the embedded servers, as --data
 * @param purpose of this process: {@code server} owns the servers or fails; any other purpose
 *     shares those of a running owner, or else owns them until it and their other users have ended
 */
@ConfigurationProperties("palmares")
record EmbeddedSettings(
    @DefaultValue("./data") String data, @DefaultValue(EmbeddedSettings.SERVER) String purpose) {
  static final String SERVER = "server";
}
