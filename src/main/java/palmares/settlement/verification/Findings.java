package palmares.settlement.verification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a verification counted, and where it found things amiss. */
public final class Findings {
  /** How many differences are named; all are counted. */
  static final int NAMED = 50;

  private final List<Difference> named = new ArrayList<>();
  private long periods;
  private long lines;
  private long payments;
  private long missing;
  private long extra;
  private long unequal;

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
    if (named.size() < NAMED) {
      named.add(difference);
    }
  }

  /** Adds what another part of the same verification found. */
  void addAll(Findings others) {
    periods += others.periods;
    lines += others.lines;
    payments += others.payments;
    missing += others.missing;
    extra += others.extra;
    unequal += others.unequal;
    others.named.stream().limit(NAMED - named.size()).forEach(named::add);
  }

  public boolean clean() {
    return differences() == 0;
  }

  /** How many differences there are, named or not. */
  public long differences() {
    return missing + extra + unequal;
  }

  /** How many periods were looked at. */
  public long periods() {
    return periods;
  }

  /** The first differences, in the order in which they were found. */
  public List<Difference> named() {
    return Collections.unmodifiableList(named);
  }

  /** The closing line of a verification. */
  public String summary() {
    return "verified: %d periods, %d lines, %d payments; %d missing, %d extra, %d unequal"
        .formatted(periods, lines, payments, missing, extra, unequal);
  }

  /**
   * @throws VerificationFailed if anything differs
   */
  public void require() {
    if (!clean()) {
      throw new VerificationFailed(summary() + "; first: " + named.get(0).sentence());
    }
  }

  /** How much there was to look at. */
  record Counts(long periods, long lines, long payments) {}
}
