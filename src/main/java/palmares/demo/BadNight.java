package palmares.demo;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.demo.Scenario.Event;
import palmares.live.board.LiveKeys;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outbox.Deliveries;

/**
 * Ends the month of the demo with a bad night, after which a person has something of each kind to
 * do: a payout over its budget, a tie to decide, a closing that fails, late events, a cheater who
 * was paid, and a webhook that is down.
 */
public final class BadNight {
  private static final LuaScript COPY_SCORE = LuaScript.read(BadNight.class, "copy_score.lua");

  private static final BoardId INVITES = new BoardId("invites");
  private static final PeriodName PAID_WEEK = new PeriodName("2026-W43");
  private static final LiveKeys TAMPERED =
      new LiveKeys(new BoardId("activity-daily"), new PeriodName("2026-10-31"));

  /** More than the budget of the coin hunt allows for. */
  private static final int NEW_ACCOUNTS = 90;

  private static final int LAP = 61_204;
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Duration UNTIL_MORNING = Duration.ofMinutes(8 * 60 + 30);

  private final Demo demo;
  private final RedisClient redis;
  private final Periods periods;
  private final Exclusions exclusions;
  private final Amendments amendments;
  private final Deliveries deliveries;

  public BadNight(
      Demo demo,
      RedisClient redis,
      Periods periods,
      Exclusions exclusions,
      Amendments amendments,
      Deliveries deliveries) {
    this.demo = demo;
    this.redis = redis;
    this.periods = periods;
    this.exclusions = exclusions;
    this.amendments = amendments;
    this.deliveries = deliveries;
  }

  /**
   * Says who was found to cheat after the payment.
   *
   * @param credits what the prepared amendment takes back
   */
  public record Cheater(String member, long credits) {}

  /** A receiver of a webhook, on a free port of this machine. */
  public static HttpServer receiver() throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer receiver = HttpServer.create(address, 0);
    receiver.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
          }
        });
    receiver.start();
    return receiver;
  }

  /**
   * Plays the month until the morning after it.
   *
   * @param played called with each day at its end
   * @param receiver is stopped in that night
   * @param operator the name of the person who prepares the amendment
   * @throws IllegalStateException if another period fails than the one that must
   */
  public Cheater play(Consumer<LocalDate> played, HttpServer receiver, String operator) {
    demo.playDays(played);
    demo.send(lastMinute(Demo.start(Demo.MONTH.plusMonths(1)).minusMillis(1)));
    redis.run(COPY_SCORE, ScriptCall.on(TAMPERED.lines()));
    receiver.stop(0);
    Set<String> failing = Set.of(TAMPERED.board() + " " + TAMPERED.period());
    demo.close(Demo.graceOver(Demo.MONTH.plusMonths(1)), failing);
    awaitFailedDelivery();
    demo.close(Demo.start(Demo.MONTH.plusMonths(1)).plus(UNTIL_MORNING), failing);
    demo.client().send(commitsOfALostLaptop(Demo.start(Demo.MONTH.plusDays(19))));
    return findCheater(operator);
  }

  /** Else the webhook would begin to fail in the morning, too late for the inbox of the demo. */
  private void awaitFailedDelivery() {
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    while (deliveries.failing().stream().allMatch(target -> target.since() == null)
        && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }

  private static List<Event> lastMinute(Instant at) {
    Stream<Event> coins =
        IntStream.rangeClosed(1, NEW_ACCOUNTS)
            .mapToObj(i -> event("coin-" + i, at, "account-" + i, "coin", null));
    Stream<Event> laps =
        Stream.of("ada", "grace").map(member -> event("lap-" + member, at, member, "lap", LAP));
    return Stream.concat(coins, laps).toList();
  }

  private static List<Event> commitsOfALostLaptop(Instant day) {
    return IntStream.rangeClosed(1, 3)
        .mapToObj(
            i -> event("commit-" + i, day.plus(Duration.ofHours(9 + i)), "emmy", "commit", null))
        .toList();
  }

  private static Event event(
      String id, Instant at, String member, String action, @Nullable Integer value) {
    return new Event("night-" + id, at, member, action, null, false, 1, null, value);
  }

  private Cheater findCheater(String operator) {
    Period paid = periods.find(INVITES, PAID_WEEK).orElseThrow();
    var cheater = new MemberId(demo.client().first(INVITES.value(), PAID_WEEK.value()));
    String reason = "invited accounts that it controls";
    var terms = new Terms(cheater, ExclusionLevel.UNRANKED, INVITES, null, null);
    exclusions.exclude(terms, reason, operator);
    var request = new AmendmentRequest(operator, reason, null, Map.of());
    List<MemberDifference> differences =
        amendments.prepare(paid.id(), request).orElseThrow().differences().first();
    return differences.stream()
        .filter(difference -> difference.member().equals(cheater.value()))
        .findFirst()
        .map(
            difference ->
                new Cheater(
                    cheater.value(), difference.awardedBefore() - difference.awardedAfter()))
        .orElseThrow();
  }
}
