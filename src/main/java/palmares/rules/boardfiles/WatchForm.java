package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.flag;
import static palmares.platform.form.Scalar.whole;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.ListNode;
import palmares.rules.board.Watch;

/** Reads which moves of members on a board become facts. */
final class WatchForm {
  /** Each bound has its own facts. */
  private static final int MAX_BOUNDS = 10;

  private static final Field<List<Entry<Integer, Long>>> TOP =
      optional(
          "top",
          new ListNode<>(new BoardFieldSentences.WatchedPlaces(), whole(1, Watch.MAX_PLACES)));
  private static final Field<List<Entry<Integer, Long>>> POINTS =
      optional(
          "points",
          new ListNode<>(new BoardFieldSentences.WatchedPoints(), whole(1, MAX_SAFE_INTEGER)));
  private static final Field<Boolean> PASSED = optional("passed", flag(), false);

  static final Field<Watch> WATCH =
      optional(
          "watch",
          new Form(new BoardFieldSentences.Watch(), List.of(TOP, POINTS, PASSED))
              .mapValid(WatchForm::watch));

  private WatchForm() {}

  private static Watch watch(FormValue form) {
    var watch = new Watch(bounds(form, TOP), bounds(form, POINTS), form.get(PASSED));
    if (watch.places() == 0) {
      form.location().fault(new BoardFileSentences.WatchesNothing());
    } else if (watch.passed() && watch.largestTop() == 0) {
      form.fault(PASSED, new BoardFileSentences.WatchesPassedWithoutTop());
    }
    return watch;
  }

  private static List<Long> bounds(FormValue form, Field<List<Entry<Integer, Long>>> field) {
    List<Entry<Integer, Long>> stated = form.find(field);
    if (stated == null) {
      return List.of();
    }
    if (stated.size() > MAX_BOUNDS) {
      form.fault(field, new BoardFileSentences.WatchesTooMany(stated.size(), MAX_BOUNDS));
    }
    var seen = new HashSet<Long>();
    for (Entry<Integer, Long> entry : stated) {
      if (entry.value() != null && !seen.add(entry.value())) {
        entry.fault(new BoardFileSentences.WatchedTwice(entry.value()));
      }
    }
    return stated.stream().map(Entry::value).filter(Objects::nonNull).sorted().toList();
  }

  /** Records the fault of points that no member can reach. */
  static void check(FormValue file) {
    Watch watch = file.find(WATCH);
    Long max = file.find(Scales.MAX_POINTS);
    if (watch != null && max != null) {
      watch.points().stream()
          .filter(points -> points > max)
          .forEach(points -> file.fault(WATCH, new BoardFileSentences.WatchedBeyond(points, max)));
    }
  }
}
