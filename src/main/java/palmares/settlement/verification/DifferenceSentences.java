package palmares.settlement.verification;

import java.math.BigDecimal;
import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.manifest.ChainLink.Chain;

/**
 * What differs, and what is derived or stored there. Most are said by the SQL of a {@link Check}; a
 * value is an object if it may also be a sentence, such as {@link None}.
 */
interface DifferenceSentences {
  record AcknowledgedLoss(String by) implements Sentence {}

  record Acknowledgement() implements Sentence {}

  record AmendedLine(String member, int revision) implements Sentence {}

  record Amount(Object amount, Object currency) implements Sentence {}

  record AnchoredLink(long n, Chain chain, String what, ZonedDateTime at) implements Sentence {}

  record Anchors(Chain chain, String file) implements Sentence {}

  record AnyLink() implements Sentence {}

  record AnyTime() implements Sentence {}

  record Approval(int revision) implements Sentence {}

  record ArchivedWithoutFile(ZonedDateTime at) implements Sentence {}

  record Archived(ZonedDateTime at) implements Sentence {}

  record Archiving() implements Sentence {}

  record AuditEntry(long id, String verb, String by, ZonedDateTime at) implements Sentence {}

  record AuditedExclusion(String verb, String member, ZonedDateTime at) implements Sentence {}

  record AuditedImport(long run, String board, ZonedDateTime at) implements Sentence {}

  record ByAPersonBecause(Sentence bound) implements Sentence {}

  record ByAPerson() implements Sentence {}

  record ByTwoPeople() implements Sentence {}

  record Corrected(long points, long thenBy, String member, ZonedDateTime at) implements Sentence {}

  record CorrectionByEvent(String event, int revision) implements Sentence {}

  record Correction(int number, int revision) implements Sentence {}

  record CountedPayments(Object payments, Object checksum) implements Sentence {}

  record Counted(Object members, Object points, Object events) implements Sentence {}

  record CurrencyBy(String currency, String rule) implements Sentence {}

  record CurrentRevision() implements Sentence {}

  record Decided(String outcome, long points) implements Sentence {}

  record DefinitionHash(ZonedDateTime at) implements Sentence {}

  record Definition(String hash, BoardId board) implements Sentence {}

  record DrainedEvents() implements Sentence {}

  record InviteTerms(String member) implements Sentence {}

  record InviteCredit(String member) implements Sentence {}

  record EntryDecision(String resolution, String by, ZonedDateTime at, String reason)
      implements Sentence {}

  record Event(String event, String member) implements Sentence {}

  record EveryBoard() implements Sentence {}

  record Ever() implements Sentence {}

  record ExclusionEntry(long times, Object board, String by, String reason) implements Sentence {}

  record Exclusion(String level, Object scope, Object from, Object until, String by, String reason)
      implements Sentence {}

  record FarFromUsual(BigDecimal amount, String currency, BigDecimal usual) implements Sentence {}

  record Filling(int revision) implements Sentence {}

  record FlaggedLine(String member) implements Sentence {}

  record FrozenExclusion(String member, int revision) implements Sentence {}

  record Hold(String by, ZonedDateTime at, String reason) implements Sentence {}

  record Import(long periods, String first, String last, String sources, String by, String sha256)
      implements Sentence {}

  record KeptLink(long n, Chain chain) implements Sentence {}

  record LateDecision(String verb, String member, String by, ZonedDateTime at, String reason)
      implements Sentence {}

  record LateEvent(String event) implements Sentence {}

  record LeftOfSealed(
      long members,
      long sealedMembers,
      BigDecimal points,
      BigDecimal sealedPoints,
      long events,
      long sealedEvents)
      implements Sentence {}

  record LineDecision(String member) implements Sentence {}

  record WithheldAward(String member, String rule, String currency, int revision)
      implements Sentence {}

  record Line(String member, int revision) implements Sentence {}

  record LinkedAuditEntry(long n, long auditLink) implements Sentence {}

  record LinkedPeriod(long n) implements Sentence {}

  record Links(long links) implements Sentence {}

  record List(String list) implements Sentence {}

  record ManifestCount(String field, int revision) implements Sentence {}

  record ManifestField(String field, int revision) implements Sentence {}

  record ManifestHash(int revision) implements Sentence {}

  record ManifestLink(long n, String board, String period) implements Sentence {}

  record ManifestOf(int revision, Object period) implements Sentence {}

  record Manifest(int revision) implements Sentence {}

  record MinusApplied() implements Sentence {}

  record Move(String direction, int tier, String family, Object board) implements Sentence {}

  record NoBoard() implements Sentence {}

  record NoCurrency() implements Sentence {}

  record NoPeriod() implements Sentence {}

  record None() implements Sentence {}

  record OfState(String state) implements Sentence {}

  record OrderLoss(long points, Object at) implements Sentence {}

  record OverMonthBudget(BigDecimal amount, String currency, BigDecimal budget)
      implements Sentence {}

  record OverPeriodBudget(BigDecimal amount, String currency, BigDecimal budget)
      implements Sentence {}

  record Payments(int revision, String board, String period) implements Sentence {}

  record Payment(String purpose, String member, Object rule, int revision) implements Sentence {}

  record PeriodHold() implements Sentence {}

  record Placed(Object place, Object rank) implements Sentence {}

  record PointsOf(long points, String member) implements Sentence {}

  record Points(BigDecimal points) implements Sentence {}

  record Population() implements Sentence {}

  record Posting(int revision) implements Sentence {}

  record PrizeOfNoOutcome(int number, int outcome) implements Sentence {}

  record Prize(int number, int revision) implements Sentence {}

  record QuarantinedEntry(long entry) implements Sentence {}

  record RemovedAuditEntry(long id) implements Sentence {}

  record Revision(int revision) implements Sentence {}

  record RowsOfNoOutcome(String table, int id) implements Sentence {}

  record RowsOfNoPeriod(String table, long id) implements Sentence {}

  record Rows(long rows, String example) implements Sentence {}

  record Rules() implements Sentence {}

  record Scored(BigDecimal points, BigDecimal thenBy, long arrival, ZonedDateTime at)
      implements Sentence {}

  record SealedLoss() implements Sentence {}

  record Size(long bytes) implements Sentence {}

  record TableOfNoOutcome(String table) implements Sentence {}

  record Taken(String outcome, Object points, String member, String details) implements Sentence {}

  record TextAndHash() implements Sentence {}

  record TieDecision(String rule, long rank, int revision) implements Sentence {}

  record Tied(long members, String kind) implements Sentence {}

  record TierMove(String member, int revision) implements Sentence {}

  record Undecided() implements Sentence {}

  record UnknownLateEvent(String member) implements Sentence {}

  record UnknownRule(String number) implements Sentence {}

  record UnsettledPosted(String state, long lines, long payments, ZonedDateTime at)
      implements Sentence {}

  record Unsettled(String state, long lines, long payments) implements Sentence {}
}
