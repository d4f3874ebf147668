package palmares.settlement.wallet;

import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Refusal;
import palmares.platform.output.Identifier;
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
  private static final int MAX_FINDINGS = 100_000;

  /** Where no night has compared for longer, nobody wants a list to be compared any more. */
  private static final Duration MAX_TIME_BETWEEN_NIGHTS = Duration.ofDays(2);

  /** Who compares at night. */
  private static final String SERVER = "palmares";

  /** Kinds of differences of awards that a list names. */
  private static final List<Kind> OF_LISTED =
      List.of(Kind.MISSING, Kind.TWICE, Kind.AMOUNT, Kind.CURRENCY);

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
   * The list of a time that could not be compared at night.
   *
   * @param at when this was first found
   */
  public record Failing(Instant at, Instant since, Instant until, Sentence failure) {}

  /**
   * Compares a list, opens a finding for each difference, and stores a receipt for each award that
   * it has once with its amount. Differences that are gone are closed.
   *
   * @throws Refusal if the list cannot be read, or is not whole
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Compared compare(String list, Scope scope, String by) {
    Instant until =
        Optional.ofNullable(scope.until())
            .orElseGet(() -> clock.instant().minus(settings.confirmWithin()));
    if (scope.since() != null && !scope.since().isBefore(until)) {
      throw WalletList.refused(new WalletSentences.NoTime(until.atZone(ZoneOffset.UTC)));
    }
    List<Credit> credits = WalletList.read(list);
    if (scope.lines() != null && scope.lines() != credits.size()) {
      throw WalletList.refused(new WalletSentences.OtherCount(scope.lines(), credits.size()));
    }
    Listed compared = differences(credits);
    List<Finding> found = compared.found();
    long expected = 0;
    for (DeliveredOutcome delivered : awards.delivered(scope.since(), until)) {
      expected += addMissing(delivered, until, compared.names(), found);
    }
    if (found.size() > MAX_FINDINGS) {
      throw WalletList.refused(new WalletSentences.TooMany(found.size(), MAX_FINDINGS));
    }
    long confirmed = confirm(compared.right(), by);
    close(compared.gone());
    findings.open(found);
    jdbc.sql(
            """
            insert into wallet_comparison (at, by, since, until, lines, awards, confirmed)
            values (:now, :by, :since, :until, :lines, :awards, :confirmed)
            """)
        .param("now", clock.instant())
        .param("by", by)
        .param("since", scope.since())
        .param("until", until)
        .param("lines", credits.size())
        .param("awards", expected)
        .param("confirmed", confirmed)
        .update();
    return new Compared(credits.size(), expected, confirmed, count(found));
  }

  /**
   * Compares one of the lists of a night with the awards that it names.
   *
   * @throws Refusal if the list cannot be read, or has too many differences
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void compare(String list, WalletNight night) {
    List<Credit> credits = WalletList.read(list);
    Listed compared = differences(credits);
    night.requireRoomFor(compared.names());
    if (compared.found().size() > MAX_FINDINGS) {
      throw WalletList.refused(new WalletSentences.TooMany(compared.found().size(), MAX_FINDINGS));
    }
    // At its end a list may have only one of the credits that another list has.
    long confirmed =
        confirm(
            compared.right().stream().filter(award -> night.isRight(award.named())).toList(),
            SERVER);
    compared.gone().values().forEach(awards -> awards.removeIf(one -> !night.isRight(one.named())));
    close(compared.gone());
    findings.open(compared.found());
    night.add(
        compared.names(),
        compared.found().stream().map(Finding::award).toList(),
        credits.size(),
        confirmed);
  }

  /** Finds what no list of a night has, and stores how far the night has compared. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void end(WalletNight night) {
    var found = new ArrayList<Finding>();
    long expected = 0;
    for (DeliveredOutcome delivered : awards.delivered(night.since(), night.until())) {
      Instant readUntil = night.readUntil(delivered.postedAt());
      if (delivered.deliveredAt().isBefore(readUntil)) {
        expected += addMissing(delivered, readUntil, night.listed(), found);
      }
    }
    if (found.size() > MAX_FINDINGS) {
      night.fail(
          night.since(), night.until(), new WalletSentences.TooMany(found.size(), MAX_FINDINGS));
    } else {
      findings.open(found);
    }
    WalletNight.Failed failed = night.failed();
    jdbc.sql(
            """
            insert into wallet_comparison (
              at, by, since, until, lines, awards, confirmed, nightly_until, failed_since,
              failed_until, failure)
            values (
              :now, :by, :since, :until, :lines, :awards, :confirmed, :nightlyUntil, :failedSince,
              :failedUntil, :failure::jsonb)
            """)
        .param("now", clock.instant())
        .param("by", SERVER)
        .param("since", night.since())
        .param("until", night.until())
        .param("lines", night.lines())
        .param("awards", expected)
        .param("confirmed", night.confirmed())
        .param("nightlyUntil", night.comparedUntil())
        .param("failedSince", failed == null ? null : failed.since())
        .param("failedUntil", failed == null ? null : failed.until())
        .param("failure", failed == null ? null : Said.toJson(failed.why()))
        .update();
  }

  /**
   * A comparison, as it is listed.
   *
   * @param by who asked for it; {@code palmares} each night
   * @param since the list had to have the awards that the wallet got since then; null for the first
   * @param lines of the list
   * @param awards how many awards had to be in it
   * @param confirmed how many awards it confirmed for the first time
   * @param failure why a list of this time could not be compared; null if all could
   */
  public record ComparisonRow(
      @Identifier long id,
      Instant at,
      String by,
      @Nullable Instant since,
      Instant until,
      long lines,
      long awards,
      long confirmed,
      @Nullable Sentence failure) {}

  /**
   * A page of the comparisons, the latest first.
   *
   * @param before only those before this one; null for the first page
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<ComparisonRow> list(@Nullable Long before, int most) {
    return jdbc.sql(
            """
            select id, at, by, since, until, lines, awards, confirmed, failure
            from wallet_comparison
            where :before::bigint is null or id < :before
            order by id desc
            limit :most
            """)
        .param("before", before)
        .param("most", most)
        .query(ComparisonRow.class)
        .list();
  }

  /** Until when lists were compared at night without a gap; empty if none was. */
  public Optional<Instant> comparedUntil() {
    return jdbc.sql(
            """
            select nightly_until from wallet_comparison
            where nightly_until is not null
            order by id desc
            limit 1
            """)
        .query(Instant.class)
        .optional();
  }

  /** Whether the last night compared what none before had; true if there was only one. */
  public boolean lastNightGotFurther() {
    return jdbc.sql(
            """
            select coalesce((
              select nightly_until > lead(nightly_until) over (order by id desc)
              from wallet_comparison
              where nightly_until is not null
              order by id desc
              limit 1), true)
            """)
        .query(Boolean.class)
        .single();
  }

  /**
   * From when on a list must show the awards that the wallet got in a time: it may have got the
   * first ones of an outcome before, but none before it was posted.
   */
  public Instant firstPosted(Instant since, @Nullable Instant until) {
    Instant end = Objects.requireNonNullElse(until, clock.instant());
    return awards.delivered(since, end).stream()
        .map(DeliveredOutcome::postedAt)
        .filter(posted -> posted.isBefore(since))
        .min(Comparator.naturalOrder())
        .orElse(since);
  }

  /** What the last night could not compare, and nobody has compared since. */
  public Optional<Failing> failing() {
    return jdbc.sql(
            """
            with last as (
              select * from wallet_comparison
              where nightly_until is not null
              order by id desc
              limit 1
            )
            select last.failed_since as since, last.failed_until as until, last.failure, (
                select min(at) from wallet_comparison first
                where first.nightly_until is not null
                  and first.id > coalesce((
                    select max(id) from wallet_comparison
                    where nightly_until is not null and failure is null), 0)) as at
            from last
            where failure is not null and last.at > :since
              and not exists (
                select from wallet_comparison later
                where later.id > last.id
                  and coalesce(later.since, '-infinity') <= last.failed_since
                  and later.until >= last.failed_until)
            """)
        .param("since", clock.instant().minus(MAX_TIME_BETWEEN_NIGHTS))
        .query(Failing.class)
        .optional();
  }

  private static Map<Kind, Long> count(List<Finding> found) {
    Map<Kind, Long> counts = new TreeMap<>();
    found.forEach(one -> counts.merge(one.kind(), 1L, Long::sum));
    return counts;
  }

  /**
   * What a list says.
   *
   * @param names of the awards that it names
   * @param right the awards that it has once, with their amount
   * @param found the differences
   * @param gone the awards of which it shows no difference of a kind, but one of another
   */
  private record Listed(
      Set<String> names,
      List<WalletAward> right,
      List<Finding> found,
      Map<Kind, List<WalletAward>> gone) {}

  private Listed differences(List<Credit> credits) {
    Map<String, List<Credit>> byAward = new LinkedHashMap<>();
    for (Credit credit : credits) {
      byAward
          .computeIfAbsent(AwardKey.canonical(credit.id()), name -> new ArrayList<>())
          .add(credit);
    }
    Map<String, WalletAward> known = awards.find(byAward.keySet());
    var listed =
        new Listed(
            byAward.keySet(), new ArrayList<>(), new ArrayList<>(), new EnumMap<>(Kind.class));
    byAward.forEach(
        (name, all) -> {
          WalletAward award = known.get(name);
          List<Finding> wrong = differences(name, award, all);
          listed.found().addAll(wrong);
          if (wrong.isEmpty()) {
            listed.right().add(Objects.requireNonNull(award));
          } else if (award != null) {
            Set<Kind> kinds = wrong.stream().map(Finding::kind).collect(Collectors.toSet());
            OF_LISTED.stream()
                .filter(kind -> !kinds.contains(kind))
                .forEach(
                    kind ->
                        listed.gone().computeIfAbsent(kind, key -> new ArrayList<>()).add(award));
          }
        });
    return listed;
  }

  private void close(Map<Kind, List<WalletAward>> gone) {
    gone.forEach((kind, awards) -> findings.close(List.of(kind), awards));
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
                new WalletSentences.OtherCurrency(award.currency(), WalletList.shown(currency))));
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
   * Adds the awards of an outcome that the list lacks. One that the wallet refused is not expected
   * in it.
   *
   * @return the number of awards that had to be in the list
   */
  private long addMissing(
      DeliveredOutcome delivered, Instant until, Set<String> listed, List<Finding> found) {
    long[] expected = {0};
    Sentence said = new WalletSentences.Missing(delivered.deliveredAt().atZone(ZoneOffset.UTC));
    awards.each(
        delivered.outcome(),
        until,
        award -> {
          expected[0]++;
          if (!listed.contains(award.named()) && found.size() <= MAX_FINDINGS) {
            found.add(Finding.of(Kind.MISSING, award, 0L, said));
          }
        });
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
    findings.findCredited(right); // Also of those that the wallet had confirmed before.
    findings.close(
        List.of(
            Kind.MISSING, Kind.TWICE, Kind.AMOUNT, Kind.CURRENCY, Kind.REFUSED, Kind.UNCONFIRMED),
        right);
    return confirmed;
  }
}
