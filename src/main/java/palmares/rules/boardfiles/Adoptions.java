package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;
import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.text;
import static palmares.platform.form.Scalar.whole;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Faults.Fault;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Scalar;
import palmares.platform.text.InvalidValue;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.Adoption.Deadline;
import palmares.rules.adoption.Encoding;
import palmares.rules.adoption.Encoding.AppendedSeconds;
import palmares.rules.adoption.Encoding.DecimalSeconds;
import palmares.rules.adoption.Encoding.PlainPoints;
import palmares.rules.adoption.Encoding.PlainPoints.BelowZero;
import palmares.rules.adoption.Encoding.SharedRank;
import palmares.rules.adoption.Encoding.TicksLeft;
import palmares.rules.adoption.Encoding.TimeFraction;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.Tiebreak;
import palmares.rules.board.TimeResolution;
import palmares.rules.calendar.Calendar;

/**
 * Reads how a board adopts the keys of another program, and checks that no two periods share a key.
 */
final class Adoptions {
  static final String POINTS = "points";
  static final String TIME_FRACTION = "time-fraction";
  static final String MILLIS_LEFT = "millis-left";
  static final String SECONDS_LEFT = "seconds-left";
  static final String DECIMAL_SECONDS_LEFT = "decimal-seconds-left";
  static final String APPENDED_SECONDS_LEFT = "appended-seconds-left";
  static final String SHARED_RANK = "shared-rank";

  private static final String HIGHEST = "highest";
  private static final String LOWEST = "lowest";
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
              word -> word));

  static final Field<String> KEY =
      required("key", key())
          .onlyWith(
              ENCODING,
              POINTS,
              TIME_FRACTION,
              MILLIS_LEFT,
              SECONDS_LEFT,
              DECIMAL_SECONDS_LEFT,
              APPENDED_SECONDS_LEFT);

  static final Field<String> MEMBERS = required("members", key()).onlyWith(ENCODING, SHARED_RANK);
  static final Field<String> COUNTS = required("counts", key()).onlyWith(ENCODING, SHARED_RANK);
  static final Field<String> SCORES = required("scores", key()).onlyWith(ENCODING, SHARED_RANK);

  static final Field<Long> BITS =
      optional("bits", whole(1, 52)).onlyWith(ENCODING, MILLIS_LEFT, SECONDS_LEFT);

  static final Field<Long> DIGITS =
      required("digits", whole(1, 9))
          .onlyWith(ENCODING, DECIMAL_SECONDS_LEFT, APPENDED_SECONDS_LEFT);

  static final Field<Long> DECIMALS = optional("decimals", whole(0, 9)).onlyWith(ENCODING, POINTS);

  static final Field<BelowZero> BELOW_ZERO =
      optional("below-zero", choice(List.of(BelowZero.values()), BelowZero::word))
          .onlyWith(ENCODING, POINTS);

  static final Field<String> BEST =
      optional("best", choice(List.of(HIGHEST, LOWEST), word -> word)).onlyWith(ENCODING, POINTS);

  static final Field<Deadline> DEADLINE =
      optional("deadline", deadline(), "end")
          .onlyWith(
              ENCODING, MILLIS_LEFT, SECONDS_LEFT, DECIMAL_SECONDS_LEFT, APPENDED_SECONDS_LEFT);

  static final Form ADOPTION =
      new Form(
          new BoardFieldSentences.Adoption(),
          List.of(
              ENCODING,
              KEY,
              MEMBERS,
              COUNTS,
              SCORES,
              BITS,
              DIGITS,
              DECIMALS,
              BELOW_ZERO,
              BEST,
              DEADLINE));

  private static Scalar<String> key() {
    return text(new BoardFieldSentences.Key(), ".{1,200}", pattern -> pattern);
  }

  private static Scalar<Deadline> deadline() {
    var grace = DurationText.grace();
    return text(
        new BoardFieldSentences.Deadline(),
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

  /** Returns how an adopted board orders members: by points, then by the earliest time. */
  static Scale scale(FormValue board) {
    return new Scale(
        scoring(board),
        Scalar.MAX_SAFE_INTEGER,
        null,
        Tiebreak.TIME,
        0,
        TimeResolution.MILLISECOND,
        true);
  }

  /** The most points win, unless the file says otherwise. */
  static Scoring scoring(FormValue board) {
    FormValue adopt = board.find(BoardForm.ADOPT);
    return adopt != null && adopt.isValid() && LOWEST.equals(adopt.find(BEST))
        ? Scoring.LOWEST_BEST
        : Scoring.ADD;
  }

  private final FormValue board;
  private final FormValue adopt;
  private final Calendar calendar;
  private final ZoneId zone;

  private Adoptions(FormValue board, FormValue adopt, Calendar calendar, ZoneId zone) {
    this.board = board;
    this.adopt = adopt;
    this.calendar = calendar;
    this.zone = zone;
  }

  /** Reads the adoption; null if the board has none, or it is invalid, which is recorded. */
  static @Nullable Adoption read(
      FormValue board, @Nullable Calendar calendar, @Nullable Duration grace) {
    FormValue adopt = board.find(BoardForm.ADOPT);
    ZoneId zone = board.find(BoardForm.ZONE);
    return adopt == null || !adopt.isValid() || calendar == null || grace == null || zone == null
        ? null
        : new Adoptions(board, adopt, calendar, zone).read();
  }

  /** Records a fault for each key that two boards adopt. */
  static void checkKeysAreDistinct(List<Board> boards, List<Fault> faults) {
    var taken = new HashMap<KeyPattern, Board>();
    for (Board board : boards) {
      List<KeyPattern> keys = board.kind().map(List::of, Adoption::keys);
      for (KeyPattern key : keys) {
        Board other = taken.putIfAbsent(key, board);
        if (other != null) {
          faults.add(
              new Fault(
                  board.id() + BoardFiles.EXTENSION,
                  0,
                  "adopt",
                  new BoardFileSentences.KeyOfOther(key.text(), other.id().value())));
        }
      }
    }
  }

  private Adoption read() {
    Encoding encoding = encoding(adopt.get(ENCODING));
    Deadline deadline = requireNonNull(adopt.find(DEADLINE));
    checkCapacity(encoding, deadline);
    if (encoding.usesThreeKeys() && board.find(BoardForm.RANKS) != RankMethod.DENSE) {
      board.fault(BoardForm.RANKS, new BoardFileSentences.RanksNotDense());
    }
    return new Adoption(keys(encoding), encoding, deadline);
  }

  private Encoding encoding(String word) {
    return switch (word) {
      case TIME_FRACTION -> new TimeFraction();
      case MILLIS_LEFT -> ticksLeft(TicksLeft.Unit.MILLIS);
      case SECONDS_LEFT -> ticksLeft(TicksLeft.Unit.SECONDS);
      case DECIMAL_SECONDS_LEFT -> new DecimalSeconds(adopt.get(DIGITS).intValue());
      case APPENDED_SECONDS_LEFT -> new AppendedSeconds(adopt.get(DIGITS).intValue());
      case SHARED_RANK -> new SharedRank();
      case POINTS -> plainPoints();
      default -> throw new IllegalArgumentException("unknown encoding '" + word + "'");
    };
  }

  private PlainPoints plainPoints() {
    Long decimals = adopt.find(DECIMALS);
    BelowZero belowZero = adopt.find(BELOW_ZERO);
    return new PlainPoints(
        decimals == null ? 0 : decimals.intValue(),
        belowZero == null ? BelowZero.REFUSE : belowZero);
  }

  private TicksLeft ticksLeft(TicksLeft.Unit unit) {
    Long bits = adopt.find(BITS);
    return new TicksLeft(unit, bits == null ? unit.usualBits() : bits.intValue());
  }

  /** If the time needed more bits or digits than it has, it would change the points. */
  private void checkCapacity(Encoding encoding, Deadline deadline) {
    Duration left = calendar.longest().plus(deadline.afterEnd());
    if (left.isNegative() || left.isZero()) {
      adopt.fault(DEADLINE, new BoardFileSentences.DeadlineTooEarly());
    } else if (!encoding.holds(left)) {
      adopt
          .location(encoding instanceof TicksLeft ? BITS : DIGITS)
          .fault(
              new BoardFileSentences.TooFewDigits(
                  DurationText.format(left),
                  encoding instanceof TicksLeft ticks ? ticks.bits() : adopt.get(DIGITS)));
    }
  }

  private List<KeyPattern> keys(Encoding encoding) {
    var keys = new ArrayList<KeyPattern>();
    var fields = encoding.usesThreeKeys() ? List.of(MEMBERS, COUNTS, SCORES) : List.of(KEY);
    for (var field : fields) {
      KeyPattern key = key(field);
      if (key != null && keys.contains(key)) {
        adopt.fault(field, new BoardFileSentences.KeyOfOtherField());
      } else if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  private @Nullable KeyPattern key(Field<String> field) {
    try {
      var key = new KeyPattern(adopt.get(field));
      key.clash(calendar, zone)
          .ifPresent(
              clash ->
                  adopt.fault(
                      field,
                      new BoardFileSentences.KeyOfTwoPeriods(
                          clash.one().value(), clash.other().value(), clash.key())));
      return key;
    } catch (InvalidValue e) {
      adopt.fault(field, e.said());
      return null;
    }
  }
}
