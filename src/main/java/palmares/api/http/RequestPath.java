package palmares.api.http;

import jakarta.servlet.http.HttpServletRequest;

/** The path of a request within the application, wherever a server or a proxy has put it. */
public final class RequestPath {
  private RequestPath() {}

  /**
   * Returns the path without the prefix that {@code server.servlet.context-path} or a proxy adds,
   * and encoded as it was sent.
   */
  public static String of(HttpServletRequest request) {
    return request.getRequestURI().substring(request.getContextPath().length());
  }

  /** Whether the path of a request is a path without a prefix, or below it. */
  public static boolean isWithin(String path, HttpServletRequest request) {
    String own = of(request);
    return own.startsWith(path)
        && (own.length() == path.length() || own.charAt(path.length()) == '/');
  }
}
