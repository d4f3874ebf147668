package palmares.platform.threads;

/**
 * An exception that says that a server did not answer or refused; what was asked may be retried.
 */
public interface ServerOutage {
  /** The server as messages name it, such as {@code Redis}. */
  String server();
}
