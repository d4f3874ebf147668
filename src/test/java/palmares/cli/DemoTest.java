package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import palmares.Palmares;
import palmares.cli.launch.CommonOptions;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.Terminal;

/** The demo as a new user calls it, on its own servers in an empty folder. */
class DemoTest {
  private static final int MIN_PERIODS = 90;
  private static final Pattern VERIFIED =
      Pattern.compile(
          "verified: (\\d+) periods, [\\d,]+ lines, [\\d,]+ payments;"
              + " 0 missing, 0 extra, 0 unequal"
              + "|已核验：(\\d+) 个周期、[\\d,]+ 行成绩、[\\d,]+ 笔发放；缺少 0，多余 0，不符 0");

  /** The heading, the columns and the first line of one table, not broken by the progress bar. */
  private static final Pattern INVITES =
      Pattern.compile(
          "invites 2026-W43[:：][^|]*名次 *\\| 成员 +\\| +积分 \\| 达成时间 +\\| +奖励额度"
              + " *\\| 昵称 +\\| 邀请码[^|]* 1 \\| \\S+ +\\| +[\\d,]+ \\|"
              + " 2026-10-\\S+Z +\\| +[\\d,]+ \\|"
              + " [A-Z][a-z-A-Z]+ +\\| [2-9A-Z]{8}");

  /** The address of the console, who acts, who approves, and their password. */
  private static final Pattern CONSOLE =
      Pattern.compile("(http\\S+)/console\\s+[^\n]* (ann)\\b[^\n]* (bob)\\b[^\n]* (\\w+)\n");

  private static final long TIMEOUT_SECONDS = 120;

  private static final CommonOptions CHINESE =
      new CommonOptions(Map.of("LANG", "zh_CN.UTF-8")::get);

  @TempDir private Path folder;

  /** What the demo has printed for people. */
  private String noted = "";

  /** What the tour shows is in the inbox, and its commands do what it says. */
  @Test
  void aMonthIsPlayedClosedVerifiedAndShownAndABadNightLeavesSomethingOfEachKindToDo()
      throws Exception {
    String printed =
        run(
            console -> {
              showsTheMonthInItsConsole(console);
              takeTheTour();
            });
    assertThat(printed).containsPattern(INVITES);
    assertThat(verified(printed)).isGreaterThanOrEqualTo(MIN_PERIODS);
    assertThat(noted)
        .as("the language of the shell")
        .contains("个事件已计入", "最后一晚出了问题", "1. 10 月 31 日的寻币活动超出预算", "按 Ctrl-C 停止演示。")
        .doesNotContain("Playing", "counted", "approve it", "Ctrl-C stops");
    Called close = call("close", "--due");
    assertThat(close.exitCode()).as(close.out() + close.err()).isZero();
    assertThat(close.out()).as("by the clock of the demo").contains("nothing is due");
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.demo", matches = "green")
  void withoutTheBadNightEveryPeriodIsSettled() throws Exception {
    String printed =
        run(
            console -> {
              assertThat(ok("inbox").out()).doesNotContain("held", "failed", "budget");
              assertThat(ok("close", "--due").out()).contains("nothing is due");
            },
            "--green");
    assertThat(verified(printed)).isGreaterThanOrEqualTo(MIN_PERIODS);
    assertThat(noted).doesNotContain("最后一晚出了问题");
  }

  /** In a second terminal, while the demo runs. */
  private void takeTheTour() {
    await().untilAsserted(this::showWhatThereIsToDo);
    assertThat(call("preview", "coins", "2026-10-31").out()).contains("budget of 5,000");
    assertThat(call("preview", "time-trial", "2026-10").out()).contains("among grace, ada");
    ok("rebuild", "activity-daily", "2026-10-31", "--replace");
    ok("close", "activity-daily", "2026-10-31");
    assertThat(ok("manifest", "invites", "2026-W43").out()).contains("2026-W43");
  }

  /** The webhook is of the demo's own process, which delivers meanwhile. */
  private void showWhatThereIsToDo() {
    assertThat(ok("inbox", "--format", "csv").lines())
        .as("a budget, a tie, a changed score, a cheater, late commits, a webhook")
        .extracting(line -> line.replaceAll("^([a-z-]+,[^,]*,[^,]*),.*", "$1"))
        .contains(
            "held,coins,2026-10-31",
            "held,time-trial,2026-10",
            "failed,activity-daily,2026-10-31",
            "amendment,invites,2026-W43",
            "late,commits-weekly,2026-W43",
            "delivery,,");
  }

  /** A step of a test that reads what the demo prints about its console, while it runs. */
  private interface Visit {
    void to(MatchResult console) throws IOException, InterruptedException;
  }

  /** Runs the demo until it has printed everything, visits it, stops it, and returns its output. */
  private String run(Visit visit, String... options) throws Exception {
    var notes = new LinkedBlockingQueue<String>();
    var out = new ByteArrayOutputStream();
    var exitCode = new CompletableFuture<Integer>();
    Thread demo = new Thread(() -> exitCode.complete(demo(out, notes, options)));
    demo.start();
    try {
      visit.to(console(notes, exitCode));
    } finally {
      demo.interrupt(); // as a signal stops a process
    }
    assertThat(exitCode.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isZero();
    noted += String.join("\n", notes);
    return out.toString(UTF_8);
  }

  /** The number of periods that the last line says are verified. */
  private static int verified(String printed) {
    String last = printed.substring(printed.stripTrailing().lastIndexOf('\n') + 1).strip();
    var verified = VERIFIED.matcher(last);
    assertThat(verified.matches()).as(last).isTrue();
    return Integer.parseInt(verified.group(1) == null ? verified.group(2) : verified.group(1));
  }

  private int demo(ByteArrayOutputStream out, Queue<String> notes, String... options) {
    PrintStream err =
        new PrintStream(OutputStream.nullOutputStream(), true, UTF_8) {
          @Override
          public void println(@Nullable String lines) {
            notes.add("" + lines);
          }
        };
    var terminal =
        new Terminal(
            InputStream.nullInputStream(), new PrintStream(out, true, UTF_8), err, false, false);
    String[] arguments =
        Stream.concat(
                Stream.of("demo", "--port", "0", "--data", folder.resolve("demo").toString()),
                Stream.of(options))
            .toArray(String[]::new);
    return Cli.run(terminal, CHINESE, new SpringLauncher(Palmares.class), Called.CLOCK, arguments);
  }

  private Called ok(String... arguments) {
    Called called = call(arguments);
    assertThat(called.exitCode()).as(called.out() + called.err()).isZero();
    return called;
  }

  /** Calls a command in the folder of the demo. */
  private Called call(String... arguments) {
    Path demo = folder.resolve("demo");
    String[] all =
        Stream.concat(Stream.of(arguments), Stream.of("--data", demo.toString()))
            .toArray(String[]::new);
    return Called.with(new SpringLauncher(Palmares.class), "", all);
  }

  /** What the demo prints about its console, once it has played and verified. */
  private MatchResult console(BlockingQueue<String> notes, Future<Integer> exitCode)
      throws InterruptedException {
    var printed = new StringBuilder();
    while (!exitCode.isDone()) {
      String lines = notes.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      Matcher console = CONSOLE.matcher(printed.append(lines).append('\n'));
      noted = printed.toString();
      if (console.find()) {
        return console.toMatchResult();
      }
    }
    throw new AssertionError("the demo has ended:\n" + printed);
  }

  private static void showsTheMonthInItsConsole(MatchResult console)
      throws IOException, InterruptedException {
    String server = console.group(1);
    HttpClient browser = HttpClient.newHttpClient();
    for (int person = 2; person <= 3; person++) {
      String words =
          "{\"name\":\"%s\",\"password\":\"%s\"}"
              .formatted(console.group(person), console.group(4));
      HttpRequest signIn =
          HttpRequest.newBuilder(URI.create(server + "/login"))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(words))
              .build();
      HttpResponse<String> signedIn = browser.send(signIn, BodyHandlers.ofString());
      assertThat(signedIn.statusCode()).isEqualTo(200);
      HttpRequest month =
          HttpRequest.newBuilder(URI.create(server + "/console/ledger?month=2026-10"))
              .header("Cookie", cookies(signedIn))
              .build();
      HttpResponse<String> page = browser.send(month, BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("/console/boards/invites", "activity-monthly");
    }
  }

  /** The cookies are for HTTPS; browsers send those to this machine over HTTP, too. */
  private static String cookies(HttpResponse<String> answer) {
    return answer.headers().allValues("Set-Cookie").stream()
        .map(cookie -> cookie.replaceFirst(";.*", ""))
        .collect(Collectors.joining("; "));
  }

  /** It is refused as it names a server, before anything is removed. */
  @Test
  void aCallThatNamesAServerKeepsTheDataOfAnEarlierDemo() throws IOException {
    Files.createFile(folder.resolve("this-is-a-demo"));
    Path kept = Files.writeString(folder.resolve("kept.txt"), "an earlier demo");
    String url = "http://127.0.0.1:1";
    Called called = Called.alone("demo", "--data", folder.toString(), "--url", url, "--token", "x");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("--url");
    assertThat(kept).hasContent("an earlier demo");
  }

  @Test
  void aFolderWithOtherDataIsRefusedAndNotChanged() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious.txt"), "years of work");
    Called called = Called.alone("demo", "--once", "--port", "0", "--data", folder.toString());
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(folder + " contains data other than a demo's");
    assertThat(precious).hasContent("years of work");
    try (Stream<Path> content = Files.list(folder)) {
      assertThat(content).containsExactly(precious);
    }
  }
}
