package palmares.platform.threads;

/** Implemented by exceptions for a server that did not answer or was not ready; retry later. */
public interface ServerOutage {
  /** The server's name in messages, such as {@code Redis}. */
  String server();
}
