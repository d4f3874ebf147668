package palmares.cli.launch;

/** A started application. */
public interface RunningApplication extends AutoCloseable {
  /** The bean of a type. */
  <T> T get(Class<T> type);

  /** Stops it, and the embedded servers that it runs. */
  @Override
  void close();
}
