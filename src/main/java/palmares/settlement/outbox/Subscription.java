package palmares.settlement.outbox;

import java.util.List;
import java.util.TreeSet;
import palmares.platform.text.Setting;

/**
 * The types of facts that a target gets.
 *
 * @param types types of facts in alphabetical order; {@link #TRANSFERS} means the transfers of the
 *     posted revisions among them
 */
record Subscription(List<String> types) {
  /** Every {@code award.*} fact, which follows the fact of its revision. */
  static final String TRANSFERS = "award.*";

  private static final List<String> REVISIONS = List.of("period.settled", "period.amended");

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
   * @param setting the one that has the list
   * @throws palmares.platform.text.WrongSetting if a type is unknown, none is given, or transfers
   *     are wanted without their revisions
   */
  static Subscription of(Setting setting, List<String> names) {
    var types = new TreeSet<String>();
    for (String name : names) {
      if (name.equals("*")) {
        types.addAll(TYPES);
      } else if (TYPES.contains(name)) {
        types.add(name);
      } else {
        throw setting.wrong(name, new TargetSettingSentences.KnownFacts(TYPES));
      }
    }
    if (types.isEmpty()) {
      throw setting.wrong("", new TargetSettingSentences.KnownFacts(TYPES));
    }
    if (types.contains(TRANSFERS) && !types.containsAll(REVISIONS)) {
      throw setting.wrong(
          String.join(",", names), new TargetSettingSentences.NeedsRevisions(TRANSFERS, REVISIONS));
    }
    return new Subscription(List.copyOf(types));
  }

  boolean hasTransfers() {
    return types.contains(TRANSFERS);
  }
}
