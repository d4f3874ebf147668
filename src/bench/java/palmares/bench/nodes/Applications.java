package palmares.bench.nodes;

import java.util.Map;
import palmares.bench.Beans;

/** Starts further applications in this process, with the boards of {@link NodeBoards}. */
public interface Applications {
  /**
   * Starts one without background work.
   *
   * @param name of its process, different for each that runs
   * @param properties of Spring
   */
  Application start(String name, Map<String, String> properties);

  /** A running application. */
  interface Application extends Beans, AutoCloseable {
    @Override
    void close();
  }
}
