package palmares.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.api.roles.Role;
import palmares.testing.Servers;

/**
 * The windows that a test opens, each a browser with cookies that no other has. A window that a
 * test has left is used again by the next one, as opening another takes longer than loading a page.
 */
final class Windows {
  static final String PASSWORD = "correct horse battery";

  private final Browser browser;
  private final Map<String, Deque<Window>> idle;
  private final Servers servers;
  private int port;
  private final List<Window> open = new ArrayList<>();

  /**
   * @param idle the windows that nobody uses, by their addresses and languages
   */
  Windows(Browser browser, Map<String, Deque<Window>> idle, int port, Servers servers) {
    this.browser = browser;
    this.idle = idle;
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
    PHONE,
    CHINESE
  }

  /** A window of somebody who has not signed in. */
  Window open(Look... looks) {
    Set<Look> wanted = Set.of(looks);
    String address = "http://localhost:" + port;
    String language = wanted.contains(Look.CHINESE) ? "zh-CN" : "en-GB";
    String kind = address + " " + language;
    Window left = idle.computeIfAbsent(kind, none -> new ArrayDeque<>()).poll();
    Window window = left == null ? create(kind, address, language) : left;
    open.add(window);
    return wanted.contains(Look.PHONE) ? window.asPhone() : window;
  }

  private Window create(String kind, String address, String language) {
    return new Window(
        kind,
        browser.newContext(
            new NewContextOptions()
                .setBaseURL(address)
                .setTimezoneId("Europe/Berlin")
                .setLocale(language)
                .setReducedMotion(ReducedMotion.REDUCE)
                .setViewportSize(Window.DESK, Window.HEIGHT)));
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

  /** Leaves all for other tests; of a failed test, the pages are kept as they are, and closed. */
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
      for (Window window : open) {
        if (hasFailed || !window.forget()) {
          window.close();
        } else {
          idle.computeIfAbsent(window.kind(), none -> new ArrayDeque<>()).add(window);
        }
      }
    }
  }
}
