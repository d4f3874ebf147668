package palmares.rules.catalogue;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalars.choice;
import static palmares.platform.form.Scalars.text;
import static palmares.platform.form.Scalars.whole;

import java.time.OffsetDateTime;
import java.util.List;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.Scalar;
import palmares.rules.adoption.Deadline;

/** What a board's file says of a board that another program writes. */
final class AdoptForm {
  static final String POINTS = "points";
  static final String TIME_FRACTION = "time-fraction";
  static final String MILLIS_LEFT = "millis-left";
  static final String SECONDS_LEFT = "seconds-left";
  static final String DECIMAL_SECONDS_LEFT = "decimal-seconds-left";
  static final String APPENDED_SECONDS_LEFT = "appended-seconds-left";
  static final String SHARED_RANK = "shared-rank";

  private static final String END = "end";

  static final Field<String> ENCODING =
      required(
          "encoding",
          choice(
              List.of(
                  POINTS,
                  TIME_FRACTION,
                  MILLIS_LEFT,
                  SECONDS_LEFT,
                  DECIMAL_SECONDS_LEFT,
                  APPENDED_SECONDS_LEFT,
                  SHARED_RANK),
              word -> word),
          "How points and time stand in a score: points (alone); time-fraction (points + 1 -"
              + " epochMs / 1e13); millis-left (points << 41 | milliseconds left); seconds-left"
              + " (points * 2^27 + seconds left); decimal-seconds-left (points.secondsLeft, with"
              + " zeros before them); appended-seconds-left (points * 10^digits + seconds left, as"
              + " when the digits of both are joined); shared-rank (a hash of points, a hash of"
              + " counts, a ZSET of points).");

  static final Field<String> KEY =
      required(
              "key",
              key(),
              "The ZSET's key: lb:{period} for lb:2026-W47, or lb:{start:yyyyMMdd} for the period's"
                  + " first day as java.time writes it, with ISO weeks. Other braces are Redis'"
                  + " hash tags.")
          .onlyWith(
              ENCODING,
              POINTS,
              TIME_FRACTION,
              MILLIS_LEFT,
              SECONDS_LEFT,
              DECIMAL_SECONDS_LEFT,
              APPENDED_SECONDS_LEFT);

  static final Field<String> MEMBERS =
      required("members", key(), "The key of the hash that has each member's points.")
          .onlyWith(ENCODING, SHARED_RANK);
  static final Field<String> COUNTS =
      required(
              "counts", key(), "The key of the hash that has how many members hold so many points.")
          .onlyWith(ENCODING, SHARED_RANK);
  static final Field<String> SCORES =
      required("scores", key(), "The key of the ZSET that has the points that anybody holds.")
          .onlyWith(ENCODING, SHARED_RANK);

  static final Field<Long> BITS =
      optional(
              "bits",
              whole(1, 52),
              "How many bits the time that is left has. If not said, 41 for milliseconds and 27 for"
                  + " seconds.")
          .onlyWith(ENCODING, MILLIS_LEFT, SECONDS_LEFT);

  static final Field<Long> DIGITS =
      required("digits", whole(1, 9), "How many digits the seconds left have.")
          .onlyWith(ENCODING, DECIMAL_SECONDS_LEFT, APPENDED_SECONDS_LEFT);

  static final Field<Deadline> DEADLINE =
      optional(
              "deadline",
              deadline(),
              "end",
              "What the time that is left counts down to: the period's end, a time before or after"
                  + " it (end-1s, end+10m), or always the same instant (2030-01-01T00:00:00Z).")
          .onlyWith(
              ENCODING, MILLIS_LEFT, SECONDS_LEFT, DECIMAL_SECONDS_LEFT, APPENDED_SECONDS_LEFT);

  static final Form ADOPTION =
      new Form(
          "an adopted board",
          List.of(ENCODING, KEY, MEMBERS, COUNTS, SCORES, BITS, DIGITS, DEADLINE));

  private AdoptForm() {}

  private static Scalar<String> key() {
    return text("a key such as lb:{period}", ".{1,200}", pattern -> pattern);
  }

  private static Scalar<Deadline> deadline() {
    var grace = DurationText.grace();
    return text(
        "end, end+10m, end-1s, or an instant such as 2030-01-01T00:00:00Z",
        "end([+-][0-9hms]+)?|\\d{4}-\\d{2}-\\d{2}T.*",
        text -> {
          if (text.equals(END)) {
            return Deadline.END;
          }
          if (!text.startsWith(END)) {
            return Deadline.at(OffsetDateTime.parse(text).toInstant());
          }
          var offset = grace.reader().apply(text.substring(END.length() + 1));
          return offset == null
              ? null
              : Deadline.after(text.charAt(END.length()) == '-' ? offset.negated() : offset);
        });
  }
}
