package palmares.bench.console;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
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
 */
public final class ConsoleBench {
  private static final String BOARD = "bench-console";
  private static final int WARM_UP = 20;
  private static final double MAX_MILLIS = 200;

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
    long ranked = beans.get(PalmaresReport.class).ranked(board.id(), period.name());
    Map<String, LongFunction<String>> kinds = new LinkedHashMap<>();
    kinds.put("first", n -> page);
    kinds.put("search", n -> page + "?member=" + crowd.member(n % plan.members()));
    kinds.put("jump", n -> page + "?rank=" + (1 + n % ranked));
    kinds.put("api", n -> "/api/v1/" + name + "/top?count=50");
    Map<String, Double> millis = new LinkedHashMap<>();
    for (var kind : kinds.entrySet()) {
      millis.put(kind.getKey(), median(kind.getKey(), kind.getValue(), key, plan));
    }
    return figures(millis, plan.members());
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
          default -> true;
        };
    if (answer.statusCode() != 200 || !shown) {
      throw new WrongResult(
          "%s answered %d, or without what was asked for"
              .formatted(request.uri(), answer.statusCode()));
    }
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
