package palmares.cli.launch;

/** The application while it runs. */
public interface RunningApplication extends AutoCloseable {
  /** The one part of that type. */
  <T> T get(Class<T> type);

  /** Stops it, and the embedded servers if it started them. */
  @Override
  void close();
}
