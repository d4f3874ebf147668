package palmares.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.api.roles.Role;
import palmares.testing.Servers;

/** The windows that a test opens, each a browser with cookies that no other has. */
final class Windows {
  static final String PASSWORD = "correct horse battery";

  private final Browser browser;
  private final Servers servers;
  private int port;
  private final List<Window> open = new ArrayList<>();

  Windows(Browser browser, int port, Servers servers) {
    this.browser = browser;
    this.port = port;
    this.servers = servers;
  }

  /** Opens windows on another server from now on. */
  Windows on(int otherPort) {
    port = otherPort;
    return this;
  }

  /** How pages are seen. */
  enum Look {
    LIGHT,
    PHONE,
    CHINESE
  }

  /** A window of somebody who has not signed in. */
  Window open(Look... looks) {
    var options =
        new NewContextOptions()
            .setBaseURL("http://localhost:" + port)
            .setTimezoneId("Europe/Berlin")
            .setLocale("en-GB")
            .setReducedMotion(ReducedMotion.REDUCE)
            .setViewportSize(Window.DESK, Window.HEIGHT);
    for (Look look : looks) {
      switch (look) {
        case LIGHT -> options.setColorScheme(ColorScheme.LIGHT);
        case PHONE -> options.setViewportSize(Window.PHONE, Window.HEIGHT);
        case CHINESE -> options.setLocale("zh-CN");
      }
    }
    BrowserContext context = browser.newContext(options);
    var window = new Window(context);
    open.add(window);
    return window;
  }

  /** The people of tests. */
  enum Person {
    /** Operates and approves. */
    ANN(Role.OPERATOR, Role.APPROVER),
    /** Operates and approves, too. */
    BOB(Role.OPERATOR, Role.APPROVER),
    /** Only looks. */
    VIC(Role.VIEWER),
    /** Manages people and keys. */
    ADA(Role.ADMIN);

    private final String roles;

    Person(Role... roles) {
      this.roles = Stream.of(roles).map(Role::word).collect(Collectors.joining(","));
    }

    /** The name to sign in with. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A window of a person who has signed in, at the inbox. */
  Window of(Person person, Look... looks) {
    add(person);
    return open(looks).beginSession(person);
  }

  /** Adds a person, whose password need not be changed. */
  void add(Person person) {
    servers.sql(
        """
        insert into person (name, password, roles, must_change, created_by, created_at)
        values (?, ?, string_to_array(?, ','), false, 'tester', now())
        on conflict do nothing
        """,
        person.id(),
        "{noop}" + PASSWORD,
        person.roles);
  }

  /** Closes all; of a failed test, the pages are kept as they are. */
  void close(String test, boolean hasFailed) {
    try {
      if (hasFailed) {
        for (int i = 0; i < open.size(); i++) {
          open.get(i).keep(test.replaceAll("\\W+", "-") + i);
        }
      } else {
        open.forEach(Window::assertFaultless);
      }
    } finally {
      open.forEach(Window::close);
    }
  }
}
