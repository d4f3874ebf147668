package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserContext.ClearCookiesOptions;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.EmulateMediaOptions;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import com.microsoft.playwright.options.RequestOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import palmares.console.Windows.Person;

/**
 * A window of a browser. Each page that it shows is checked: no error on the console, no failed
 * request, a title, no message without a text, nothing wider than the window, and no serious or
 * critical finding of axe-core.
 */
final class Window {
  static final int DESK = 1280;
  static final int PHONE = 390;
  static final int HEIGHT = 860;

  /** 297 mm without two margins of 12 mm, in 1/96 inch. */
  private static final int PAPER = 1031;

  private static final int MAX_IMAGE_HEIGHT = 1180;

  private static final String SIGN_IN = "/console/sign-in";

  /** Far more than a page takes, as the whole suite may share its machine with other work. */
  private static final double TIMEOUT_MILLIS = 60_000;

  /** Fewer than the links and fields of the menu: only the skip link leads past them. */
  private static final int MAX_TABS = 12;

  private static final Set<String> SEARCHED = new HashSet<>();

  /** An element by its tag and attributes, by its place and by what it is painted on. */
  private static final String KIND =
      """
      const valued = /^(class|role|type|lang|aria-(current|live|hidden|describedby))$/;
      const named = /^(disabled|for|id|aria-.*|title|alt|tabindex|required)$/;
      const tag = e => e ? e.tagName + "." + e.getAttribute("class") : "";
      const surfaces = new Map([[null, ""], [document.body, ""]]);
      const surface = e => {
        if (!surfaces.has(e)) {
          const clear = getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)";
          surfaces.set(e, clear ? surface(e.parentElement) : tag(e) + " ");
        }
        return surfaces.get(e);
      };
      const kind = e => surface(e.parentElement) + tag(e.parentElement) + ">" + tag(e)
        + [...e.attributes]
        .filter(a => valued.test(a.name) || named.test(a.name))
        .map(a => a.name + (valued.test(a.name) ? "=" + a.value : ""));
      """;

  /** A part that the page loads later, and that is not shown yet. */
  private static final String LOADING = "[hx-trigger=load]";

  /**
   * An element that has text directly, or that people fill in, by all that its contrast depends on:
   * its colours, those behind it, and the size of its text.
   */
  private static final String COLOURS =
      """
      const opaque = /^rgb\\(/;
      const grounds = new Map();
      const ground = e => {
        if (!e) return "";
        if (!grounds.has(e)) {
          const s = getComputedStyle(e);
          const covers = opaque.test(s.backgroundColor) && s.backgroundImage === "none";
          const behind = ground(e.parentElement);
          const faded = (behind.match(/ fades.*/) ?? [""])[0];
          grounds.set(e, (covers ? faded : behind) + "/" + s.backgroundColor + s.backgroundImage
            + (s.opacity === "1" ? "" : " fades " + s.opacity));
        }
        return grounds.get(e);
      };
      const visible = box => box.width > 1 && box.height > 1 && box.right > 0;
      const coloured = e => (e.matches("input, select, textarea, button")
        || [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim() !== ""))
        && visible(e.getBoundingClientRect());
      const colours = e => {
        const s = getComputedStyle(e);
        return [e.tagName, s.visibility, s.color, s.fontSize, s.fontWeight, s.textShadow, ground(e),
          e.closest(":disabled, [aria-disabled=true], label:has(:disabled)") !== null].join(" ");
      };
      """;

  private static final String SHOWN =
      "() => {"
          + KIND
          + COLOURS
          + """
            const all = [...document.body.querySelectorAll("*")];
            return [all.map(kind), all.filter(coloured).map(colours)].map(m => [...new Set(m)]);
          }
          """;

  /**
   * The serious and critical findings of axe-core in the first element of each of some kinds, and
   * the contrast of the first one with each of some colours.
   */
  private static final String GRAVE_FINDINGS =
      "async ([kinds, colourings]) => {"
          + KIND
          + COLOURS
          + """
            const mark = (name, elements, wanted, key) => {
              const left = new Set(wanted);
              for (const e of elements) e.toggleAttribute(name, left.delete(key(e)));
              return document.querySelector("[" + name + "]") ? "[" + name + "]" : null;
            };
            const find = async (place, options) => place === null ? []
              : (await axe.run(place, {
                  resultTypes: ["violations"], preload: false, iframes: false, ...options
                })).violations;
            const all = [...document.body.querySelectorAll("*")];
            const whole = kinds === null;
            const place = whole ? document : mark("data-searched", all, kinds, kind);
            const contrast = { "color-contrast": { enabled: false } };
            const texts = mark("data-coloured", all.filter(coloured), colourings, colours);
            return [
              ...await find(place, { rules: contrast }),
              ...await find(texts, { runOnly: { type: "rule", values: ["color-contrast"] } })
            ]
              .filter(rule => rule.impact === "serious" || rule.impact === "critical")
              .map(rule => [rule.id, rule.nodes[0].html, rule.nodes[0].failureSummary].join(" "));
          }
          """;

  private static final String FOCUSED =
      """
      wanted => {
        const e = document.activeElement;
        const place = e.getBoundingClientRect();
        return [e.id, e.textContent.trim()].includes(wanted) && place.left >= 0 && place.width > 0;
      }
      """;

  private static final String OVERFLOW =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  /** Null while parts load; then the keys of messages that have no text: {@code ??key??}. */
  private static final String MISSING =
      """
      loading => document.querySelector(loading) ? null
        : document.documentElement.outerHTML.match(/\\?\\?[^?\\s]+\\?\\?/g) ?? []
      """;

  /** What Chromium says about an answer that {@link #note} has seen. */
  private static final String FAILED_RESPONSE = "Failed to load resource: the server responded";

  private final String kind;
  private final BrowserContext context;
  private final Page page;
  private final List<String> faults = new ArrayList<>();
  private final List<String> requested = new ArrayList<>();
  private int expectedStatus;
  private int status;
  private int loaded;
  private int clicks;

  /** Whether a session has begun that has opened no page yet. */
  private boolean isNew;

  private boolean isClockStopped;

  /**
   * @param kind of all windows that can be used instead of it
   */
  Window(String kind, BrowserContext context) {
    this.kind = kind;
    this.context = context;
    context.setDefaultTimeout(TIMEOUT_MILLIS);
    page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") && !message.text().startsWith(FAILED_RESPONSE)) {
            faults.add(message.text());
          }
        });
    page.onLoad(loading -> loaded++);
    page.onRequest(request -> requested.add(request.url()));
    page.onPageError(faults::add);
    page.onResponse(this::note);
    page.onRequestFailed(
        request -> {
          // A page that is left, and a download, abort what they load.
          if (!"net::ERR_ABORTED".equals(request.failure())) {
            faults.add("%s: %s".formatted(request.url(), request.failure()));
          }
        });
  }

  private void note(Response response) {
    if (response.request().isNavigationRequest()) {
      status = response.status();
    }
    if (response.status() >= 400 && response.status() != expectedStatus) {
      faults.add("%d %s".formatted(response.status(), response.url()));
    }
  }

  String kind() {
    return kind;
  }

  /** The page itself, for what this class has no word for. */
  Page page() {
    openInbox();
    return page;
  }

  /** Expects pages to be refused with this status, until there is another call. */
  Window expecting(int refusal) {
    expectedStatus = refusal;
    return this;
  }

  /** The status of the page. */
  int status() {
    openInbox();
    return status;
  }

  /** The addresses of all requests, those that redirects led to among them. */
  List<String> requested() {
    openInbox();
    return requested;
  }

  Window goTo(String path) {
    isNew = false;
    page.navigate(path);
    return checked();
  }

  /** Signs a person in, at the page that asks for it. */
  Window signIn(Person person) {
    if (page.locator("#password").count() == 0) {
      goTo(SIGN_IN);
    }
    page.fill("#name", person.id());
    page.fill("#password", Windows.PASSWORD);
    return click(page.locator("main button.main"));
  }

  /**
   * Begins a session of a person as the sign-in page does. The inbox is opened as soon as the
   * window is used, unless another page is opened first.
   */
  Window beginSession(Person person) {
    var words = Map.of("name", person.id(), "password", Windows.PASSWORD);
    int answer = context.request().post("/login", RequestOptions.create().setData(words)).status();
    assertThat(answer).as("the session of %s", person.id()).isEqualTo(200);
    isNew = true;
    return this;
  }

  private void openInbox() {
    if (isNew) {
      goTo("/console");
    }
  }

  /** The path and query of the page. */
  String path() {
    openInbox();
    URI uri = URI.create(page.url());
    return uri.getQuery() == null ? uri.getPath() : uri.getPath() + "?" + uri.getRawQuery();
  }

  /** The text of the page, without the menu. */
  String text() {
    openInbox();
    return page.locator("main").innerText();
  }

  /** Waits until the page shows a text. */
  Window waitFor(String text) {
    page.waitForCondition(() -> text().contains(text));
    return this;
  }

  /** Clicks the first link or button with a name, which leads to a page. */
  Window click(String name) {
    return click(named(name));
  }

  Window click(Locator target) {
    return leave(() -> target.click());
  }

  /** Clicks twice before the first click can have an effect. */
  Window doubleClick(String name) {
    return leave(() -> named(name).dblclick());
  }

  /** Stops the clock of the scripts of all pages, until time passes. */
  void stopClock() {
    isClockStopped = true;
    page.clock().install();
  }

  /** Lets time pass for the scripts of the page, until one loads a page. */
  Window pass(Duration time) {
    openInbox();
    int before = loaded;
    page.clock().fastForward(time.toMillis());
    page.waitForCondition(() -> loaded > before);
    return checked();
  }

  /** Goes back to the page before. */
  Window back() {
    openInbox();
    page.goBack();
    return checked();
  }

  /** Sends forms as they are, as a program does. */
  Window withoutValidation() {
    openInbox();
    page.evaluate(
        """
        document.querySelectorAll("form").forEach(form => form.noValidate = true);
        document.querySelectorAll("input").forEach(input => input.removeAttribute("maxlength"));
        """);
    return this;
  }

  /** Forgets the session, as a browser does with one that has expired. */
  Window endSession() {
    openInbox();
    context.clearCookies(new ClearCookiesOptions().setName("PALMARES"));
    return this;
  }

  /** Sends the form that has a field with a text, as a browser without scripts does. */
  Window submit(String field, String text, int times) {
    return leave(
        () ->
            page.evaluate(
                """
                ([name, text, times]) => {
                  const field = document.querySelector(`main form [name=${name}]`);
                  field.removeAttribute("maxlength");
                  field.value = text.repeat(times);
                  HTMLFormElement.prototype.submit.call(field.form);
                }
                """,
                List.of(field, text, times)));
  }

  private Window leave(Runnable click) {
    openInbox();
    clicks++;
    int before = loaded;
    click.run();
    page.waitForCondition(() -> loaded > before);
    return checked();
  }

  /** Presses Tab until the element that has a text or an id has the focus, and can be seen. */
  Window tabTo(String textOrId) {
    openInbox();
    for (int pressed = 0; pressed < MAX_TABS; pressed++) {
      page.keyboard().press("Tab");
      if ((Boolean) page.evaluate(FOCUSED, textOrId)) {
        return this;
      }
    }
    throw new AssertionError("no '%s' within %d tabs on %s".formatted(textOrId, MAX_TABS, path()));
  }

  /** Presses a key, which leads to no other page. */
  Window press(String key) {
    page.keyboard().press(key);
    return this;
  }

  /** Types a text where the focus is. */
  Window type(String text) {
    page.keyboard().type(text);
    return this;
  }

  /** Presses Enter on what has the focus, which leads to a page. */
  Window enter() {
    int before = loaded;
    page.keyboard().press("Enter");
    page.waitForCondition(() -> loaded > before);
    return checked();
  }

  /** Clicks a link of the menu. */
  Window menu(String name) {
    return click(page.locator("header nav").getByText(name));
  }

  /** Types a member's id into the field that every page has, and sends it. */
  Window findMember(String member) {
    openInbox();
    page.fill("#find", member);
    return leave(() -> page.press("#find", "Enter"));
  }

  /** The first link or button of the page's content with a name. */
  Locator named(String name) {
    openInbox();
    Locator main = page.locator("main");
    var links = new Locator.GetByRoleOptions().setName(name).setExact(true);
    return main.getByRole(AriaRole.BUTTON, links).or(main.getByRole(AriaRole.LINK, links)).first();
  }

  /** Downloads what a link leads to. */
  Download download(Locator link) {
    clicks++;
    return page.waitForDownload(() -> link.click());
  }

  Window fill(String label, String text) {
    field(label).fill(text);
    return this;
  }

  /** Ticks a check box. */
  Window check(String label) {
    field(label).check();
    return this;
  }

  Locator field(String label) {
    openInbox();
    return page.locator("main").getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
  }

  /** How many links and buttons have been clicked since the last call. */
  int clicks() {
    int counted = clicks;
    clicks = 0;
    return counted;
  }

  /** Opens a page of whose look nothing is checked but that all its texts are there and fit. */
  Window read(String path) {
    isNew = false;
    page.navigate(path);
    assertTexts();
    assertFaultless();
    return this;
  }

  /**
   * Checks the page as it is now. Elements of a kind that was searched before at this width, and
   * texts in the same colours, are not searched for faults of accessibility once more.
   */
  Window checked() {
    assertTexts();
    List<List<String>> shown = shown();
    assertAccessible(newKinds(shown.get(0)), newColours(shown.get(1)));
    assertFaultless();
    return this;
  }

  /** Searches the whole page, of contrasts only new ones, as these take long. */
  Window searchedWhole() {
    List<List<String>> shown = shown();
    newKinds(shown.get(0)); // the whole has them
    assertAccessible(null, newColours(shown.get(1)));
    return this;
  }

  /** The kinds of the elements of the page, and the colours of its texts. */
  @SuppressWarnings("unchecked")
  private List<List<String>> shown() {
    return (List<List<String>>) page.evaluate(SHOWN);
  }

  private List<String> newKinds(List<String> kinds) {
    int width = page.viewportSize().width;
    return kinds.stream().filter(kind -> SEARCHED.add(width + kind)).toList();
  }

  private static List<String> newColours(List<String> colours) {
    return colours.stream().filter(SEARCHED::add).toList();
  }

  /** Once all parts of the page are there. */
  private void assertTexts() {
    var missing = new AtomicReference<@Nullable Object>();
    page.waitForCondition(
        () -> {
          missing.set(page.evaluate(MISSING, LOADING));
          return missing.get() != null;
        });
    assertThat((List<?>) missing.get()).as("messages without a text on %s", path()).isEmpty();
    assertThat(page.title()).as("title of %s", path()).isNotBlank();
    assertFits();
  }

  /**
   * @param kinds of elements; null means the whole page
   * @param colours of texts
   */
  private void assertAccessible(@Nullable List<String> kinds, List<String> colours) {
    if (kinds != null && kinds.isEmpty() && colours.isEmpty()) {
      return;
    }
    if (!(Boolean) page.evaluate("'axe' in window")) {
      page.evaluate(AxeBuilder.getAxeScript());
    }
    assertThat((List<?>) page.evaluate(GRAVE_FINDINGS, Arrays.asList(kinds, colours)))
        .as("findings of axe-core on %s", path())
        .isEmpty();
  }

  private void assertFits() {
    assertThat((Integer) page.evaluate(OVERFLOW)).as("overflow of %s", path()).isZero();
  }

  void assertFaultless() {
    assertThat(faults).as("faults of %s", page.url()).isEmpty();
  }

  /** Shows the page in dark colours, and checks their contrast. */
  Window dark() {
    page.emulateMedia(new EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    assertAccessible(List.of(), newColours(shown().get(1)));
    return this;
  }

  /** Shows the page in light colours. */
  Window light() {
    page.emulateMedia(new EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    return this;
  }

  /** Shows the page as it is printed, on a sheet of A4 across within its margins. */
  Window printed() {
    page.setViewportSize(PAPER, HEIGHT);
    page.emulateMedia(new EmulateMediaOptions().setMedia(Media.PRINT));
    return this;
  }

  /** Shows the page on a screen again. */
  Window screen() {
    page.emulateMedia(new EmulateMediaOptions().setMedia(Media.SCREEN));
    return desk();
  }

  /** Shows the page as wide as a phone, and checks it. */
  Window phone() {
    page.setViewportSize(PHONE, HEIGHT);
    assertFits();
    return this;
  }

  /** Makes a window that has shown no page yet as wide as a phone. */
  Window asPhone() {
    page.setViewportSize(PHONE, HEIGHT);
    return this;
  }

  /** Shows the page as wide as a desk's screen. */
  Window desk() {
    page.setViewportSize(DESK, HEIGHT);
    return this;
  }

  /**
   * The text of the page without the menu, as {@link #text} has it. It needs no part of the driver
   * in the page, which takes a fifth of the time of loading it.
   */
  String textNow() {
    return (String) page.evaluate("document.querySelector('main').innerText");
  }

  /** How many elements a selector matches. */
  int count(String selector) {
    return (Integer)
        page.evaluate("selector => document.querySelectorAll(selector).length", selector);
  }

  /** The paths of this server that the page leads to. */
  @SuppressWarnings("unchecked")
  List<String> links() {
    openInbox();
    return (List<String>)
        page.evaluate(
            "[...document.querySelectorAll(\"a[href^='/']\")].map(a => a.getAttribute('href'))");
  }

  /** Those of some paths that do not answer, or with an error. */
  @SuppressWarnings("unchecked")
  List<String> broken(Collection<String> paths) {
    return (List<String>)
        page.evaluate(
            """
            async paths => {
              const statuses = new Map();
              const left = [...paths];
              const fetchAll = async () => {
                for (let path = left.shift(); path !== undefined; path = left.shift()) {
                  const answer = await fetch(path);
                  if (!answer.ok) statuses.set(path, answer.status);
                  await answer.body?.cancel();
                }
              };
              await Promise.all([fetchAll(), fetchAll(), fetchAll(), fetchAll()]);
              return paths.filter(p => statuses.has(p)).map(p => statuses.get(p) + " " + p);
            }
            """,
            List.copyOf(paths));
  }

  /** Keeps the page as an image, of a long one its upper part. */
  void screenshot(Path file) {
    int width = page.viewportSize().width;
    int whole = ((Number) page.evaluate("document.documentElement.scrollHeight")).intValue();
    page.setViewportSize(width, Math.min(whole, MAX_IMAGE_HEIGHT));
    page.screenshot(new ScreenshotOptions().setPath(file));
    page.setViewportSize(width, HEIGHT);
  }

  /** Keeps the part of the page that begins with a heading as an image. */
  void screenshotFrom(String heading, Path file) {
    int width = page.viewportSize().width;
    page.setViewportSize(width, HEIGHT);
    page.locator("h2", new Page.LocatorOptions().setHasText(heading))
        .first()
        .evaluate("heading => heading.scrollIntoView()");
    page.screenshot(new ScreenshotOptions().setPath(file));
    page.evaluate("window.scrollTo(0, 0)");
  }

  /** Keeps the page of a failed test as an image. */
  void keep(String name) {
    screenshot(Path.of("target", "failed-pages", name + ".png"));
  }

  /**
   * Leaves all pages, and forgets the session and what was seen.
   *
   * @return whether another test can have the window
   */
  boolean forget() {
    if (isClockStopped) {
      return false;
    }
    page.evaluate("() => { setTimeout(() => location.replace('about:blank')); }");
    context.clearCookies();
    page.emulateMedia(
        new EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT).setMedia(Media.SCREEN));
    desk();
    faults.clear();
    requested.clear();
    expectedStatus = 0;
    status = 0;
    loaded = 0;
    clicks = 0;
    isNew = false;
    return true;
  }

  void close() {
    context.close();
  }
}
