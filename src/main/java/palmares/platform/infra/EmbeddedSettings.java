package palmares.platform.infra;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this process has the embedded servers.
 *
 * @param data the folder they live in
 * @param purpose what this process is; {@code server} owns the servers or fails, any other purpose
 *     joins a running owner, or else owns them until it and its guests are done
 */
@ConfigurationProperties("palmares")
record EmbeddedSettings(
    @DefaultValue("./data") String data, @DefaultValue(EmbeddedSettings.SERVER) String purpose) {
  static final String SERVER = "server";
}
