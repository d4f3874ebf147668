package palmares.api.identity;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.stereotype.Component;

/** Says of requests that last whether their API key is still valid. */
@Component
public class KeyRevocations {
  private final ApiKeyCheck check;
  private final BearerTokenResolver tokens = new DefaultBearerTokenResolver();

  KeyRevocations(ApiKeyCheck check) {
    this.check = check;
  }

  /** Returns whether the key of a request may still be used; always if it has none. */
  public BooleanSupplier stillValid(HttpServletRequest request) {
    String secret = tokens.resolve(request);
    String address = request.getRemoteAddr();
    return () -> secret == null || check.isStillValid(secret, address);
  }
}
