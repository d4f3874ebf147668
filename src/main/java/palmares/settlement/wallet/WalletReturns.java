package palmares.settlement.wallet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.wallet.WalletFindings.Kind;

/**
 * Prepares that refused awards are returned: excludes their members from the prizes of their
 * periods. The amendments that follow are approved, posted once and verified as all others, and
 * take the awards from the members' accounts.
 */
@Component
public class WalletReturns {
  private final WalletFindings findings;
  private final Exclusions exclusions;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Revisions revisions;
  private final JdbcClient jdbc;

  WalletReturns(
      WalletFindings findings,
      Exclusions exclusions,
      Periods periods,
      BoardDefinitions definitions,
      Revisions revisions,
      JdbcClient jdbc) {
    this.findings = findings;
    this.exclusions = exclusions;
    this.periods = periods;
    this.definitions = definitions;
    this.revisions = revisions;
    this.jdbc = jdbc;
  }

  private record Refused(String member, PeriodId periodId) {}

  /** An award of a member in a period, and whether the wallet refused it last. */
  private record Award(int outcome, int rule, String member, String ruleName, boolean isRefused) {}

  /**
   * Excludes the members of open differences of the kind {@link Kind#REFUSED} from the prizes of
   * these periods.
   *
   * @param ids of the differences; empty for all of that kind
   * @param most how many exclusions are made at the most
   * @return the exclusions; empty if no such difference is open
   * @throws Refusal if the amendment would not return exactly what was refused: the period is
   *     archived, others would move up or get another share, the board does not take from accounts,
   *     or the wallet has not refused another award of the member in the period
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Exclusion> exclude(List<Long> ids, int most, String reason, String by) {
    List<Refused> all = refused(ids);
    if (all.size() > most) {
      throw new Refusal(Problem.INVALID_FIELD, new WalletSentences.TooManyReturns(all.size(), most))
          .at("findings");
    }
    var requests = new ArrayList<Exclusions.Request>();
    for (Refused each : all) {
      Period period = periods.get(each.periodId());
      requireReturned(period, each.member());
      var terms =
          new Terms(
              new MemberId(each.member()),
              ExclusionLevel.NO_PRIZE,
              period.board(),
              period.slot().startsAt(),
              period.slot().endsAt());
      requests.add(new Exclusions.Request(terms, reason, null));
    }
    return requests.isEmpty() ? List.of() : exclusions.excludeAll(requests, by);
  }

  private List<Refused> refused(List<Long> ids) {
    List<Long> open =
        findings.lockOpen(ids, Kind.REFUSED).stream()
            .filter(row -> AwardKey.parse(row.award()).filter(key -> !key.isReturn()).isPresent())
            .map(WalletFindings.FindingRow::id)
            .toList();
    return jdbc.sql(
            """
            select distinct finding.member, revision.period_id
            from wallet_finding finding
            join revision on revision.id = finding.outcome
            where finding.id = any(:ids::bigint[])
            order by revision.period_id, finding.member
            """)
        .param("ids", open)
        .query(Refused.class)
        .list();
  }

  private void requireReturned(Period period, String member) {
    if (isArchived(period)) {
      throw refuse(new WalletSentences.Archived(period.label()));
    }
    Payout payout = rulesInForce(period).payout();
    if (payout.forfeited().movesUp()) {
      throw refuse(new WalletSentences.OthersMoveUp(period.label()));
    }
    if (!payout.overpaymentPolicy().isTakenFromAccount()) {
      throw refuse(new WalletSentences.NotTaken(period.label(), payout.overpaymentPolicy().word()));
    }
    Optional<RewardRule> byEligible =
        payout.rules().stream().filter(RewardRule::dependsOnEligible).findFirst();
    if (byEligible.isPresent()) {
      throw refuse(new WalletSentences.SharesByEligible(period.label(), byEligible.get().name()));
    }
    if (movesToHigherTier(period, member)) {
      throw refuse(new WalletSentences.MovesToHigherTier(period.label(), member));
    }
    for (Award award : awards(period, member)) {
      var key = new Resend(0, award.outcome(), award.rule(), award.member());
      if (!award.isRefused() && findings.takenBack(List.of(key)).isEmpty()) {
        throw refuse(new WalletSentences.NotRefused(member, award.ruleName(), period.label()));
      }
    }
  }

  /** Amendments award by these, which one may have changed since the period opened. */
  private Board rulesInForce(Period period) {
    return definitions.of(
        period.board(),
        revisions.find(period.id(), period.revision()).orElseThrow().definitionHash());
  }

  private boolean isArchived(Period period) {
    return jdbc.sql("select archived_at is not null from period where id = :id")
        .param("id", period.id())
        .query(Boolean.class)
        .single();
  }

  /** Who is excluded from prizes is not promoted, so that another member would be. */
  private boolean movesToHigherTier(Period period, String member) {
    return jdbc.sql(
            """
            select exists (
              select from tier_move
              where period_id = :id and revision = :revision and member = :member
                and direction = 'up')
            """)
        .param("id", period.id())
        .param("revision", period.revision())
        .param("member", member)
        .query(Boolean.class)
        .single();
  }

  private static Refusal refuse(Sentence said) {
    return new Refusal(Problem.WRONG_STATE, said);
  }

  private List<Award> awards(Period period, String member) {
    return jdbc.sql(
            """
            select paid.outcome, paid.rule, paid.member, prize.name as rule_name,
              coalesce(last.result, '') = 'refused' as is_refused
            from revision
            join posted_payment paid
              on paid.outcome = revision.id and paid.member = :member collate "C"
              and paid.purpose = 1
            join prize on prize.outcome = paid.outcome and prize.rule = paid.rule
            left join lateral (
              select result from receipt
              where receipt.outcome = paid.outcome and receipt.rule = paid.rule
                and receipt.member = paid.member
              order by n desc
              limit 1) last on true
            where revision.period_id = :period
            order by paid.outcome, paid.rule
            """)
        .param("member", member)
        .param("period", period.id())
        .query(Award.class)
        .list();
  }
}
