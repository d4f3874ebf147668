package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Plays one period after the other, with callers who send at a steady rate, operators who act, and
 * faults. A period is a day, of which only the end and the first minute are played: the clocks of
 * the servers run through midnight, and are set to the end of the day when the former one is over.
 */
final class SoakPlay implements AutoCloseable {
  private static final int REQUESTS_A_SECOND = 8;
  private static final LocalDate FIRST_DAY = LocalDate.parse("2026-11-20");
  private static final Duration GRACE = Duration.ofMinutes(10);

  /** Journals are archived some days later, when the live keys of their periods have expired. */
  private static final int DAYS_TO_ARCHIVE = 4;

  /** More than any member has of a period. */
  private static final long CORRECTED = 9_000_001;

  private final SoakModel model = new SoakModel();
  private final SoakWorld world;
  private final Callers callers;
  private final Random random;
  private final Duration lead;
  private final boolean isDriven;
  private LocalDate day = FIRST_DAY;
  private double closingSeconds;

  /**
   * @param lead how long before midnight the clocks go on
   * @param isDriven whether an operator closes what is due, and not the servers' minutely sweep
   */
  SoakPlay(Path folder, long seed, Duration lead, boolean isDriven) throws IOException {
    this.random = new Random(seed);
    this.lead = lead;
    this.isDriven = isDriven;
    world = new SoakWorld(folder, beforeMidnight());
    callers =
        new Callers(
            (n, attempt) -> world.api((n + attempt) % SoakWorld.SERVERS, "/events"),
            model,
            model,
            true);
    callers.start(world.key(), REQUESTS_A_SECOND);
  }

  SoakWorld world() {
    return world;
  }

  /** How many events were acknowledged. */
  long acknowledged() {
    return model.acknowledged();
  }

  /** How long the last closing took. */
  double closingSeconds() {
    return closingSeconds;
  }

  private Instant beforeMidnight() {
    return midnight().minus(lead);
  }

  private Instant midnight() {
    return day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /**
   * Plays a day, and compares all that it has come to with the model.
   *
   * @throws AssertionError that also says what the servers know of it
   */
  void period(@Nullable SoakFault fault) throws IOException {
    try {
      play(fault);
    } catch (AssertionError | RuntimeException e) {
      System.out.println(world.tail());
      System.out.println(
          world.words(
              "select concat(period_overview) from period_overview order by starts_at desc limit"
                  + " 4"));
      System.out.println(world.words("select concat(run_overview) from run_overview"));
      throw e;
    }
  }

  private void play(@Nullable SoakFault fault) {
    String name = day.toString();
    String hidden = "m" + random.nextInt(SoakModel.members("safe"));
    world.at(beforeMidnight());
    exclude(hidden);
    boolean isEarly = lead.toSeconds() >= 10 && random.nextBoolean();
    CompletableFuture<Void> failing = fail(fault, isEarly ? beforeMidnight() : closing());
    world.until("midnight", () -> world.now().isAfter(midnight()));
    int before = callers.sent();
    // A repeat after the grace would count again.
    world.until("all is answered", () -> callers.lowestUnanswered() >= before);
    world.at(closing());
    if (isDriven) {
      world.verb(false, "/ops/close", "");
    }
    world.until("fast is settled", () -> state("fast", name).equals("settled"));
    world.until("safe is held", () -> state("safe", name).equals("held"));
    failing.join();
    assertThat(callers.failures()).isEmpty();
    model.hide("fast", name, hidden);
    compare("fast", 1);
    approve("safe", 1, world.shown(period("safe") + "/approve"));
    compare("safe", 1);
    amend(hidden);
    closingSeconds = closingSeconds(name);
    export(name);
    archive();
    model.forget("fast", name);
    model.forget("safe", name);
    day = day.plusDays(1);
  }

  private Instant closing() {
    return midnight().plus(GRACE);
  }

  /** Lets something fail at some moment soon after a time. */
  private CompletableFuture<Void> fail(@Nullable SoakFault fault, Instant from) {
    if (fault == null) {
      return CompletableFuture.completedFuture(null);
    }
    Instant at = from.plusMillis(random.nextInt(3_000));
    return CompletableFuture.runAsync(
        () -> {
          world.until("the fault", () -> world.now().isAfter(at));
          world.fail(() -> fault.inject(world, model));
        });
  }

  /** Hides a member on this day, and takes the prize of another away and gives it back. */
  private void exclude(String hidden) {
    world.verb(
        false,
        "/ops/exclusions",
        "'member':'%s','level':'hidden','board':'fast','from':'%s','until':'%s','allowUnknown':true"
            .formatted(hidden, day, day.plusDays(1)));
    world.verb(
        false,
        "/ops/exclusions",
        "'member':'%s','level':'no-prize','board':'safe','allowUnknown':true".formatted(hidden));
    world.verb(true, "/ops/exclusions/lift", "'member':'%s','board':'safe'".formatted(hidden));
  }

  private void amend(String hidden) {
    String name = day.toString();
    String member = hidden.equals("m7") ? "m8" : "m7";
    model.correct("fast", name, member, CORRECTED);
    JsonNode held =
        world.verb(
            false, period("fast") + "/amend", "'points':{'%s':%d}".formatted(member, CORRECTED));
    String expect = held.at("/next/0/fields/expect").asString();
    approve("fast", 2, expect);
    compare("fast", 2);
  }

  private void approve(String board, int revision, String expect) {
    world.verb(
        true,
        period(board) + "/approve",
        "'revision':%d,'expect':'%s'".formatted(revision, expect));
  }

  private String period(String board) {
    return "/ops/boards/%s/periods/%s".formatted(board, day);
  }

  private void export(String name) {
    String range = "?from=%s&to=%s".formatted(name, day.plusDays(1));
    for (String format : new String[] {"csv", "xlsx", "json"}) {
      assertThat(world.get("/ops/boards/fast/report%s&format=%s".formatted(range, format)))
          .isNotEmpty();
    }
    assertThat(world.get(period("safe") + "/transfers?format=csv")).contains("podium");
    assertThat(world.get("/ops/inbox?format=json")).isNotEmpty();
  }

  /** Drops the journals of days that are over for long. */
  private void archive() {
    LocalDate before = day.minusDays(DAYS_TO_ARCHIVE);
    if (before.isAfter(FIRST_DAY)) {
      world.until(
          "old days expire",
          () ->
              world
                  .words(
                      "select 'x' from period where ends_at <= ? and state <> 'expired'",
                      before.atStartOfDay().atOffset(ZoneOffset.UTC))
                  .isEmpty());
      world.verb(false, "/ops/archive", "'all':true,'drop':true,'before':'%s'".formatted(before));
    }
  }

  private double closingSeconds(String name) {
    return Double.parseDouble(
        world
            .words(
                """
                select extract(epoch from ended_at - started_at)::text from run_overview
                where board = 'fast' and period = ? and outcome = 'settled'
                """,
                name)
            .get(0));
  }

  private String state(String board, String name) {
    var state =
        world.words("select state::text from period where board = ? and name = ?", board, name);
    return state.isEmpty() ? "" : state.get(0);
  }

  private void compare(String board, int revision) {
    String name = day.toString();
    world.until(board + " is settled", () -> state(board, name).equals("settled"));
    assertThat(
            world.words(
                """
                select place || ' ' || member || ' ' || points from standing
                join period on period.id = period_id
                where board = ? and name = ? and standing.revision = ? and place is not null
                order by place
                """,
                board,
                name,
                revision))
        .as("lines of %s %s", board, name)
        .isEqualTo(model.lines(board, name));
    assertThat(
            world.words(
                """
                select account || ' ' || sum(amount) from entry
                where board = ? and period = ? and kind = 'member'
                group by account having sum(amount) <> 0 order by account collate "C"
                """,
                board,
                name))
        .as("balances of %s %s", board, name)
        .isEqualTo(model.balances(board, name));
    assertThat(
            world.words(
                """
                select count(*)::text from event join period on period.id = period_id
                where board = ? and name = ?
                """,
                board,
                name))
        .as("events of %s %s", board, name)
        .containsExactly("" + model.events(board, name));
  }

  /** The servers have verified each night since the begin. */
  void requireCleanNights() {
    assertThat(world.words("select first::text from verification_run where differences > 0"))
        .isEmpty();
  }

  /** Verifies everything, on demand. */
  void verify() {
    JsonNode verified = world.verb(false, "/ops/verify", "");
    assertThat(verified.path("state").asString()).as(verified.toString()).isEqualTo("done");
  }

  @Override
  public void close() throws IOException {
    callers.close();
    world.close();
  }
}
