package palmares.rules.catalogue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Fault;
import palmares.platform.form.Field;
import palmares.platform.form.FormValue;
import palmares.platform.form.Scalars;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.AppendedSeconds;
import palmares.rules.adoption.Deadline;
import palmares.rules.adoption.DecimalSeconds;
import palmares.rules.adoption.Encoding;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.adoption.PlainPoints;
import palmares.rules.adoption.SharedRank;
import palmares.rules.adoption.TicksLeft;
import palmares.rules.adoption.TimeFraction;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;
import palmares.rules.board.Scoring;
import palmares.rules.board.Tiebreak;
import palmares.rules.board.TimeResolution;
import palmares.rules.calendar.Calendar;

/** Makes a board's adoption of its file, and checks that no period could be mistaken in it. */
final class Adoptions {
  /** Whatever a foreign score says: the most points, then the earliest. */
  static final Scale SCALE =
      new Scale(
          Scoring.ADD, Scalars.MOST, null, Tiebreak.TIME, 0, TimeResolution.MILLISECOND, true);

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

  /** Null if the board is none that is adopted, or if anything is wrong, which is then noted. */
  static @Nullable Adoption read(
      FormValue board, @Nullable Calendar calendar, @Nullable Duration grace) {
    FormValue adopt = board.find(BoardForm.ADOPT);
    ZoneId zone = board.find(BoardForm.ZONE);
    return adopt == null || !adopt.whole() || calendar == null || grace == null || zone == null
        ? null
        : new Adoptions(board, adopt, calendar, zone).read();
  }

  /** Two boards that would close the same keys. */
  static void checkApart(List<Board> boards, List<Fault> faults) {
    var taken = new HashMap<KeyPattern, Board>();
    for (Board board : boards) {
      for (KeyPattern key :
          board.adoption() == null ? List.<KeyPattern>of() : board.adoption().keys()) {
        Board other = taken.putIfAbsent(key, board);
        if (other != null) {
          faults.add(
              new Fault(
                  board.id() + BoardFiles.ENDING,
                  0,
                  "adopt",
                  "has the key %s, which %s adopts too: only one board can close it"
                      .formatted(key.text(), other.id())));
        }
      }
    }
  }

  private Adoption read() {
    Encoding encoding = encoding(adopt.get(AdoptForm.ENCODING));
    Deadline deadline = requireNonNull(adopt.find(AdoptForm.DEADLINE));
    checkRoom(encoding, deadline);
    if (encoding.keepsRanks() && board.find(BoardForm.RANKS) != RankMethod.DENSE) {
      board.spot(BoardForm.RANKS).fault("must be dense with encoding: shared-rank, which ranks so");
    }
    return new Adoption(keys(encoding), encoding, deadline);
  }

  private Encoding encoding(String word) {
    return switch (word) {
      case AdoptForm.TIME_FRACTION -> new TimeFraction();
      case AdoptForm.MILLIS_LEFT -> ticksLeft(TicksLeft.Unit.MILLIS);
      case AdoptForm.SECONDS_LEFT -> ticksLeft(TicksLeft.Unit.SECONDS);
      case AdoptForm.DECIMAL_SECONDS_LEFT ->
          new DecimalSeconds(adopt.get(AdoptForm.DIGITS).intValue());
      case AdoptForm.APPENDED_SECONDS_LEFT ->
          new AppendedSeconds(adopt.get(AdoptForm.DIGITS).intValue());
      case AdoptForm.SHARED_RANK -> new SharedRank();
      default -> new PlainPoints();
    };
  }

  private TicksLeft ticksLeft(TicksLeft.Unit unit) {
    Long bits = adopt.find(AdoptForm.BITS);
    return new TicksLeft(unit, bits == null ? unit.usualBits() : bits.intValue());
  }

  /** A time that runs over its room would run into the points. */
  private void checkRoom(Encoding encoding, Deadline deadline) {
    Duration left = calendar.longest().plus(deadline.afterEnd());
    if (left.isNegative() || left.isZero()) {
      adopt
          .spot(AdoptForm.DEADLINE)
          .fault("must come before the end by less than the longest period lasts");
    } else if (!encoding.holds(left)) {
      adopt
          .spot(encoding instanceof TicksLeft ? AdoptForm.BITS : AdoptForm.DIGITS)
          .fault(
              "must hold the longest period, %s; %s do not"
                  .formatted(
                      DurationText.word(left),
                      encoding instanceof TicksLeft ticks
                          ? ticks.bits()
                          : adopt.get(AdoptForm.DIGITS)));
    }
  }

  private List<KeyPattern> keys(Encoding encoding) {
    var keys = new ArrayList<KeyPattern>();
    var fields =
        encoding.keepsRanks()
            ? List.of(AdoptForm.MEMBERS, AdoptForm.COUNTS, AdoptForm.SCORES)
            : List.of(AdoptForm.KEY);
    for (var field : fields) {
      KeyPattern key = key(field);
      if (key != null && keys.contains(key)) {
        adopt.spot(field).fault("is the key of another field above: each has its own");
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
                  adopt
                      .spot(field)
                      .fault(
                          "must differ from period to period, but %s and %s would both have %s: use"
                                  .formatted(clash.one(), clash.other(), clash.key())
                              + " {period}, or a finer {start:...}"));
      return key;
    } catch (IllegalArgumentException e) {
      adopt.spot(field).fault(String.valueOf(e.getMessage()));
      return null;
    }
  }
}
