package palmares.settlement.outbox;

import java.util.List;
import java.util.TreeSet;

/**
 * The types of facts that a target gets.
 *
 * @param types types of facts in alphabetical order; {@link #TRANSFERS} means the transfers of the
 *     posted revisions among them
 */
record Subscription(List<String> types) {
  /** Every {@code award.*} fact, which follows the fact of its revision. */
  static final String TRANSFERS = "award.*";

  static final List<String> TYPES =
      List.of(
          TRANSFERS,
          "digest",
          "period.amended",
          "period.extended",
          "period.failed",
          "period.held",
          "period.opened",
          "period.overdue",
          "period.sealed",
          "period.settled",
          "rank.entered",
          "rank.left",
          "rank.passed",
          "verification.failed");

  /** The facts of watched boards, of which there may be many a second. */
  static final String RANKS = "rank.";

  static final Subscription ALL = new Subscription(TYPES);

  /**
   * Reads a list of types; {@code *} means all of them.
   *
   * @param property the property that has the list
   * @throws IllegalArgumentException if a type is unknown, none is given, or transfers are wanted
   *     without their revisions
   */
  static Subscription of(String property, List<String> names) {
    var types = new TreeSet<String>();
    for (String name : names) {
      if (name.equals("*")) {
        types.addAll(TYPES);
      } else if (TYPES.contains(name)) {
        types.add(name);
      } else {
        throw new IllegalArgumentException(
            "%s has the unknown fact '%s': use * or some of %s"
                .formatted(property, name, String.join(", ", TYPES)));
      }
    }
    if (types.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is empty: use * or some of %s".formatted(property, String.join(", ", TYPES)));
    }
    if (types.contains(TRANSFERS)
        && !types.containsAll(List.of("period.settled", "period.amended"))) {
      throw new IllegalArgumentException(
          "%s has award.*, which needs period.settled and period.amended: add both"
              .formatted(property));
    }
    return new Subscription(List.copyOf(types));
  }

  boolean hasTransfers() {
    return types.contains(TRANSFERS);
  }
}
