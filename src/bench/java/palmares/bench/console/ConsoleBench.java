package palmares.bench.console;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.bench.Beans;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.Resource;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.bench.seeding.SeededPeriod;
import palmares.operations.report.PalmaresReport;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.Closings;

/**
 * Asks for pages of a settled period: the first one, those around members, and those at ranks. The
 * rival is the API, which answers with the same lines as JSON. The period pays in three currencies.
 * Then it downloads all lines as files, which are written while they are read: a small heap is
 * enough.
 */
public final class ConsoleBench {
  private static final String BOARD = "bench-console";
  private static final int WARM_UP = 20;
  private static final double MAX_MILLIS = 200;
  private static final Pattern FIRST_RANK =
      Pattern.compile("<tbody>\\s*<tr[^>]*>\\s*<td class=\"number\">([\\d,]+)</td>");

  private final Beans beans;
  private final SettableClock clock;
  private final ProgressListener progress;
  private final URI server;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param beans of an application that uses {@link #files}, the clock, and servers without other
   *     data
   * @param server where it answers
   */
  public ConsoleBench(Beans beans, SettableClock clock, ProgressListener progress, URI server) {
    this.beans = beans;
    this.clock = clock;
    this.progress = progress;
    this.server = server;
  }

  /** The board files. */
  public static List<BoardFile> files() {
    return List.of(Resource.board(BOARD + ".yml"));
  }

  /**
   * What to measure.
   *
   * @param requests for each kind of page
   * @param seed of the members and of the choice whom to search
   */
  public record Plan(long members, int requests, long seed) {}

  /**
   * Measures all kinds of pages.
   *
   * @throws WrongResult if a page does not show what was asked for
   */
  public Figures measure(Plan plan) throws IOException, InterruptedException {
    Board board = beans.get(Catalogue.class).find(new BoardId(BOARD)).orElseThrow();
    var crowd = new Crowd(plan.members(), plan.seed(), 1);
    SeededPeriod seeded = new PeriodSeeder(beans, board, clock, progress).ended(crowd);
    Period period = seeded.period();
    WrongResult.requireSettled(
        beans.get(Closings.class).close(period.id(), ClosingCause.of("bench"), step -> {}));
    String key =
        beans
            .get(ApiKeys.class)
            .create(new NewKey("bench", Set.of(Role.VIEWER), Set.of(), null), "bench", "benchmark");
    String name = "boards/%s/periods/%s".formatted(board.id(), period.name());
    String page = "/console/" + name;
    var report = beans.get(PalmaresReport.class);
    long ranked = report.ranked(board.id(), period.name());
    long lastRank = requireNonNull(report.from(board.id(), period.name(), ranked, 1).get(0).rank());
    Map<String, LongFunction<String>> kinds = new LinkedHashMap<>();
    kinds.put("first", n -> page);
    kinds.put("search", n -> page + "?member=" + crowd.member(n % plan.members()));
    kinds.put("jump", n -> page + "?rank=" + (1 + n % lastRank));
    kinds.put("api", n -> "/api/v1/" + name + "/top?count=50");
    Map<String, Double> millis = new LinkedHashMap<>();
    for (var kind : kinds.entrySet()) {
      millis.put(kind.getKey(), median(kind.getKey(), kind.getValue(), key, plan));
    }
    Figures figures = figures(millis, plan.members());
    long lines = report.members(board.id(), period.name());
    for (String format : List.of("csv", "xlsx")) {
      double seconds = download("/api/v1/ops/" + name + "/report?format=" + format, key, lines);
      figures.add(
          "console_" + format + "_s",
          "all lines as %s, s".formatted(format.toUpperCase(Locale.ROOT)),
          seconds,
          "s");
    }
    return figures;
  }

  /** The seconds until a file with all lines has arrived. */
  private double download(String path, String key, long lines)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Authorization", "Bearer " + key)
            .build();
    long start = System.nanoTime();
    Path file = Files.createTempFile("palmares-bench", null);
    try {
      HttpResponse<Path> answer = http.send(request, BodyHandlers.ofFile(file));
      double seconds = (System.nanoTime() - start) / 1e9;
      long rows =
          answer.statusCode() != 200 ? 0 : path.endsWith("csv") ? rows(file) : inSheets(file);
      if (rows < lines + 1) {
        throw new WrongResult(
            "%s answered %d, with %,d rows for %,d lines and their headings"
                .formatted(request.uri(), answer.statusCode(), rows, lines));
      }
      return seconds;
    } finally {
      Files.delete(file);
    }
  }

  private static long rows(Path csv) throws IOException {
    try (InputStream in = Files.newInputStream(csv)) {
      return count(in, "\n");
    }
  }

  private static long inSheets(Path workbook) throws IOException {
    long rows = 0;
    try (var zip = new ZipFile(workbook.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().startsWith("xl/worksheets/")) {
          try (InputStream in = zip.getInputStream(entry)) {
            rows += count(in, "<row ");
          }
        }
      }
    }
    return rows;
  }

  /** How often a text of ASCII characters occurs, whose first one it has only once. */
  private static long count(InputStream in, String text) throws IOException {
    var bytes = new byte[1 << 16];
    long found = 0;
    int matched = 0;
    for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
      for (int i = 0; i < read; i++) {
        matched =
            bytes[i] == text.charAt(matched) ? matched + 1 : bytes[i] == text.charAt(0) ? 1 : 0;
        if (matched == text.length()) {
          found++;
          matched = 0;
        }
      }
    }
    return found;
  }

  private double median(String kind, LongFunction<String> path, String key, Plan plan)
      throws IOException, InterruptedException {
    var random = new SplittableRandom(plan.seed());
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < WARM_UP + plan.requests(); i++) {
      long n = random.nextLong(Long.MAX_VALUE);
      HttpRequest request =
          HttpRequest.newBuilder(server.resolve(path.apply(n)))
              .header("Authorization", "Bearer " + key)
              .build();
      long start = System.nanoTime();
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (i >= WARM_UP) {
        millis.add((System.nanoTime() - start) / 1e6);
      }
      check(kind, request, answer);
    }
    return Timing.median(millis);
  }

  private static void check(String kind, HttpRequest request, HttpResponse<String> answer) {
    boolean shown =
        switch (kind) {
          case "search" -> answer.body().contains("class=\"found\"");
          case "first", "api" -> answer.body().contains("gems");
          case "jump" -> beginsAtRank(request.uri(), answer.body());
          default -> throw new IllegalArgumentException(kind);
        };
    if (answer.statusCode() != 200 || !shown) {
      throw new WrongResult(
          "%s answered %d, or without what was asked for"
              .formatted(request.uri(), answer.statusCode()));
    }
  }

  /** Whether the first line has the rank of the address, or the next one that somebody has. */
  private static boolean beginsAtRank(URI address, String page) {
    Matcher first = FIRST_RANK.matcher(page);
    long asked = Long.parseLong(address.getQuery().substring("rank=".length()));
    return first.find() && Long.parseLong(first.group(1).replace(",", "")) >= asked;
  }

  private static Figures figures(Map<String, Double> millis, long members) {
    var figures = new Figures();
    millis.forEach(
        (kind, median) -> {
          String label = "%s, %,d members, ms".formatted(label(kind), members);
          if (kind.equals("api")) {
            figures.add("console_api_ms", label, median, "ms");
          } else {
            figures.addWithAim("console_" + kind + "_ms", label, median, Aim.atMost(MAX_MILLIS));
          }
        });
    double api = requireNonNull(millis.get("api"));
    double slowest = millis.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    figures.add("console_against_api", "slowest page / the API's answer", slowest / api, "");
    return figures;
  }

  private static String label(String kind) {
    return switch (kind) {
      case "first" -> "a period's first page with its charts";
      case "search" -> "the page around a member";
      case "jump" -> "the page from a rank";
      default -> "50 lines by the API";
    };
  }
}
