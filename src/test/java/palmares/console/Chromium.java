package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.boot.SpringApplication;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import palmares.testing.Servers;

/**
 * Starts the Chromium of this machine once for all tests, and gives each test its windows. Without
 * Chromium the tests are skipped, but in CI they fail.
 */
final class Chromium implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");

  /** The same engine without the windows of a desktop, which it draws unseen otherwise. */
  private static final Path HEADLESS = Path.of("/usr/lib/chromium/chromium-headless-shell");

  private static final Namespace STORE = Namespace.create(Chromium.class);

  /** The browser, and the windows that nobody uses. Surefire ends JUnit's root after each class. */
  private record Running(Browser browser, Map<String, Deque<Window>> idle) {
    static final Running INSTANCE = start();

    private static Running start() {
      Playwright driver =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      SpringApplication.getShutdownHandlers().add(driver::close);
      return new Running(
          driver
              .chromium()
              .launch(
                  new LaunchOptions()
                      .setExecutablePath(Files.isExecutable(HEADLESS) ? HEADLESS : PROGRAM)
                      .setArgs(
                          List.of(
                              "--no-sandbox",
                              "--disable-gpu",
                              "--disable-background-networking",
                              "--disable-component-update",
                              "--disable-sync",
                              "--disable-quic",
                              "--no-first-run"))),
          new HashMap<>());
    }
  }

  @Override
  public void beforeAll(ExtensionContext test) {
    boolean isInstalled = Files.isExecutable(PROGRAM);
    if (System.getenv("CI") != null) {
      assertThat(isInstalled).as("%s, which browser tests need", PROGRAM).isTrue();
    }
    Assumptions.assumeTrue(isInstalled, "no " + PROGRAM + ": install Debian's package chromium");
  }

  @Override
  public void afterEach(ExtensionContext test) {
    Windows windows = test.getStore(STORE).get(Windows.class, Windows.class);
    if (windows != null) {
      windows.close(test.getDisplayName(), test.getExecutionException().isPresent());
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Windows.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    var application = SpringExtension.getApplicationContext(test);
    int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    return test.getStore(STORE)
        .computeIfAbsent(
            Windows.class,
            key ->
                new Windows(
                    Running.INSTANCE.browser(),
                    Running.INSTANCE.idle(),
                    port,
                    application.getBean(Servers.class)),
            Windows.class);
  }
}
