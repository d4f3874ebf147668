package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.codec.Hex;
import org.springframework.security.crypto.keygen.KeyGenerators;
import palmares.api.roles.Caller;

/**
 * The secret by which commands of this machine call this server, as the user who runs them. It is
 * made at each start, and only the user who started the server can read it.
 */
public final class LocalToken {
  /** The header with the user of the shell, percent-encoded. */
  public static final String USER = "Palmares-User";

  private static final int BYTES = 32;
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,64}");

  private final String secret =
      new String(Hex.encode(KeyGenerators.secureRandom(BYTES).generateKey()));

  /** The secret, for a file that nobody else can read. */
  public String secret() {
    return secret;
  }

  /** The caller whose secret this is; empty if it is another one, or comes from elsewhere. */
  Optional<Caller> caller(String token, HttpServletRequest request) {
    return MessageDigest.isEqual(token.getBytes(UTF_8), secret.getBytes(UTF_8))
            && isOfThisMachine(request)
        ? Optional.of(Caller.local(user(request.getHeader(USER))))
        : Optional.empty();
  }

  /** A proxy of this machine may forward what strangers send. */
  private static boolean isOfThisMachine(HttpServletRequest request) {
    if (request.getHeader("X-Forwarded-For") != null || request.getHeader("Forwarded") != null) {
      return false;
    }
    try {
      String address = request.getRemoteAddr();
      return address.equals(request.getLocalAddr())
          || InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String user(@Nullable String header) {
    String user = header == null ? "" : URLDecoder.decode(header, UTF_8);
    return NAME.matcher(user).matches() ? user : "unknown";
  }
}
