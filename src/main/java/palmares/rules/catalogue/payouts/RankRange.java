package palmares.rules.catalogue.payouts;

import palmares.platform.form.Scalar;
import palmares.platform.form.Scalars;

/**
 * The ranks that share a prize.
 *
 * @param from the best of them, from 1
 * @param to the last of them
 */
record RankRange(long from, long to) {

  static Scalar<RankRange> schemaNode() {
    return Scalars.text(
        "a rank such as 1, or ranks such as 4-10",
        "[1-9]\\d{0,8}(-[1-9]\\d{0,8})?",
        text -> {
          var ends = text.split("-");
          long from = Long.parseLong(ends[0]);
          long to = Long.parseLong(ends[ends.length - 1]);
          return ends.length == 1 || from < to ? new RankRange(from, to) : null;
        });
  }

  long count() {
    return to - from + 1;
  }
}
