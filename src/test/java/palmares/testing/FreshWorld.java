package palmares.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.util.FileSystemUtils;
import palmares.settlement.manifest.Anchors;

/** Empties the world before each test, and puts the boards in force back after it. */
public final class FreshWorld implements BeforeEachCallback, AfterEachCallback {
  private static final Duration FIRST_INTERVAL = Duration.ofMillis(10);
  private static final Duration LONGEST_INTERVAL = Duration.ofMillis(100);

  static {
    // The default is a tenth of a second for both, also where nothing must be waited for.
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    // Long waits poll less often, because each poll takes processor time from other tests.
    Awaitility.setDefaultPollInterval(
        IterativePollInterval.iterative(FreshWorld::longer, FIRST_INTERVAL));
  }

  private static Duration longer(Duration interval) {
    Duration next = interval.multipliedBy(6).dividedBy(5);
    return next.compareTo(LONGEST_INTERVAL) < 0 ? next : LONGEST_INTERVAL;
  }

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    restoreLogLevels();
    world(test).begin();
    FileSystemUtils.deleteRecursively(WorldTest.ARCHIVES);
    Files.createDirectories(WorldTest.ARCHIVES);
    Files.deleteIfExists(SpringExtension.getApplicationContext(test).getBean(Anchors.class).file());
  }

  /** Commands that an earlier test called have lowered the levels of the whole process. */
  private static void restoreLogLevels() {
    LoggingSystem logging = LoggingSystem.get(FreshWorld.class.getClassLoader());
    logging.setLogLevel("palmares", LogLevel.INFO);
    logging.setLogLevel("palmares.settlement.closing", null);
    logging.setLogLevel("palmares.platform.infra", null);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    world(test).end();
  }

  /** Empties the world once, before all tests of a class whose server is dear to start. */
  public static final class Once implements BeforeAllCallback, AfterAllCallback {
    private final FreshWorld world = new FreshWorld();

    @Override
    public void beforeAll(ExtensionContext test) throws IOException {
      world.beforeEach(test);
    }

    @Override
    public void afterAll(ExtensionContext test) {
      world.afterEach(test);
    }
  }

  private static World world(ExtensionContext test) {
    return SpringExtension.getApplicationContext(test).getBean(World.class);
  }
}
