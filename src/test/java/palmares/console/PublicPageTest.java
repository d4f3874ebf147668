package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route.FulfillOptions;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;

/** The page of a public board follows it until it is sealed, on any site. */
@ConsoleTest
class PublicPageTest {
  @Autowired private World world;
  @LocalServerPort private int port;

  private Board board;
  private Period day;

  @BeforeEach
  void openABoard() {
    board = world.board(Rules.day());
    day = world.open(board);
  }

  private String page() {
    return "/console/public/" + board.id();
  }

  @Test
  void linesCountAndStateFollowTheBoardUntilTheSeal(Windows windows) {
    Window window = windows.open().goTo(page() + "?period=" + day.name());
    assertThat(window.text()).contains("Nobody has points yet.", "0 members", "ends in");
    world.take(Fact.by("ann").times(3).does("coin").to(board));
    window.waitFor("1 member");
    assertThat(window.text()).contains("ann").doesNotContain("Nobody has points yet.", "members");
    world.take(Fact.by("bob").times(5).does("coin").to(board));
    window.waitFor("2 members");
    assertThat(window.page().locator("tbody tr").first().innerText()).contains("bob", "5");
    world.settle(day);
    window.waitFor("final");
    assertThat(window.text()).contains("bob", "2 members").doesNotContain("ends in", "closing");
    window.checked();
  }

  @Test
  void aCountdownNeverCountsUp(Windows windows) {
    world.take(Fact.by("ann").does("coin").to(board));
    Window window = windows.open();
    window.stopClock();
    window.goTo(page());
    assertThat(window.text()).containsPattern("ends in 1[34] h");
    window.page().clock().fastForward(Duration.ofHours(15).toMillis());
    window.waitFor("closing…");
    assertThat(window.text()).doesNotContain("ends in");
  }

  @Test
  void thePageOfTheCurrentPeriodGoesOnToTheNextOne(Windows windows) {
    world.take(Fact.by("ann").does("coin").to(board));
    Window window = windows.open();
    window.stopClock();
    window.goTo(page());
    assertThat(window.text()).contains(day.name().value());
    world.settle(day);
    world.open(board);
    window.waitFor("final");
    window.pass(Duration.ofHours(15)); // the clock of the page was left behind
    assertThat(window.text()).doesNotContain(day.name().value(), "final");
  }

  /** As while a server restarts behind a proxy, or has too many streams. */
  @Test
  void thePageIsReloadedAfterItsStreamWasRefused(Windows windows) {
    world.take(Fact.by("ann").does("coin").to(board));
    Window window = windows.open().expecting(503);
    window.stopClock();
    var streams = Pattern.compile("/stream\\b");
    window.page().route(streams, route -> route.fulfill(new FulfillOptions().setStatus(503)));
    window.goTo(page());
    window.waitFor("Not followed at present; the page tries again.");
    window.page().unroute(streams);
    world.take(Fact.by("bob").times(2).does("coin").to(board));
    window.pass(Duration.ofMinutes(1));
    assertThat(window.text()).contains("bob", "2 members").doesNotContain("Not followed");
  }

  @Test
  void betweenTwoPeriodsItSaysSoAndIsReloaded(Windows windows) {
    Board cup =
        world.board(
            Rules.of("seasons")
                .with("title: The cup")
                .with("seasons: [{ name: winter, from: 2026-11-21, to: 2026-12-31 }]"));
    Window window = windows.open().expecting(404);
    window.stopClock();
    window.goTo("/console/public/" + cup.id());
    assertThat(window.text()).contains("The cup", "No period is open.");
    world.now(Instant.parse("2026-11-21T12:00:00Z"));
    world.open(cup);
    window.pass(Duration.ofMinutes(1));
    assertThat(window.text()).contains("winter", "Nobody has points yet.");
  }

  @Test
  void anySiteMayShowItInAFrame(Windows windows) throws IOException {
    world.take(Fact.by("ann").does("coin").to(board));
    var site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String own = "http://localhost:%d%s".formatted(port, page());
    byte[] body = "<iframe title=board src='%s'></iframe>".formatted(own).getBytes(UTF_8);
    site.createContext(
        "/",
        request -> {
          request.getResponseHeaders().set("Content-Type", "text/html");
          request.sendResponseHeaders(200, body.length);
          request.getResponseBody().write(body);
          request.close();
        });
    site.start();
    try {
      Window window = windows.open();
      window.page().navigate("http://127.0.0.1:" + site.getAddress().getPort());
      FrameLocator frame = window.page().frameLocator("iframe");
      frame.getByText("1 member").waitFor();
      assertThat(frame.locator("tbody").innerText()).contains("ann");
      world.take(Fact.by("bob").times(2).does("coin").to(board));
      frame.getByText("2 members").waitFor();

      Response answer = Objects.requireNonNull(window.page().navigate(own));
      assertThat(answer.headers()).doesNotContainKey("x-frame-options");
      assertThat(answer.headers().get("content-security-policy"))
          .contains("frame-ancestors *", "default-src 'none'");
    } finally {
      site.stop(0);
    }
  }
}
