package palmares.settlement.wallet;

import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Refusal;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.Receipt.Source;
import palmares.settlement.wallet.WalletAwards.DeliveredOutcome;
import palmares.settlement.wallet.WalletFindings.Finding;
import palmares.settlement.wallet.WalletFindings.Kind;
import palmares.settlement.wallet.WalletList.Credit;

/** Compares a wallet's list of credits with the awards delivered to the wallet. */
@Component
public class WalletComparisons {
  /** More differences are a mistake in what was compared, rather than in the wallet. */
  private static final int MAX_FINDINGS = 20_000;

  /** Who compares at night. */
  private static final String SERVER = "palmares";

  private final WalletAwards awards;
  private final Receipts receipts;
  private final WalletFindings findings;
  private final WalletSettings settings;
  private final JdbcClient jdbc;
  private final Clock clock;

  WalletComparisons(
      WalletAwards awards,
      Receipts receipts,
      WalletFindings findings,
      WalletSettings settings,
      JdbcClient jdbc,
      Clock clock) {
    this.awards = awards;
    this.receipts = receipts;
    this.findings = findings;
    this.settings = settings;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * What a list should have.
   *
   * @param since it has all awards delivered to the wallet since then; null for the first one
   * @param until and before this time; null for those that the wallet had time to confirm
   * @param lines how many lines it has; null if that is not known
   */
  public record Scope(@Nullable Instant since, @Nullable Instant until, @Nullable Long lines) {}

  /**
   * What a comparison has found.
   *
   * @param lines of the list
   * @param awards the awards that had to be in it
   * @param confirmed the awards that it confirmed for the first time
   * @param found how many differences of each kind it found, whether they are new or not
   */
  public record Compared(long lines, long awards, long confirmed, Map<Kind, Long> found) {}

  /**
   * Lists of the wallet that could not be compared, and no list was compared after them.
   *
   * @param at when the first one could not
   * @param since the latest one has all awards delivered to the wallet since then
   * @param failure why the latest one could not
   */
  public record Failing(Instant at, @Nullable Instant since, Sentence failure) {}

  /**
   * Compares a list, opens a finding for each difference, and stores a receipt for each award that
   * it has once with its amount. Differences that are gone are closed.
   *
   * @throws Refusal if the list cannot be read, or is not whole
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Compared compare(String list, Scope scope, String by) {
    return compare(list, scope, by, false);
  }

  /** As {@link #compare}, once a night. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void compareNightly(String list, Instant since, Instant until) {
    compare(list, new Scope(since, until, null), SERVER, true);
  }

  private Compared compare(String list, Scope scope, String by, boolean isNightly) {
    Instant now = clock.instant();
    Instant until =
        Optional.ofNullable(scope.until()).orElseGet(() -> now.minus(settings.confirmWithin()));
    if (scope.since() != null && !scope.since().isBefore(until)) {
      throw WalletList.refused(new WalletSentences.NoTime(until.atZone(ZoneOffset.UTC)));
    }
    List<Credit> credits = WalletList.read(list);
    if (scope.lines() != null && scope.lines() != credits.size()) {
      throw WalletList.refused(new WalletSentences.OtherCount(scope.lines(), credits.size()));
    }
    Map<String, List<Credit>> byAward = new LinkedHashMap<>();
    for (Credit credit : credits) {
      byAward
          .computeIfAbsent(AwardKey.canonical(credit.id()), name -> new ArrayList<>())
          .add(credit);
    }
    Map<String, WalletAward> known = awards.find(byAward.keySet());
    var found = new ArrayList<Finding>();
    var right = new ArrayList<WalletAward>();
    byAward.forEach(
        (name, all) -> {
          List<Finding> wrong = differences(name, known.get(name), all);
          if (wrong.isEmpty()) {
            right.add(Objects.requireNonNull(known.get(name)));
          }
          found.addAll(wrong);
        });
    long expected = addMissing(scope.since(), until, byAward, found);
    if (found.size() > MAX_FINDINGS) {
      throw WalletList.refused(new WalletSentences.TooMany(found.size(), MAX_FINDINGS));
    }
    long confirmed = confirm(right, by);
    findings.open(found);
    store(
        new Scope(scope.since(), until, (long) credits.size()),
        new Stored(by, isNightly, expected, confirmed, null));
    return new Compared(credits.size(), expected, confirmed, count(found));
  }

  private static Map<Kind, Long> count(List<Finding> found) {
    Map<Kind, Long> counts = new TreeMap<>();
    found.forEach(one -> counts.merge(one.kind(), 1L, Long::sum));
    return counts;
  }

  private static List<Finding> differences(
      String name, @Nullable WalletAward award, List<Credit> credits) {
    long sum = sum(credits);
    if (award == null || award.isReturn()) {
      return List.of(Finding.unknown(Kind.UNAWARDED, name, sum, new WalletSentences.Unawarded()));
    }
    var found = new ArrayList<Finding>();
    for (Credit credit : credits) {
      String currency = credit.currency();
      if (currency != null && !currency.equals(award.currency())) {
        found.add(
            Finding.of(
                Kind.CURRENCY,
                award,
                credit.amount(),
                new WalletSentences.OtherCurrency(award.currency(), currency)));
        break; // An award has one difference of a kind.
      }
    }
    if (credits.size() > 1) {
      found.add(Finding.of(Kind.TWICE, award, sum, new WalletSentences.Twice(credits.size())));
    } else if (sum != award.amount()) {
      found.add(
          Finding.of(
              Kind.AMOUNT, award, sum, new WalletSentences.OtherAmount(name, award.amount(), sum)));
    }
    return found;
  }

  /** The sum of all, or the largest number that can be stored. */
  private static long sum(List<Credit> credits) {
    return credits.stream()
        .map(credit -> BigInteger.valueOf(credit.amount()))
        .reduce(BigInteger.ZERO, BigInteger::add)
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  /**
   * Adds the awards that the list lacks. One that the wallet refused is not expected in it.
   *
   * @return the number of awards that had to be in the list
   */
  private long addMissing(
      @Nullable Instant since, Instant until, Map<String, ?> listed, List<Finding> found) {
    long[] expected = {0};
    for (DeliveredOutcome delivered : awards.delivered(since, until)) {
      Sentence said = new WalletSentences.Missing(delivered.deliveredAt().atZone(ZoneOffset.UTC));
      awards.each(
          delivered.outcome(),
          award -> {
            expected[0]++;
            if (!listed.containsKey(award.named()) && found.size() <= MAX_FINDINGS) {
              found.add(Finding.of(Kind.MISSING, award, 0L, said));
            }
          });
    }
    return expected[0];
  }

  private long confirm(List<WalletAward> right, String by) {
    List<Receipt> credited =
        right.stream()
            .map(award -> new Receipt(award.named(), Result.CREDITED, award.amount(), null))
            .toList();
    // Receipts before findings, as deliveries lock them.
    long confirmed =
        receipts.record(credited, Source.LIST, by).stream()
            .filter(Receipts.Recorded::isNew)
            .count();
    findings.close(
        List.of(
            Kind.MISSING, Kind.TWICE, Kind.AMOUNT, Kind.CURRENCY, Kind.REFUSED, Kind.UNCONFIRMED),
        right);
    return confirmed;
  }

  /** Records that a list could not be compared at night. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fail(Instant since, Instant until, Sentence why) {
    store(new Scope(since, until, 0L), new Stored(SERVER, true, 0, 0, why));
  }

  private record Stored(
      String by, boolean isNightly, long awards, long confirmed, @Nullable Sentence failure) {}

  private void store(Scope scope, Stored stored) {
    jdbc.sql(
            """
            insert into wallet_comparison (
              at, by, is_nightly, since, until, lines, awards, confirmed, failure)
            values (
              :now, :by, :nightly, :since, :until, :lines, :awards, :confirmed, :failure::jsonb)
            """)
        .param("now", clock.instant())
        .param("by", stored.by())
        .param("nightly", stored.isNightly())
        .param("since", scope.since())
        .param("until", scope.until())
        .param("lines", scope.lines())
        .param("awards", stored.awards())
        .param("confirmed", stored.confirmed())
        .param("failure", stored.failure() == null ? null : Said.toJson(stored.failure()))
        .update();
  }

  /** Until when lists were compared at night; empty if none was. */
  public Optional<Instant> comparedUntil() {
    return jdbc.sql("select max(until) from wallet_comparison where is_nightly and failure is null")
        .query(Instant.class)
        .optional();
  }

  /** Returns since when no list could be compared; empty if the last one was. */
  public Optional<Failing> failing() {
    return jdbc.sql(
            """
            select first.at, last.since, last.failure
            from (select since, failure from wallet_comparison order by id desc limit 1) last
            cross join lateral (
              select min(at) as at from wallet_comparison
              where id > coalesce((
                select max(id) from wallet_comparison where failure is null), 0)) first
            where last.failure is not null
            """)
        .query(Failing.class)
        .optional();
  }
}
