package palmares.settlement.dailydigest;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Lease;
import palmares.platform.text.Setting;
import palmares.platform.text.SettingSentences;
import palmares.settlement.outbox.Facts;
import palmares.settlement.outbox.NightlyComparison;
import palmares.settlement.outbox.Outbox;

/**
 * Stores the fact {@code digest} once a day.
 *
 * <p>The day's row is inserted first, in the transaction that stores the fact. So each day has one
 * digest, and a process that dies leaves none. A digest covers the facts behind those of the digest
 * before it, in the order in which they committed. So nothing is missed or reported twice, and days
 * missed during downtime are reported together.
 */
@Component
@EnableConfigurationProperties(Digest.Settings.class)
public class Digest {
  private final Facts facts;
  private final Outbox outbox;
  private final DigestReport report;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final NightlyComparison comparison;
  private final Settings settings;
  private final Clock clock;

  Digest(
      Facts facts,
      Outbox outbox,
      DigestReport report,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      NightlyComparison comparison,
      Settings settings,
      Clock clock) {
    this.facts = facts;
    this.outbox = outbox;
    this.report = report;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.comparison = comparison;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Says what a digest covers.
   *
   * @param after the number of the last fact that the digest before it covered
   * @param last the number of the last fact that it covers
   */
  record Span(LocalDate day, Instant since, Instant until, long after, long last) {}

  private record Former(LocalDate day, Instant until, long fact) {}

  /**
   * Stores the digest of the last day, unless a process has done so.
   *
   * @return whether this process did
   */
  public boolean writeIfDue() {
    Instant now = clock.instant();
    LocalDate day = settings.day(now);
    Optional<Former> former = former();
    if (former.isPresent() && !former.get().day().isBefore(day)) {
      return false;
    }
    facts.number();
    comparison.run();
    return transaction.execute(status -> write(day, now, former));
  }

  private boolean write(LocalDate day, Instant now, Optional<Former> former) {
    Instant since = former.map(Former::until).orElse(now.minus(Duration.ofDays(1)));
    long after = former.map(Former::fact).orElseGet(() -> lastBefore(since));
    var span = new Span(day, since, now, after, facts.last());
    if (!insert(span)) {
      return false;
    }
    outbox.digest(day, report.of(span, settings.zone()));
    return true;
  }

  /** Waits for a process that inserts the same row. */
  private boolean insert(Span span) {
    return jdbc.sql(
                """
                insert into digest (day, since, until, fact, by)
                values (:day, :since, :until, :fact, :by)
                on conflict do nothing
                """)
            .param("day", span.day())
            .param("since", span.since())
            .param("until", span.until())
            .param("fact", span.last())
            .param("by", Lease.THIS_PROCESS)
            .update()
        == 1;
  }

  private Optional<Former> former() {
    return jdbc.sql("select day, until, fact from digest order by day desc limit 1")
        .query(Former.class)
        .optional();
  }

  private long lastBefore(Instant since) {
    return jdbc.sql("select coalesce(max(n), 0) from fact where at < :since")
        .param("since", since)
        .query(Long.class)
        .single();
  }

  /**
   * Configures the daily digest.
   *
   * @param at the local time of day, as {@code 08:00}
   * @param zone the time zone, as {@code Europe/Berlin}
   */
  @ConfigurationProperties("palmares.digest")
  record Settings(@DefaultValue("08:00") String at, @DefaultValue("UTC") String zone) {

    Settings {
      try {
        LocalTime.parse(at);
      } catch (DateTimeParseException e) {
        throw new Setting("palmares.digest.at").wrong(at, new SettingSentences.TimeOfDay());
      }
      try {
        ZoneId.of(zone);
      } catch (DateTimeException e) {
        throw new Setting("palmares.digest.zone").wrong(zone, new SettingSentences.TimeZone());
      }
    }

    /** The last day whose time has come; a time that a change of clocks skips comes right after. */
    LocalDate day(Instant now) {
      LocalDate today = now.atZone(ZoneId.of(zone)).toLocalDate();
      ZonedDateTime due = today.atTime(LocalTime.parse(at)).atZone(ZoneId.of(zone));
      return now.isBefore(due.toInstant()) ? today.minusDays(1) : today;
    }
  }
}
