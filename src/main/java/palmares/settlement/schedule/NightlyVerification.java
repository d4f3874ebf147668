package palmares.settlement.schedule;

import static java.time.temporal.ChronoUnit.DAYS;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Lease;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.text.Setting;
import palmares.platform.text.SettingSentences;
import palmares.platform.text.Texts;
import palmares.platform.time.SqlTime;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/**
 * Verifies once a night what was settled or amended lately, and the payments of a share of all
 * posted outcomes. Shares of nights without a scheduler are verified with the next one.
 *
 * <p>The row of a night and the lock against other processes end with one transaction, so each
 * night is verified once. A night missed during downtime is verified at the next call.
 */
@Component
@EnableConfigurationProperties(NightlyVerification.Settings.class)
public class NightlyVerification {
  private static final Logger LOG = LoggerFactory.getLogger(NightlyVerification.class);

  /** The number of the advisory lock. */
  private static final int ADVISORY_LOCK_ID = 0x6e696768;

  private final Verification verification;
  private final Outbox outbox;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Settings settings;
  private final Clock clock;

  NightlyVerification(
      Verification verification,
      Outbox outbox,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Settings settings,
      Clock clock) {
    this.verification = verification;
    this.outbox = outbox;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Configures the nightly verification.
   *
   * @param at the time of day in UTC, as {@code 03:30}
   * @param days how many days back it verifies; at least 1
   */
  @ConfigurationProperties("palmares.verify")
  record Settings(@DefaultValue("03:30") String at, @DefaultValue("7") int days) {
    Settings {
      new Setting("palmares.verify.days").requireAtLeast(1, days);
      try {
        LocalTime.parse(at);
      } catch (DateTimeParseException e) {
        throw new Setting("palmares.verify.at").wrong(at, new SettingSentences.TimeOfDayInUtc());
      }
    }

    /** The last night whose time has come. */
    LocalDate night(Instant now) {
      OffsetDateTime utc = SqlTime.utc(now);
      boolean due = !utc.toLocalTime().isBefore(LocalTime.parse(at));
      return due ? utc.toLocalDate() : utc.toLocalDate().minusDays(1);
    }

    Instant since(Instant now) {
      return now.minus(Duration.ofDays(days));
    }
  }

  /** Verifies the last night, unless a process has done so or is doing it. */
  public Optional<NightlyResult> verifyIfDue() {
    Optional<NightlyResult> found = transaction.execute(status -> verifyOnce());
    found.ifPresent(NightlyVerification::log);
    return found;
  }

  private Optional<NightlyResult> verifyOnce() {
    Instant now = clock.instant();
    LocalDate night = settings.night(now);
    Optional<NightlyResult> last = last();
    if (last.isPresent() && !last.get().night().isBefore(night) || !lock()) {
      return Optional.empty();
    }
    if (last().equals(last)) { // else another process verified it before this one had the lock
      Instant since =
          last.map(NightlyResult::startedAt)
              .filter(before -> before.isBefore(settings.since(now)))
              .orElse(settings.since(now));
      long nights = last.map(before -> DAYS.between(before.night(), night)).orElse(Long.MAX_VALUE);
      Findings findings = verification.verifySince(since, night, nights);
      findings.notes().forEach(note -> LOG.warn("night={} {}", night, Texts.english(note)));
      LOG.info("night={} compared with {} anchors", night, findings.anchors());
      return Optional.of(store(night, since, now, findings));
    }
    return Optional.empty();
  }

  /**
   * Keeps other processes out until the transaction ends, which is idle during the verification.
   */
  private boolean lock() {
    jdbc.sql("set local idle_in_transaction_session_timeout = 0").update();
    return jdbc.sql("select pg_try_advisory_xact_lock(:lock)")
        .param("lock", ADVISORY_LOCK_ID)
        .query(Boolean.class)
        .single();
  }

  private NightlyResult store(LocalDate night, Instant since, Instant started, Findings findings) {
    jdbc.sql(
            """
            insert into verification_run (
              night, since, started_at, ended_at, by, periods, differences, first)
            values (
              :night, :since, :started, :ended, :by, :periods, :differences, :first::jsonb)
            """)
        .param("night", night)
        .param("since", since)
        .param("started", started)
        .param("ended", clock.instant())
        .param("by", Lease.THIS_PROCESS)
        .param("periods", findings.periods())
        .param("differences", findings.differences())
        .param("first", findings.clean() ? null : Said.toJson(findings.named().get(0).said()))
        .update();
    NightlyResult result = last().orElseThrow();
    if (result.first() != null) {
      outbox.verificationFailed(night, result.periods(), result.differences(), result.first());
    }
    return result;
  }

  private static void log(NightlyResult result) {
    if (result.first() == null) {
      LOG.info("night={} verified periods={}", result.night(), result.periods());
    } else {
      LOG.error(
          "night={} verified periods={} differences={}; first: {}; '{}' names the others",
          result.night(),
          result.periods(),
          result.differences(),
          Texts.english(result.first()),
          Commands.of(Next.of("verify")));
    }
  }

  /** Returns the result of the last verified night. */
  public Optional<NightlyResult> last() {
    return latest(null, 1).stream().findFirst();
  }

  /**
   * Returns the results of the last verified nights, the latest first.
   *
   * @param before only nights before this one; null for all
   */
  public List<NightlyResult> latest(@Nullable LocalDate before, int count) {
    return jdbc.sql(
            """
            select * from verification_run
            where :before::date is null or night < :before
            order by night desc
            limit :count
            """)
        .param("before", before)
        .param("count", count)
        .query(NightlyResult.class)
        .list();
  }

  /**
   * The result of a nightly verification.
   *
   * @param night the day, in UTC, on which it was due
   * @param since it verified what was settled or amended from this time on
   * @param by the process that verified
   * @param differences the number of differences
   * @param first the first difference; null if there is none
   */
  public record NightlyResult(
      LocalDate night,
      Instant since,
      Instant startedAt,
      Instant endedAt,
      String by,
      long periods,
      long differences,
      @Nullable Sentence first) {}
}
