package palmares.settlement.nightly;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.LeaseOwner;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/**
 * Verifies each night once, whoever asks and however often: its row and the lock that keeps others
 * away end with one transaction. A night that nobody was there for is made up by the next who asks.
 */
@Component
@EnableConfigurationProperties(NightlySettings.class)
public class NightlyVerification {
  private static final Logger LOG = LoggerFactory.getLogger(NightlyVerification.class);

  /** Keeps its lock apart from whatever else may be locked by number. */
  private static final int LOCK = 0x6e696768;

  private final Verification verification;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final NightlySettings settings;
  private final Clock clock;

  NightlyVerification(
      Verification verification,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      NightlySettings settings,
      Clock clock) {
    this.verification = verification;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.settings = settings;
    this.clock = clock;
  }

  /** Verifies, if the time has come and nobody has, or does now; says what was found. */
  public Optional<NightlyResult> verifyIfDue() {
    Optional<NightlyResult> found =
        Objects.requireNonNull(transaction.execute(status -> verifyOnce()));
    found.ifPresent(NightlyVerification::tell);
    return found;
  }

  private Optional<NightlyResult> verifyOnce() {
    Instant now = clock.instant();
    LocalDate night = settings.night(now);
    Optional<NightlyResult> last = last();
    if (last.isPresent() && !last.get().night().isBefore(night) || !lock()) {
      return Optional.empty();
    }
    if (last().equals(last)) { // else somebody did it between our look and our lock
      Instant since =
          last.map(NightlyResult::startedAt)
              .filter(before -> before.isBefore(settings.since(now)))
              .orElse(settings.since(now));
      return Optional.of(keep(night, since, now, verification.verifySince(since)));
    }
    return Optional.empty();
  }

  private boolean lock() {
    return jdbc.sql("select pg_try_advisory_xact_lock(:lock)")
        .param("lock", LOCK)
        .query(Boolean.class)
        .single();
  }

  private NightlyResult keep(LocalDate night, Instant since, Instant started, Findings findings) {
    jdbc.sql(
            """
            insert into verification_run (
              night, since, started_at, ended_at, by, periods, differences, summary, first)
            values (
              :night, :since, :started, :ended, :by, :periods, :differences, :summary, :first::text)
            """)
        .param("night", night)
        .param("since", utc(since))
        .param("started", utc(started))
        .param("ended", utc(clock.instant()))
        .param("by", LeaseOwner.NAME)
        .param("periods", findings.periods())
        .param("differences", findings.differences())
        .param("summary", findings.summary())
        .param("first", findings.clean() ? null : findings.named().get(0).sentence())
        .update();
    return last().orElseThrow();
  }

  private static void tell(NightlyResult line) {
    if (line.differences() == 0) {
      LOG.info("night={} {}", line.night(), line.summary());
    } else {
      LOG.error(
          "night={} {}; first: {}; 'palmares verify' names the others",
          line.night(),
          line.summary(),
          line.first());
    }
  }

  /** The last night that was verified. */
  public Optional<NightlyResult> last() {
    return latest(1).stream().findFirst();
  }

  /** The last nights that were verified, the latest first. */
  public List<NightlyResult> latest(int count) {
    return jdbc.sql("select * from verification_run order by night desc limit :count")
        .param("count", count)
        .query(NightlyVerification::line)
        .list();
  }

  private static NightlyResult line(ResultSet row, int i) throws SQLException {
    return new NightlyResult(
        row.getObject("night", LocalDate.class),
        instant(row, "since"),
        instant(row, "started_at"),
        instant(row, "ended_at"),
        row.getString("by"),
        row.getLong("periods"),
        row.getLong("differences"),
        row.getString("summary"),
        row.getString("first"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
