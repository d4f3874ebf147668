package palmares.cli.launch;

/** A started application. */
public interface RunningApplication extends AutoCloseable {
  /** The bean of a type. */
  <T> T get(Class<T> type);

  /** Stops it, and the embedded servers if no other process uses them. */
  @Override
  void close();
}
