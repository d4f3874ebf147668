package palmares.platform.bulk;

import java.math.BigInteger;

/** Sums up to two billion numbers without overflow. */
public final class ExactSum {
  private static final int HALF_BITS = 32;
  private static final long LOW_MASK = 0xffff_ffffL;

  private long high;
  private long low;

  public void add(long number) {
    high += number >> HALF_BITS;
    low += number & LOW_MASK;
  }

  public BigInteger sum() {
    return BigInteger.valueOf(high).shiftLeft(HALF_BITS).add(BigInteger.valueOf(low));
  }
}
