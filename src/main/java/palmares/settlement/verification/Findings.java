package palmares.settlement.verification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** The result of a verification: what was counted, and each difference. Not thread-safe. */
public final class Findings {
  /** Further differences are only counted. */
  static final int MAX_NAMED_DIFFERENCES = 50;

  private final List<Difference> named = new ArrayList<>();
  private final List<Sentence> notes = new ArrayList<>();
  private long periods;
  private long lines;
  private long payments;
  private long missing;
  private long extra;
  private long unequal;
  private long anchors;
  private long archived;

  void count(Counts counts) {
    periods += counts.periods();
    lines += counts.lines();
    payments += counts.payments();
  }

  void add(Difference difference) {
    if (difference.stored() == null) {
      missing++;
    } else if (difference.derived() == null) {
      extra++;
    } else {
      unequal++;
    }
    name(difference);
  }

  /** Adds the first differences of a comparison, and the number of all that it found. */
  void addAll(List<Difference> first, long missing, long extra, long unequal) {
    this.missing += missing;
    this.extra += extra;
    this.unequal += unequal;
    first.forEach(this::name);
  }

  private void name(Difference difference) {
    if (named.size() < MAX_NAMED_DIFFERENCES) {
      named.add(difference);
    }
  }

  /** Adds what is no difference, and a reader should know. */
  void note(Sentence note) {
    notes.add(note);
  }

  void skipJournals(long count) {
    archived += count;
  }

  void compareAnchors(long count) {
    anchors += count;
  }

  /** Adds the findings of another part of the same verification. */
  void addAll(Findings others) {
    periods += others.periods;
    lines += others.lines;
    payments += others.payments;
    missing += others.missing;
    extra += others.extra;
    unequal += others.unequal;
    anchors += others.anchors;
    archived += others.archived;
    notes.addAll(others.notes);
    others.named.stream().limit(MAX_NAMED_DIFFERENCES - named.size()).forEach(named::add);
  }

  public boolean clean() {
    return differences() == 0;
  }

  /** The number of differences, named or not. */
  public long differences() {
    return missing + extra + unequal;
  }

  public long periods() {
    return periods;
  }

  /** The first differences found, at most 50. */
  public List<Difference> named() {
    return Collections.unmodifiableList(named);
  }

  /** What is no difference, and a reader should know. */
  public List<Sentence> notes() {
    return Collections.unmodifiableList(notes);
  }

  /** The number of anchors that were compared with stored links; 0 in a part of the ledger. */
  public long anchors() {
    return anchors;
  }

  /** The number of periods whose journal is archived, so that it was not compared. */
  public long archived() {
    return archived;
  }

  /** All counts. */
  public Sentence summary() {
    return new VerificationSentences.Summary(periods, lines, payments, missing, extra, unequal);
  }

  /**
   * @throws Refusal if anything differs
   */
  public void require() {
    if (!clean()) {
      throw new Refusal(
          Problem.NOT_VERIFIED, new VerificationSentences.Refused(summary(), named.get(0).said()));
    }
  }

  /** What a verification covers. */
  record Counts(long periods, long lines, long payments) {}
}
