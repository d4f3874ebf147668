package palmares.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.demo.Scenario.Event;
import palmares.demo.Scenario.Players;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.platform.time.SettableClock;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.Sweep;
import tools.jackson.databind.json.JsonMapper;

/** Plays the month of the demo: moves the clock, sends events, and closes what is due. */
public final class Demo {
  /** The first day of the month. */
  public static final LocalDate MONTH = LocalDate.of(2026, 10, 1);

  private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");
  private static final long SEED = 20261001;

  private static final int EVENTS_PER_REQUEST = 8;

  /** From midnight until the grace of the periods that ended then is over. */
  private static final Duration GRACE_WITH_MARGIN = Duration.ofMinutes(10).plusSeconds(1);

  private static final Set<String> COUNTED_OUTCOMES = Set.of("applied", "undone", "accepted");

  private final SettableClock clock;
  private final Sweep sweep;
  private final DuePeriods duePeriods;
  private final ClosingQueue queue;
  private final EventClient client;
  private final List<Scenario> scenarios =
      List.of(
          new Scenario("demo", SEED, Scenario.COMMUNITY),
          new Scenario("game", SEED, Scenario.GAMES));
  private final Map<String, String> inviteCodes = new HashMap<>();
  private long counted;

  /**
   * @param server the base address of the writer
   * @param key an API key for all boards
   */
  public Demo(
      SettableClock clock,
      Sweep sweep,
      DuePeriods duePeriods,
      ClosingQueue queue,
      URI server,
      String key) {
    this.clock = clock;
    this.sweep = sweep;
    this.duePeriods = duePeriods;
    this.queue = queue;
    this.client = new EventClient(server, key);
  }

  /** The beginning of the month, which the clock must show before the demo starts. */
  public static Instant begin() {
    return start(MONTH);
  }

  static Instant start(LocalDate day) {
    return day.atStartOfDay(ZONE).toInstant();
  }

  EventClient client() {
    return client;
  }

  /** The number of events that counted so far. */
  public long counted() {
    return counted;
  }

  /**
   * Plays the whole month, until every period that ends in it is settled.
   *
   * @param played called with each day at its end
   * @throws IllegalStateException if a period does not settle
   */
  public void play(Consumer<LocalDate> played) {
    playDays(played);
    close(graceOver(MONTH.plusMonths(1)), Set.of());
  }

  /** Plays the days of the month. What ends with the last one is not closed yet. */
  void playDays(Consumer<LocalDate> played) {
    LocalDate end = MONTH.plusMonths(1);
    Players.all().forEach(member -> register(member, null));
    for (LocalDate day = MONTH; day.isBefore(end); day = day.plusDays(1)) {
      List<Event> events = events(day);
      Instant graceOver = graceOver(day);
      send(events.stream().filter(event -> event.at().isBefore(graceOver)).toList());
      close(graceOver, Set.of());
      send(events.stream().filter(event -> !event.at().isBefore(graceOver)).toList());
      played.accept(day);
    }
  }

  private List<Event> events(LocalDate day) {
    return scenarios.stream()
        .flatMap(scenario -> scenario.between(start(day), start(day.plusDays(1))).stream())
        .sorted(Comparator.comparing(Event::at))
        .toList();
  }

  /** When the periods that ended before a day are due. */
  static Instant graceOver(LocalDate day) {
    return start(day).plus(GRACE_WITH_MARGIN);
  }

  void send(List<Event> events) {
    for (int i = 0; i < events.size(); i += EVENTS_PER_REQUEST) {
      List<Event> batch = events.subList(i, Math.min(i + EVENTS_PER_REQUEST, events.size()));
      batch.stream().filter(Demo::isInvitation).forEach(this::invite);
      clock.set(batch.get(batch.size() - 1).at());
      counted +=
          client.send(batch.stream().filter(event -> !isInvitation(event)).toList()).stream()
              .filter(COUNTED_OUTCOMES::contains)
              .count();
    }
  }

  private static boolean isInvitation(Event event) {
    return event.action().equals("invite");
  }

  /** Registers the invited member, which makes the invitation count. */
  private void invite(Event event) {
    clock.set(event.at());
    register(Objects.requireNonNull(event.subject()), inviteCodes.get(event.member()));
    counted++;
  }

  private void register(String member, @Nullable String inviteCode) {
    inviteCodes.put(member, client.register(member, Players.nickname(member), inviteCode));
  }

  /**
   * Closes what is due; the scheduler may close some of it at the same time. The clock runs
   * meanwhile, so that steps take the time that they take.
   *
   * @param failing the periods that may fail, such as {@code invites 2026-W43}
   */
  void close(Instant now, Set<String> failing) {
    clock.set(now);
    clock.run();
    sweep.prepare();
    for (List<PeriodId> due = duePeriods.due(); !due.isEmpty(); due = duePeriods.due()) {
      for (CompletableFuture<ClosingResult> closing :
          queue.close(due, ClosingCause.of("schedule"))) {
        ClosingResult closed = closing.join();
        if (closed.outcome() == Status.FAILED && !failing.contains(closed.period().label())) {
          throw new IllegalStateException(
              "%s is not settled: %s".formatted(closed.period().label(), closed.text()));
        }
      }
    }
  }

  /** Sends events and registrations to the writer over HTTP, with an API key. */
  static final class EventClient {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI server;
    private final String key;

    EventClient(URI server, String key) {
      this.server = server;
      this.key = key;
    }

    /**
     * Sends the events in one NDJSON request.
     *
     * @return the writer's outcome of each
     */
    List<String> send(List<Event> events) {
      String lines =
          events.stream().map(JSON::writeValueAsString).collect(Collectors.joining("\n"));
      return post("/api/v1/events", "application/x-ndjson", lines)
          .lines()
          .map(line -> JSON.readTree(line).get("outcome").stringValue())
          .toList();
    }

    /**
     * Registers a member.
     *
     * @param inviteCode the inviter's; null if nobody invited the member
     * @return the member's own invite code
     */
    String register(String member, String nickname, @Nullable String inviteCode) {
      var fields = new LinkedHashMap<String, Object>();
      fields.put("externalId", member + "@example.org");
      fields.put("member", member);
      fields.put("nickname", nickname);
      if (inviteCode != null) {
        fields.put("inviteCode", inviteCode);
      }
      String answer = post("/api/v1/members", "application/json", JSON.writeValueAsString(fields));
      return JSON.readTree(answer).get("inviteCode").stringValue();
    }

    /** The member on the first place of a period. */
    String first(String board, String period) {
      String path = "/api/v1/boards/%s/periods/%s/top?count=1".formatted(board, period);
      return JSON.readTree(send(request(path).build())).at("/lines/0/member").stringValue();
    }

    private String post(String path, String type, String body) {
      return send(
          request(path)
              .header("Content-Type", type)
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build());
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(server.resolve(path)).header("Authorization", "Bearer " + key);
    }

    private String send(HttpRequest request) {
      try {
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
          throw new IllegalStateException(
              "the writer answered %d: %s".formatted(response.statusCode(), response.body()));
        }
        return response.body();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for the writer", e);
      }
    }
  }
}
