package palmares.demo;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.demo.Scenario.Event;
import palmares.platform.time.SettableClock;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.Sweep;

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
  private final EventClient client;
  private final Scenario scenario = new Scenario(SEED);
  private final Map<String, String> inviteCodes = new HashMap<>();
  private long counted;

  /**
   * @param server the base address of the writer
   * @param key an API key for all boards
   */
  public Demo(SettableClock clock, Sweep sweep, URI server, String key) {
    this.clock = clock;
    this.sweep = sweep;
    this.client = new EventClient(server, key);
  }

  /** The beginning of the month, which the clock must show before the demo starts. */
  public static Instant begin() {
    return start(MONTH);
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZONE).toInstant();
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
    LocalDate end = MONTH.plusMonths(1);
    Players.all().forEach(member -> register(member, null));
    for (LocalDate day = MONTH; day.isBefore(end); day = day.plusDays(1)) {
      List<Event> events = scenario.between(start(day), start(day.plusDays(1)));
      Instant graceOver = start(day).plus(GRACE_WITH_MARGIN);
      send(events.stream().filter(event -> event.at().isBefore(graceOver)).toList());
      close(graceOver);
      send(events.stream().filter(event -> !event.at().isBefore(graceOver)).toList());
      played.accept(day);
    }
    close(start(end).plus(GRACE_WITH_MARGIN));
  }

  private void send(List<Event> events) {
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
   */
  private void close(Instant now) {
    clock.set(now);
    clock.run();
    List<CompletableFuture<ClosingResult>> closings = sweep.run();
    while (!closings.isEmpty()) {
      for (CompletableFuture<ClosingResult> closing : closings) {
        ClosingResult closed = closing.join();
        if (closed.outcome() == Status.FAILED) {
          throw new IllegalStateException(
              "%s is not settled: %s".formatted(closed.period().label(), closed.detail()));
        }
      }
      closings = sweep.run();
    }
  }
}
