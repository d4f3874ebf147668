package palmares.settlement.wallet;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.Receipt.Source;
import palmares.settlement.wallet.WalletFindings.Finding;
import palmares.settlement.wallet.WalletFindings.Kind;

/** Stores what the wallet says became of awards: each once, and only of awards that are posted. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Receipts {
  private static final int MAX_REASON_CHARACTERS = 500;
  private static final int MAX_RETRIES = 3;

  private final WalletAwards awards;
  private final WalletFindings findings;
  private final JdbcClient jdbc;
  private final Clock clock;

  Receipts(WalletAwards awards, WalletFindings findings, JdbcClient jdbc, Clock clock) {
    this.awards = awards;
    this.findings = findings;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * What was done with a receipt.
   *
   * @param isNew whether it was stored; a repeat is not
   * @param refusal why it is refused; null if it is stored or a repeat
   */
  public record Recorded(Receipt receipt, boolean isNew, @Nullable Refusal refusal) {}

  /**
   * Stores receipts, in their order. One that is refused changes nothing; the others are stored.
   *
   * @param by the target, caller or person that said it
   * @return what was done with each, in their order
   */
  public List<Recorded> record(List<Receipt> receipts, Source source, String by) {
    var recorded = new LinkedHashMap<Integer, Recorded>();
    var left = new LinkedHashMap<Integer, Receipt>();
    for (int i = 0; i < receipts.size(); i++) {
      left.put(i, receipts.get(i));
    }
    for (int attempt = 0; !left.isEmpty(); attempt++) {
      if (attempt > MAX_RETRIES + receipts.size()) {
        throw new PessimisticLockingFailureException("others store receipts of the same awards");
      }
      recordOnce(left, recorded, source, by);
    }
    return recorded.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  /** An award's second receipt is left for the next call, as one that others store meanwhile. */
  private void recordOnce(
      Map<Integer, Receipt> left, Map<Integer, Recorded> recorded, Source source, String by) {
    Map<String, WalletAward> known =
        awards.find(left.values().stream().map(Receipt::award).collect(Collectors.toSet()));
    var added = new LinkedHashMap<WalletAward, Integer>();
    for (Map.Entry<Integer, Receipt> each : List.copyOf(left.entrySet())) {
      Receipt receipt = each.getValue();
      WalletAward award = known.get(receipt.award());
      Refusal refusal = check(receipt, award, source);
      if (refusal == null && award != null && !isRepeat(receipt, award)) {
        added.putIfAbsent(award, each.getKey());
      } else {
        recorded.put(each.getKey(), new Recorded(receipt, false, refusal));
        left.remove(each.getKey());
      }
    }
    List<WalletAward> stored = insert(added, left, source, by);
    for (WalletAward award : stored) {
      int at = Objects.requireNonNull(added.get(award));
      recorded.put(at, new Recorded(Objects.requireNonNull(left.remove(at)), true, null));
    }
    follow(stored, award -> Objects.requireNonNull(recorded.get(added.get(award))).receipt());
  }

  /** What was found before is gone, or a refusal needs a person. */
  private void follow(List<WalletAward> stored, Function<WalletAward, Receipt> receipts) {
    findings.close(
        List.of(Kind.MISSING, Kind.REFUSED, Kind.UNCONFIRMED),
        stored.stream().filter(award -> receipts.apply(award).result().isFinal()).toList());
    findings.findCredited(
        stored.stream()
            .filter(award -> receipts.apply(award).result() == Result.CREDITED)
            .toList());
    List<WalletAward> refused =
        stored.stream().filter(award -> receipts.apply(award).result() == Result.REFUSED).toList();
    findings.close(List.of(Kind.MISSING, Kind.UNCONFIRMED), refused);
    findings.open(
        refused.stream()
            .map(
                award ->
                    Finding.of(
                        Kind.REFUSED,
                        award,
                        null,
                        new WalletSentences.Refused(
                            String.valueOf(receipts.apply(award).reason()))))
            .toList());
  }

  private static boolean isRepeat(Receipt receipt, WalletAward award) {
    return receipt.result() == award.lastResult();
  }

  /** Returns why a receipt cannot be stored; null if it can. */
  private static @Nullable Refusal check(
      Receipt receipt, @Nullable WalletAward award, Source source) {
    String named = receipt.award();
    if (award == null) {
      return new Refusal(Problem.UNKNOWN_OBJECT, new WalletSentences.UnknownAward(named));
    }
    if (receipt.result() == (award.isReturn() ? Result.CREDITED : Result.RETURNED)) {
      return invalid(
          "outcome",
          award.isReturn()
              ? new WalletSentences.IsReturn(named)
              : new WalletSentences.IsNoReturn(named));
    }
    if (receipt.result().isFinal() && receipt.amount() == null) {
      return invalid("amount", new WalletSentences.NoAmount(named));
    }
    if (receipt.amount() != null && receipt.amount() != award.amount()) {
      return invalid(
          "amount", new WalletSentences.OtherAmount(named, award.amount(), receipt.amount()));
    }
    String reason = receipt.reason();
    if (receipt.result() == Result.REFUSED && (reason == null || reason.isBlank())) {
      return invalid("reason", new WalletSentences.NoReason(named));
    }
    if (reason != null && reason.length() > MAX_REASON_CHARACTERS) {
      return invalid("reason", new WalletSentences.LongReason(MAX_REASON_CHARACTERS));
    }
    if (receipt.result() == Result.REFUSED
        && award.lastResult() != null
        && award.lastResult().isFinal()) {
      return new Refusal(
          Problem.WRONG_STATE,
          new WalletSentences.AlreadyCredited(
              named, Objects.requireNonNull(award.lastAt()).atZone(ZoneOffset.UTC)));
    }
    return receipt.result() == Result.CREDITED
            && source != Source.LIST
            && award.lastResult() != Result.CREDITED
            && award.takenBackIn() != null
        ? new Refusal(
            Problem.WRONG_STATE, new WalletSentences.TakenBack(named, award.takenBackIn()))
        : null;
  }

  private static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said).at(field);
  }

  /** Inserts those that nobody else inserts at the same time, and returns their awards. */
  private List<WalletAward> insert(
      Map<WalletAward, Integer> added, Map<Integer, Receipt> left, Source source, String by) {
    if (added.isEmpty()) {
      return List.of();
    }
    List<WalletAward> all = List.copyOf(added.keySet());
    List<Receipt> receipts =
        all.stream().map(award -> Objects.requireNonNull(left.get(added.get(award)))).toList();
    Set<String> stored =
        jdbc.sql(
                """
                insert into receipt (
                  outcome, rule, member, n, amount, result, reason, source, by, at)
                select outcome, rule, member, n, amount, result, nullif(reason, ''), :source, :by,
                  :now
                from unnest(
                  :outcomes::int[], :rules::int[], :members::text[], :ns::int[],
                  :amounts::bigint[], :results::text[], :reasons::text[])
                  as added (outcome, rule, member, n, amount, result, reason)
                order by outcome, rule, member collate "C"
                on conflict do nothing
                returning outcome || ' ' || rule || ' ' || member
                """)
            .param("outcomes", all.stream().map(WalletAward::outcome).toList())
            .param("rules", all.stream().map(WalletAward::rule).toList())
            .param("members", all.stream().map(WalletAward::member).toList())
            .param("ns", all.stream().map(award -> award.receipts() + 1).toList())
            .param("amounts", all.stream().map(WalletAward::amount).toList())
            .param("results", receipts.stream().map(receipt -> receipt.result().word()).toList())
            .param(
                "reasons",
                receipts.stream()
                    .map(
                        receipt ->
                            receipt.result() == Result.REFUSED
                                ? String.valueOf(receipt.reason())
                                : "")
                    .toList())
            .param("source", source)
            .param("by", by)
            .param("now", clock.instant())
            .query(String.class)
            .set();
    return all.stream().filter(award -> stored.contains(award.id())).toList();
  }

  /** As {@link #record}, and reports each that is refused, because nobody reads an answer to it. */
  public void recordAnswer(
      List<Receipt> receipts, @Nullable Sentence fault, String batch, String by) {
    var wrong = new ArrayList<Finding>();
    for (Recorded recorded : record(receipts, Source.ANSWER, by)) {
      if (recorded.refusal() != null) {
        wrong.add(
            Finding.unknown(
                Kind.ANSWER,
                recorded.receipt().award(),
                recorded.receipt().amount(),
                recorded.refusal().said()));
      }
    }
    if (fault != null) {
      wrong.add(Finding.unknown(Kind.ANSWER, batch, null, fault));
    }
    findings.open(wrong);
  }
}
