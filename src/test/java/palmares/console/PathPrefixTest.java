package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.People;
import palmares.api.roles.Role;
import palmares.testing.Api;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Contest;
import palmares.testing.Installed;
import palmares.testing.ProxiedServer;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * The console and the API work below a path, of the server or of nginx before it, as the docs say.
 */
@WorldTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathPrefixTest {
  private static final String PREFIX = "/palmares";
  private static final int MAX_PAGES = 80;

  /** Through a proxy that changes no path, the pages are those of the server. */
  private static final int PAGES_BY_PROXY = 15;

  /** What a page leads to or loads. */
  private static final Pattern LINK =
      Pattern.compile("(?:href|src|action|hx-get|data-stream)=\"([^\"#]+)");

  /** A configuration of nginx. */
  private static final Pattern LOCATION =
      Pattern.compile("^ {8}(location /palmares/ \\{.*?\\}\n)", Pattern.MULTILINE | Pattern.DOTALL);

  @Autowired private ApplicationContext context;
  @Autowired private World world;
  @Autowired private People people;
  @Autowired private ApiKeys keys;

  /** A server that answers below {@link #PREFIX}. */
  private ProxiedServer prefixed;

  @BeforeAll
  void start() throws IOException {
    prefixed = new ProxiedServer(context, "--server.servlet.context-path=" + PREFIX);
  }

  @AfterAll
  void stop() throws IOException {
    prefixed.close();
  }

  @BeforeEach
  void fill() {
    world.takeAll(Contest.facts(), World.ANYBODY);
  }

  @Test
  void everythingIsBelowThePathOfTheServer() {
    check(prefixed.port(), "http://127.0.0.1:" + prefixed.port(), MAX_PAGES);
  }

  @Test
  void everythingIsBelowThePathThatNginxKeeps(@TempDir Path folder) throws IOException {
    try (var nginx = new Nginx(folder, locations().get(0), prefixed.port())) {
      check(nginx.port, "http://127.0.0.1", PAGES_BY_PROXY);
    }
  }

  @Test
  void everythingIsBelowThePathThatNginxRemoves(@TempDir Path folder) throws IOException {
    String location =
        locations().get(1).replace("$http_host", "board.example").replace("$scheme", "https");
    try (var server = new ProxiedServer(context, "--server.forward-headers-strategy=framework");
        var nginx = new Nginx(folder, location, server.port())) {
      check(nginx.port, "https://board.example", MAX_PAGES);
    }
  }

  /** The configurations of the docs: the proxy keeps the path, and removes it. */
  private static List<String> locations() throws IOException {
    List<String> found =
        LOCATION
            .matcher(Files.readString(Path.of("src/docs/install.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(found).hasSize(2);
    return found;
  }

  /** The nginx of this machine. */
  private static final class Nginx implements AutoCloseable {
    private final int port;
    private final Process process;

    Nginx(Path folder, String location, int server) throws IOException {
      Path program = Installed.require("nginx", "nginx-light");
      try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      Path file =
          Files.writeString(
              folder.resolve("nginx.conf"),
              """
              daemon off;
              master_process off;
              pid nginx.pid;
              events {}
              http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                  listen 127.0.0.1:%d;
                  %s
                }
              }
              """
                  .formatted(port, location.replace(":8080", ":" + server)));
      process =
          new ProcessBuilder(
                  program.toString(),
                  "-p",
                  folder.toString(),
                  "-c",
                  file.toString(),
                  "-e",
                  "stderr")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("nginx.log").toFile())
              .start();
      await().until(() -> answers(port));
    }

    private static boolean answers(int port) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }

  private void check(int port, String host, int maxPages) {
    String password = people.add("pat", Set.of(Role.ADMIN, Role.OPERATOR, Role.APPROVER), "t", "t");
    var browser = new Browser(port);
    signIn(browser, host, password, password + "2");
    assertThat(crawl(browser, host, maxPages)).isGreaterThan(Math.min(maxPages - 1, 30));
    api(port);
  }

  private static void signIn(Browser browser, String host, String present, String wanted) {
    Page asked = browser.get(PREFIX + "/console/boards?sort=name");
    String signIn = location(asked, host);
    assertThat(signIn).startsWith(PREFIX + "/console/sign-in?next=%2Fconsole%2Fboards");
    browser.get(PREFIX + "/console/sign-in");
    Page in =
        browser.form(
            PREFIX + "/console/sign-in",
            Map.of("name", "pat", "password", present, "next", "/console/boards?sort=name"));
    assertThat(in.response().headers().allValues("Set-Cookie"))
        .allSatisfy(cookie -> assertThat(cookie).containsPattern("; Path=" + PREFIX + "/?;"));
    if (location(in, host).endsWith("/password")) {
      assertThat(location(in, host)).isEqualTo(PREFIX + "/console/password");
      browser.get(PREFIX + "/console/password");
      Page changed =
          browser.form(
              PREFIX + "/console/password",
              Map.of("present", present, "wanted", wanted, "again", wanted));
      assertThat(location(changed, host)).isEqualTo(PREFIX + "/console");
    } else {
      assertThat(location(in, host)).isEqualTo(PREFIX + "/console/boards?sort=name");
    }
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

  /** Reads one page of each shape, and returns how many. */
  private static int crawl(Browser browser, String host, int maxPages) {
    var next = new ArrayDeque<String>(List.of(PREFIX + "/console", PREFIX + "/docs"));
    Set<String> shapes = new HashSet<>();
    int pages = 0;
    while (!next.isEmpty() && pages < maxPages) {
      String path = next.remove();
      pages++;
      Page page = browser.get(path);
      assertThat(page.status()).as(path).isLessThan(500).isNotEqualTo(401);
      if (!path.contains("/public/")) { // There may be no period.
        assertThat(page.status()).as(path).isNotEqualTo(404);
      }
      if (page.status() / 100 == 3) {
        assertThat(location(page, host)).as(path).startsWith(PREFIX + "/");
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
        String whole = link.startsWith("docs/") ? PREFIX + "/" + link : link;
        assertThat(whole).as("a link of " + path).startsWith(PREFIX + "/");
        String shape =
            whole.replaceFirst("\\?.*", "").replaceAll("/(b\\d+|[\\d-]+|[^/]*@.*)(?=/|$)", "/x");
        if (!whole.contains("/stream") && !whole.contains("format=") && shapes.add(shape)) {
          next.add(whole);
        }
      }
    }
    return pages;
  }

  private void api(int port) {
    String key = Api.ownKey(keys, "prefix", "local:kim", Role.OPERATOR, Role.WRITER);
    Page api = new Browser(port).get(PREFIX + "/api/v1/openapi.json");
    assertThat(api.body().at("/servers/0/url").asString()).isEqualTo(PREFIX);
    String yaml = new Browser(port).get(PREFIX + "/api/v1/openapi.yaml").response().body();
    assertThat(yaml).contains("servers:\n  - url: " + PREFIX + "\n");
    HttpResponse<String> task =
        post(port, PREFIX + "/api/v1/ops/verify", key, "{\"reason\":\"r\"}");
    assertThat(task.headers().firstValue("Location").orElseThrow())
        .startsWith(PREFIX + "/api/v1/ops/tasks/");
    assertThat(post(port, PREFIX + "/api/v1/events", key, "[]").statusCode()).isEqualTo(200);
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
