package palmares.api.security;

import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Names who acts: the authenticated caller of a request, or the operating-system user of a command
 * on the server's own databases.
 */
@Component
public class CurrentActor {
  /** The request attribute that has the name of the authenticated caller. */
  public static final String ATTRIBUTE = "palmares.actor";

  private static final String LOCAL = "local:";

  /**
   * The name under which the audit log keeps what is done now.
   *
   * @throws IllegalStateException if nobody has authenticated the caller of the request
   */
  public String name() {
    RequestAttributes request = RequestContextHolder.getRequestAttributes();
    if (request == null) {
      return LOCAL + System.getProperty("user.name", "somebody");
    }
    Object name = request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
    if (name == null) {
      throw new IllegalStateException("the caller of this request is not authenticated");
    }
    return name.toString();
  }
}
