package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.People;
import palmares.api.roles.Role;
import palmares.testing.Api;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Contest;
import palmares.testing.ProxiedServer;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The console and the API work below a path, of the server or of a proxy before it. */
@WorldTest
class PathPrefixTest {
  private static final String CONTEXT = "/tools/palmares";
  private static final int MAX_PAGES = 80;

  /** What a page leads to or loads. */
  private static final Pattern LINK =
      Pattern.compile("(?:href|src|action|hx-get|data-stream)=\"([^\"#]+)");

  @Autowired private ApplicationContext context;
  @Autowired private World world;
  @Autowired private People people;
  @Autowired private ApiKeys keys;

  private ProxiedServer server;
  private HttpServer proxy;

  @BeforeEach
  void start() throws IOException {
    world.takeAll(Contest.facts(), World.ANYBODY);
    server =
        new ProxiedServer(
            context,
            "--server.servlet.context-path=" + CONTEXT,
            "--server.forward-headers-strategy=framework");
    proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.createContext("/", this::pass);
    proxy.start();
  }

  @AfterEach
  void stop() throws IOException {
    proxy.stop(0);
    server.close();
  }

  /** As nginx does with {@code location /board/ { proxy_pass http://server/tools/palmares/; }}. */
  private void pass(HttpExchange exchange) throws IOException {
    String asked = exchange.getRequestURI().toString();
    var request =
        HttpRequest.newBuilder(
            URI.create(
                "http://127.0.0.1:%d%s"
                    .formatted(server.port(), asked.replaceFirst("/board", CONTEXT))));
    for (String name :
        List.of("Cookie", "Content-Type", "Authorization", "HX-Request", "HX-Current-URL")) {
      exchange
          .getRequestHeaders()
          .getOrDefault(name, List.of())
          .forEach(value -> request.header(name, value));
    }
    request.header("X-Forwarded-Prefix", "/board").header("X-Forwarded-Host", "board.example");
    request.header("X-Forwarded-Proto", "https");
    request.method(
        exchange.getRequestMethod(),
        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    try {
      HttpResponse<byte[]> answer =
          HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!Set.of(":status", "transfer-encoding", "content-length", "connection")
                    .contains(name)) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      exchange.sendResponseHeaders(
          answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.close();
  }

  @Test
  void everyLinkOfThePagesIsBelowThePath() {
    String password = people.add("pat", Set.of(Role.ADMIN, Role.OPERATOR, Role.APPROVER), "t", "t");
    signIn(
        new Browser(server.port()),
        CONTEXT,
        "http://127.0.0.1:" + server.port(),
        password,
        password + "2");
    signIn(
        new Browser(proxy.getAddress().getPort()),
        "/board",
        "https://board.example",
        password + "2",
        password + "3");
  }

  private void signIn(Browser browser, String prefix, String host, String present, String wanted) {
    Page asked = browser.get(prefix + "/console/boards?sort=name");
    String signIn = location(asked, host);
    assertThat(signIn).startsWith(prefix + "/console/sign-in?next=%2Fconsole%2Fboards");
    browser.get(prefix + "/console/sign-in");
    Page in =
        browser.form(
            prefix + "/console/sign-in",
            Map.of("name", "pat", "password", present, "next", "/console/boards?sort=name"));
    assertThat(in.response().headers().allValues("Set-Cookie"))
        .allSatisfy(cookie -> assertThat(cookie).containsPattern("; Path=" + prefix + "/?;"));
    if (location(in, host).endsWith("/password")) {
      assertThat(location(in, host)).isEqualTo(prefix + "/console/password");
      browser.get(prefix + "/console/password");
      Page changed =
          browser.form(
              prefix + "/console/password",
              Map.of("present", present, "wanted", wanted, "again", wanted));
      assertThat(location(changed, host)).isEqualTo(prefix + "/console");
    } else {
      assertThat(location(in, host)).isEqualTo(prefix + "/console/boards?sort=name");
    }
    crawl(browser, prefix, host);
  }

  /** The path of a redirect, which is to no host, or to the one that the browser asked. */
  private static String location(Page page, String host) {
    String whole = page.response().headers().firstValue("Location").orElseThrow();
    if (whole.startsWith("/")) {
      return whole;
    }
    assertThat(whole).startsWith(host + "/");
    return whole.substring(host.length());
  }

  /** One page of each shape. */
  private static void crawl(Browser browser, String prefix, String host) {
    var next = new ArrayDeque<String>(List.of(prefix + "/console", prefix + "/docs"));
    Set<String> shapes = new HashSet<>();
    int pages = 0;
    while (!next.isEmpty() && pages < MAX_PAGES) {
      String path = next.remove();
      pages++;
      Page page = browser.get(path);
      assertThat(page.status()).as(path).isLessThan(500).isNotEqualTo(401);
      if (!path.contains("/public/")) { // There may be no period.
        assertThat(page.status()).as(path).isNotEqualTo(404);
      }
      if (page.status() / 100 == 3) {
        assertThat(location(page, host)).as(path).startsWith(prefix + "/");
      }
      if (!page.response().headers().firstValue("Content-Type").orElse("").contains("html")) {
        continue;
      }
      var links = LINK.matcher(page.response().body());
      while (links.find()) {
        String link = links.group(1).replace("&amp;", "&");
        if (link.startsWith("https://github.com/")) { // The runbook.
          continue;
        }
        String whole = link.startsWith("docs/") ? prefix + "/" + link : link;
        assertThat(whole).as("a link of " + path).startsWith(prefix + "/");
        String shape =
            whole.replaceFirst("\\?.*", "").replaceAll("/(b\\d+|[\\d-]+|[^/]*@.*)(?=/|$)", "/x");
        if (!whole.contains("/stream") && !whole.contains("format=") && shapes.add(shape)) {
          next.add(whole);
        }
      }
    }
    assertThat(pages).isGreaterThan(30);
  }

  @Test
  void theApiSaysWhereItIs() {
    Map<Integer, String> prefixes =
        Map.of(server.port(), CONTEXT, proxy.getAddress().getPort(), "/board");
    String key = Api.ownKey(keys, "prefix", "local:pat", Role.OPERATOR, Role.WRITER);
    prefixes.forEach(
        (port, prefix) -> {
          Page api = new Browser(port).get(prefix + "/api/v1/openapi.json");
          assertThat(api.body().at("/servers/0/url").asString()).isEqualTo(prefix);
          String yaml = new Browser(port).get(prefix + "/api/v1/openapi.yaml").response().body();
          assertThat(yaml).contains("servers:\n  - url: " + prefix + "\n");
          HttpResponse<String> task =
              post(port, prefix + "/api/v1/ops/verify", key, "{\"reason\":\"r\"}");
          assertThat(task.headers().firstValue("Location").orElseThrow())
              .startsWith(prefix + "/api/v1/ops/tasks/");
          assertThat(post(port, prefix + "/api/v1/events", key, "[]").statusCode()).isEqualTo(200);
        });
  }

  private static HttpResponse<String> post(int port, String path, String key, String body) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .header("Authorization", "Bearer " + key)
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** A link that is written as it is has no prefix. */
  @Test
  void templatesWriteNoPathsThemselves() throws IOException {
    var path =
        Pattern.compile(
            "(?<![\\w@{])(?:href|src|action|hx-get|content)=\"/|=\\$\\{'/(console|api)");
    try (var files = Files.list(Path.of("src/main/resources/palmares/console"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        assertThat(Files.readString(file).lines())
            .as(file.toString())
            .noneMatch(path.asPredicate());
      }
    }
  }
}
