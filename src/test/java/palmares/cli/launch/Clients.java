package palmares.cli.launch;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** Makes clients of servers that tests write. */
public final class Clients {
  private Clients() {}

  public static Client of(URI url, Duration readTimeout) {
    return new Client(
        new Server(url, "token", null), "application/json", Locale.ENGLISH, readTimeout, null);
  }
}
