package palmares.operations.archive;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds swaps of amounts between members that leave the payments' checksum as it is: a generalized
 * birthday search in sixteen lists of swaps.
 */
final class SwapForgery {
  private static final int LISTS = 16;

  /** How many low bits of a sum each level of the search makes zero; of the last level, all. */
  private static final int[] ZERO_BITS = {14, 28, 42, Long.SIZE};

  private static final int MAX_SUMS = 1 << 16;

  private SwapForgery() {}

  /**
   * A member.
   *
   * @param change how much the member's other amount changes the checksum
   */
  record Candidate(String member, BigInteger change) {}

  /** Two members that swap their amounts. */
  record Swap(Candidate one, Candidate other) {}

  /** A sum of swaps, modulo two to the power of 64. */
  private record Sum(long value, List<Swap> swaps) {
    Sum plus(Sum other) {
      return new Sum(
          value + other.value, Stream.concat(swaps.stream(), other.swaps.stream()).toList());
    }

    boolean isZero() {
      return swaps.stream()
          .flatMap(swap -> Stream.of(swap.one().change(), swap.other().change()))
          .reduce(BigInteger.ZERO, BigInteger::add)
          .equals(BigInteger.ZERO);
    }
  }

  /** Returns swaps between these members whose changes add up to exactly zero, if it finds any. */
  static Optional<List<Swap>> find(List<Candidate> ones, List<Candidate> others) {
    var lists = new ArrayList<List<Sum>>();
    for (int i = 0; i < LISTS; i++) {
      lists.add(swaps(part(ones, i), part(others, i)));
    }
    for (int bits : ZERO_BITS) {
      var merged = new ArrayList<List<Sum>>();
      for (int i = 0; i < lists.size(); i += 2) {
        merged.add(merge(lists.get(i), lists.get(i + 1), bits));
      }
      lists = merged;
    }
    return lists.get(0).stream().filter(Sum::isZero).map(Sum::swaps).findFirst();
  }

  private static List<Candidate> part(List<Candidate> all, int i) {
    return all.subList(all.size() * i / LISTS, all.size() * (i + 1) / LISTS);
  }

  private static List<Sum> swaps(List<Candidate> ones, List<Candidate> others) {
    return ones.stream()
        .flatMap(one -> others.stream().map(other -> new Swap(one, other)))
        .map(
            swap ->
                new Sum(
                    swap.one().change().longValue() + swap.other().change().longValue(),
                    List.of(swap)))
        .toList();
  }

  /** The sums of two lists whose low bits are zero. */
  private static List<Sum> merge(List<Sum> left, List<Sum> right, int bits) {
    long mask = bits == Long.SIZE ? -1 : (1L << bits) - 1;
    Map<Long, List<Sum>> byLowBits = new HashMap<>();
    left.forEach(
        sum -> byLowBits.computeIfAbsent(sum.value() & mask, key -> new ArrayList<>()).add(sum));
    return right.stream()
        .flatMap(
            sum -> byLowBits.getOrDefault(-sum.value() & mask, List.of()).stream().map(sum::plus))
        .limit(MAX_SUMS)
        .toList();
  }
}
