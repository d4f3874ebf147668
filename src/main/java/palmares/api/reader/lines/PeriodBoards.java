package palmares.api.reader.lines;

import java.time.Clock;
import org.springframework.stereotype.Component;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.live.member.PublicProfiles;
import palmares.operations.report.PalmaresReport;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;

/** Selects where a period's lines are read: Redis until it is settled, then PostgreSQL. */
@Component
public class PeriodBoards {
  private final LiveQueries live;
  private final LiveBoardMarks marks;
  private final PalmaresReport published;
  private final BoardDefinitions definitions;
  private final PublicProfiles publicProfiles;
  private final Clock clock;

  PeriodBoards(
      LiveQueries live,
      LiveBoardMarks marks,
      PalmaresReport published,
      BoardDefinitions definitions,
      PublicProfiles publicProfiles,
      Clock clock) {
    this.live = live;
    this.marks = marks;
    this.published = published;
    this.definitions = definitions;
    this.publicProfiles = publicProfiles;
    this.clock = clock;
  }

  /**
   * Returns the board of a period.
   *
   * @throws Refusal if the board is adopted and the period is not settled yet
   */
  public PeriodBoard of(Period period) {
    return of(period, live);
  }

  /** Returns the same; lists a sealed board as it is, although it is torn. */
  public PeriodBoard readingTorn(Period period) {
    return of(period, live.readingTorn());
  }

  private PeriodBoard of(Period period, LiveQueries live) {
    Board rules = definitions.of(period);
    var profiles = new LineProfiles(rules, publicProfiles);
    if (period.state().isSettled()) {
      return new SettledBoard(published, period, rules, profiles);
    }
    requireOwn(rules, period);
    return new LiveBoard(live, period, rules, profiles, () -> absent(period));
  }

  /**
   * Returns the live board of an open period, whose lines have no nicknames. PostgreSQL is not read
   * for it, so that many boards can be shown at once.
   *
   * @param wasCreated whether the live board was ever created
   * @throws Refusal if the board is adopted
   */
  public PeriodBoard live(Period period, boolean wasCreated) {
    Board rules = definitions.of(period);
    requireOwn(rules, period);
    return new LiveBoard(
        live, period, rules, new LineProfiles(rules, null), () -> absent(period, wasCreated));
  }

  private static void requireOwn(Board rules, Period period) {
    rules
        .kind()
        .run(
            () -> {},
            adoption -> {
              throw new Refusal(
                  Problem.ADOPTED,
                  new LineSentences.Adopted(rules.id().value(), period.name().value()));
            });
  }

  /**
   * Returns an empty page if the live board was never created, as PostgreSQL knows and by its
   * clock; fails if it was lost.
   */
  private LivePage absent(Period period) {
    return absent(period, marks.wasCreated(period.id()));
  }

  private LivePage absent(Period period, boolean wasCreated) {
    if (wasCreated) {
      throw new Refusal(Problem.LIVE_BOARD_GONE, new LineSentences.NotInRedis(period.label()));
    }
    return LivePage.empty(clock.instant());
  }
}
