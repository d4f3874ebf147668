package palmares.settlement.reward;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Choice;

/** A reason for which an outcome needs a person's approval. It is stored as a sentence. */
public enum HoldReason implements Choice {
  /** The board asks for one person. */
  APPROVAL(Release.BY_TIME, "the board asks for approval"),
  /** The board asks for two people. */
  TWO_PEOPLE(Release.BY_TIME, "the board asks for the approval of two people"),
  /** The period costs more than its budget. */
  PERIOD_BUDGET(Release.BY_PERSON, "%,.0f %s are over the period's budget of %,d"),
  /** The month's periods cost more than the budget of a month. */
  MONTH_BUDGET(
      Release.BY_PERSON,
      "%,.0f %s and the %,.0f of the month's other periods are over the month's budget of %,d"),
  /** The amount differs from the usual one by a factor. */
  UNUSUAL(Release.BY_TIME, "%,.0f %s are far from the usual %,.0f, by a factor of %d or more"),
  /** A rule leaves to a person what tied members get. */
  TIE(
      Release.BY_PERSON,
      "%,d members share rank %d, whose %,d %s the rule '%s' leaves to a person"),
  /** A rule leaves to a person what a member behind a tie gets. */
  TIE_BEFORE(
      Release.BY_PERSON,
      "the rule '%s' leaves to a person what %s at rank %d gets: by its rank, or the %,d %s of its"
          + " place behind a tie"),
  /** Palmares may look for the keys of an adopted board under a name that no program uses. */
  KEY_NEVER_SEEN(
      Release.BY_PERSON, "no key of the adopted board was ever seen in Redis; it looked for %s"),
  /** What was found may have been written after the period. */
  KEY_FOUND_LATER(Release.BY_PERSON, "%s was found only after the seal (members: %,d)"),
  /** It would pay the prizes of a period of the file again. */
  CUT(
      Release.BY_PERSON,
      "no file names it: it is the rest of %s, which lasts from %s to %s, and would pay its prizes"
          + " again"),
  /** A person has asked for it. */
  PERSON(Release.BY_PERSON, "%s holds it: %s"),
  /** A member was excluded, or more than before, after the closing was ranked. */
  EXCLUDED(Release.BY_PERSON, "%s is %s by an exclusion that was made after the ranking"),
  /** A member is ranked with an exclusion that was lifted. */
  LIFTED(Release.BY_PERSON, "%s is ranked as %s by an exclusion that was lifted after the ranking"),
  /** Further members whose exclusions have changed. */
  OTHERS_EXCLUDED(
      Release.BY_PERSON, "exclusions of further members have changed after the ranking: %,d");

  /** Says what ends a hold for a reason. */
  private enum Release {
    /** A person approves, or the time comes at which the board releases what is held. */
    BY_TIME,
    /** Only a person approves. */
    BY_PERSON
  }

  /** Where {@link #MONTH_BUDGET} has the cost of the month's other periods. */
  private static final int OTHER_PERIODS_VALUE = 2;

  private static final Pattern FIGURE = Pattern.compile("-?[0-9,]+");

  private final Release release;
  private final String format;
  private final Pattern sentence;

  HoldReason(Release release, String format) {
    this.release = release;
    this.format = format;
    this.sentence =
        Pattern.compile(
            Arrays.stream(format.split("%[,.0]*[sdf]", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining("(.+?)")),
            Pattern.DOTALL);
  }

  /**
   * A reason that was stored.
   *
   * @param values the values in the sentence, as they are shown
   */
  public record Stated(HoldReason reason, List<String> values) {}

  /** Whether the board's release time ends the hold, if no person decides before. */
  boolean isReleasedByTime() {
    return release == Release.BY_TIME;
  }

  /** The reason as a sentence with its values. */
  String with(@Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Finds the reason that a sentence states; empty if it states none of these. */
  public static Optional<Stated> of(String sentence) {
    return Arrays.stream(values()).flatMap(reason -> reason.stated(sentence).stream()).findFirst();
  }

  /** What the month's other periods cost, as a sentence says; empty if it is about no month. */
  static Optional<BigDecimal> othersInMonth(String sentence) {
    return MONTH_BUDGET
        .stated(sentence)
        .map(stated -> stated.values().get(OTHER_PERIODS_VALUE))
        .filter(figure -> FIGURE.matcher(figure).matches())
        .map(figure -> new BigDecimal(figure.replace(",", "")));
  }

  private Optional<Stated> stated(String text) {
    Matcher matcher = sentence.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Stated(
                this,
                IntStream.rangeClosed(1, matcher.groupCount()).mapToObj(matcher::group).toList()))
        : Optional.empty();
  }
}
