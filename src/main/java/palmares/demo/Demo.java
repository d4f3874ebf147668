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
import palmares.demo.Scenario.Deed;
import palmares.platform.time.SettableClock;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Outcome;
import palmares.settlement.closing.Sweep;

/** Plays the month: the clock is moved, events go in, and whatever comes due is closed. */
public final class Demo {
  /** The first day of the month that is played. */
  public static final LocalDate MONTH = LocalDate.of(2026, 10, 1);

  private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");
  private static final long SEED = 20261001;

  /** So many deeds go into one request. */
  private static final int BATCH = 8;

  /** After it, the grace of all that ended at midnight is over. */
  private static final Duration PAST_GRACE = Duration.ofMinutes(10).plusSeconds(1);

  private static final Set<String> COUNTED = Set.of("applied", "undone", "accepted");

  private final SettableClock clock;
  private final Sweep sweep;
  private final EventClient client;
  private final Scenario scenario = new Scenario(SEED);
  private final Map<String, String> inviteCodes = new HashMap<>();
  private long taken;

  /**
   * @param server where the writer listens
   * @param key an API key for all boards
   */
  public Demo(SettableClock clock, Sweep sweep, URI server, String key) {
    this.clock = clock;
    this.sweep = sweep;
    this.client = new EventClient(server, key);
  }

  /** When the month begins: what the clock must say before anything else happens. */
  public static Instant begin() {
    return start(MONTH);
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZONE).toInstant();
  }

  /** How many events counted. */
  public long taken() {
    return taken;
  }

  /**
   * Plays the whole month, and goes on until every period that ends in it is settled.
   *
   * @param played is told each day as it ends
   * @throws IllegalStateException if a period does not settle
   */
  public void play(Consumer<LocalDate> played) {
    LocalDate end = MONTH.plusMonths(1);
    Players.all().forEach(member -> register(member, null));
    for (LocalDate day = MONTH; day.isBefore(end); day = day.plusDays(1)) {
      List<Deed> deeds = scenario.between(start(day), start(day.plusDays(1)));
      Instant graceOver = start(day).plus(PAST_GRACE);
      send(deeds.stream().filter(deed -> deed.at().isBefore(graceOver)).toList());
      close(graceOver);
      send(deeds.stream().filter(deed -> !deed.at().isBefore(graceOver)).toList());
      played.accept(day);
    }
    close(start(end).plus(PAST_GRACE));
  }

  private void send(List<Deed> deeds) {
    for (int i = 0; i < deeds.size(); i += BATCH) {
      List<Deed> batch = deeds.subList(i, Math.min(i + BATCH, deeds.size()));
      batch.stream().filter(Demo::isInvitation).forEach(this::invite);
      clock.set(batch.get(batch.size() - 1).at());
      taken +=
          client.send(batch.stream().filter(deed -> !isInvitation(deed)).toList()).stream()
              .filter(COUNTED::contains)
              .count();
    }
  }

  private static boolean isInvitation(Deed deed) {
    return deed.action().equals("invite");
  }

  /** An invitation counts when whom it brought registers. */
  private void invite(Deed deed) {
    clock.set(deed.at());
    register(Objects.requireNonNull(deed.subject()), inviteCodes.get(deed.member()));
    taken++;
  }

  private void register(String member, @Nullable String inviteCode) {
    inviteCodes.put(member, client.register(member, Players.nickname(member), inviteCode));
  }

  /** The scheduler may have begun with some of it by itself: what it closes is closed. */
  private void close(Instant now) {
    clock.set(now);
    List<CompletableFuture<ClosingResult>> closings = sweep.run();
    while (!closings.isEmpty()) {
      for (CompletableFuture<ClosingResult> closing : closings) {
        ClosingResult closed = closing.join();
        if (closed.outcome() == Outcome.FAILED) {
          throw new IllegalStateException(
              "%s is not settled: %s".formatted(closed.period().label(), closed.detail()));
        }
      }
      closings = sweep.run();
    }
  }
}
