package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.settlement.outbox.WebhookSettings.ListSettings;

/** A wallet's list is read page by page, and whole or not at all. */
class WalletPagesTest {
  private static final int MOST = 20;
  private static final String CREDIT = "{\"id\":\"a/b\",\"amount\":7,\"currency\":\"credits\"}";

  private final Map<String, String> pages = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private @Nullable IntFunction<String> endless;
  private int status = 200;
  private HttpServer server;

  @BeforeEach
  void aWallet() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String page = exchange.getRequestURI().toString();
    asked.add(page + " " + exchange.getRequestHeaders().getFirst("authorization"));
    String body = endless == null ? pages.getOrDefault(page, "") : endless.apply(asked.size());
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private WalletPages wallet(@Nullable ListSettings list) {
    return new WalletPages(
        new Webhooks(null, Map.of("wallet", Receiver.wallet(url("/facts"), list))),
        nanos::get,
        MOST);
  }

  private String read() {
    return wallet(new ListSettings(URI.create(url("/credits")), "s3cret")).read(null, null);
  }

  private static String page(String last, String... credits) {
    return "{\"credits\":[" + String.join(",", credits) + "]," + last + "}";
  }

  @Test
  void linksAreFollowedWithTheSecretToTheEnd() {
    pages.put("/credits", page("\"next\":\"/credits?page=2\"", CREDIT, CREDIT));
    pages.put("/credits?page=2", page("\"next\":\"" + url("/more") + "\"", CREDIT));
    pages.put("/more", page("\"next\":null"));
    assertThat(read()).isEqualTo((CREDIT + "\n").repeat(3));
    assertThat(asked)
        .containsExactly(
            "/credits Bearer s3cret", "/credits?page=2 Bearer s3cret", "/more Bearer s3cret");
  }

  @Test
  void cursorsAreSentBackWithTheAskedTime() {
    String times = "/credits?from=2026-10-31T23:55:00Z&to=2026-12-01T00:05:00Z";
    pages.put(times, page("\"cursor\":\"a&b=c\"", CREDIT));
    pages.put(times + "&cursor=a%26b%3Dc", page("\"cursor\":null", CREDIT));
    String list =
        wallet(new ListSettings(URI.create(url("/credits")), null))
            .read(Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-12-01T00:00:00Z"));
    assertThat(list).isEqualTo((CREDIT + "\n").repeat(2));
    assertThat(asked).allMatch(each -> each.endsWith(" null"));
  }

  @Test
  void aLinkMayBeAQueryAlone() {
    pages.put("/api/credits", page("\"next\":\"?page=2\"", CREDIT));
    pages.put("/api/credits?page=2", page("\"next\":\"?page=3\"", CREDIT));
    pages.put("/api/credits?page=3", page("\"next\":null", CREDIT));
    String list = wallet(new ListSettings(URI.create(url("/api/credits")), null)).read(null, null);
    assertThat(list).isEqualTo((CREDIT + "\n").repeat(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/credits?key=hush",
        "//example.com/x?key=hush",
        "/x#key=hush",
        "?key=hush#more",
        "http:\\\\x?key=hush"
      })
  void aRefusalShowsNoKeyAndIsShort(String link) {
    pages.put("/credits?key=hush", page("\"next\":\"" + link + "\""));
    var wallet = wallet(new ListSettings(URI.create(url("/credits?key=hush")), "s3cret"));
    assertThatThrownBy(() -> wallet.read(null, null))
        .hasMessageContaining("was not read")
        .hasMessageNotContainingAny("hush", "s3cret");
    pages.put("/credits?key=hush", page("\"next\":\"//x/" + "y".repeat(1_000_000) + "\""));
    assertThatThrownBy(() -> wallet.read(null, null))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
  }

  @Test
  void aWalletWithoutCreditsHasAnEmptyList() {
    pages.put("/credits", page("\"next\":null"));
    assertThat(read()).isEqualTo("id,amount\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"credits\":[]                                      | is not JSON",
        "{\"credits\":[],\"credits\":[],\"next\":null}        | is not JSON",
        "{\"credits\":{},\"next\":null}                       | has no list 'credits'",
        "{\"credits\":[]}                                     | does not say whether",
        "{\"credits\":[],\"next\":null,\"cursor\":null}       | does not say whether",
        "{\"credits\":[],\"next\":null} {\"credits\":[]}     | is not JSON",
        "[]                                                 | has no list 'credits'",
        "{\"credits\":[],\"next\":7}                          | does not say whether",
        "{\"credits\":[],\"next\":\"\"}                       | does not say whether",
        "{\"credits\":[],\"next\":\"https://example.com/x\"}  | is not on the host of list.url",
        "{\"credits\":[],\"next\":\"//example.com/x\"}        | is not on the host of list.url",
        "{\"credits\":[],\"next\":\"http://local host\"}      | is not on the host of list.url",
        "{\"credits\":[],\"next\":\"/credits\"}               | came before",
      })
  void aWrongPageRefusesAll(String second, String message) {
    pages.put("/credits", page("\"next\":\"/credits?page=2\"", CREDIT));
    pages.put("/credits?page=2", second.strip());
    assertThatThrownBy(this::read)
        .isInstanceOf(Refusal.class)
        .hasFieldOrPropertyWithValue("problem", Problem.WRONG_STATE)
        .hasMessageContaining("page 2 of the wallet's list was not read")
        .hasMessageContaining(message);
    assertThat(asked).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 301, 401, 404, 500})
  void anotherStatusThan200RefusesAll(int other) {
    status = other;
    pages.put("/credits", page("\"next\":null", CREDIT));
    assertThatThrownBy(this::read).hasMessageContaining("it answered " + other);
  }

  @Test
  void pagesBytesAndTimeAreLimited() {
    endless = n -> page("\"next\":\"/credits?page=" + n + "\"");
    assertThatThrownBy(this::read).hasMessageContaining("more than 20 pages");
    assertThat(asked).hasSize(MOST);

    String large = " ".repeat(WalletPages.MAX_PAGE_BYTES);
    endless = n -> large + page("\"next\":\"/credits?page=" + n + "\"");
    assertThatThrownBy(this::read).hasMessageContaining("page 1 of").hasMessageContaining("bytes");

    String full = " ".repeat(WalletPages.MAX_PAGE_BYTES - 100);
    endless = n -> full + page("\"next\":\"/credits?page=" + n + "\"");
    assertThatThrownBy(this::read).hasMessageContaining("page 9 of");

    endless =
        n -> {
          nanos.addAndGet(WalletPages.MAX_TIME.toNanos() / 3);
          return page("\"next\":\"/credits?page=" + n + "\"");
        };
    assertThatThrownBy(this::read).hasMessageContaining("did not arrive within 30 seconds");
  }

  /** The time of a list ends while the wallet makes a page, as it does for most slow lists. */
  @Test
  void aPageThatIsNotThereWhenTheTimeIsOverMakesTheListTooSlow() {
    var over = new CountDownLatch(1);
    endless =
        n -> {
          if (n > 1) {
            await(over);
          }
          nanos.set(WalletPages.MAX_TIME.minusMillis(50).toNanos());
          return page("\"next\":\"/credits?page=" + n + "\"");
        };
    try {
      assertThatThrownBy(this::read).hasMessageContaining("did not arrive within 30 seconds");
    } finally {
      over.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void withoutAnAddressNothingIsRead() {
    assertThatThrownBy(() -> wallet(null).read(null, null))
        .hasMessageContaining("set list.url of the webhook");
    assertThatThrownBy(
            () -> new WalletPages(new Webhooks(null, Map.of()), nanos::get, MOST).read(null, null))
        .hasMessageContaining("set list.url of the webhook");
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com/list, t,     list.url goes to the host 'example.com'",
    "http://example.com/list,  t,     list.url must begin with https://",
    ",                         t,     list.url is missing",
    "http://localhost/list,    a b,   list.token must be",
  })
  void aWrongAddressOrSecretIsRefusedAtTheStart(@Nullable URI list, String token, String message) {
    assertThatThrownBy(() -> wallet(new ListSettings(list, token))).hasMessageContaining(message);
  }
}
