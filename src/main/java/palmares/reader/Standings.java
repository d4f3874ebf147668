package palmares.reader;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.MemberId;
import palmares.live.LiveLine;
import palmares.live.LiveQueries;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.report.FinalLine;
import palmares.report.Palmareses;

/** A period's lines: from Redis until it is settled, from the published list from then on. */
@Component
class Standings {
  private final LiveQueries live;
  private final Palmareses published;
  private final Definitions definitions;

  Standings(LiveQueries live, Palmareses published, Definitions definitions) {
    this.live = live;
    this.published = published;
    this.definitions = definitions;
  }

  List<LineView> top(Period period, int count) {
    Board rules = definitions.of(period);
    return settled(period)
        ? published(published.top(period.board(), period.name(), count), rules)
        : live(live.top(period, rules, count), rules);
  }

  List<LineView> around(Period period, MemberId member, int neighbours) {
    Board rules = definitions.of(period);
    return settled(period)
        ? published(published.around(period.board(), period.name(), member, neighbours), rules)
        : live(live.around(period, rules, member, neighbours), rules);
  }

  private static List<LineView> published(List<FinalLine> lines, Board rules) {
    return lines.stream().map(line -> LineView.of(line, rules.scale())).toList();
  }

  private static List<LineView> live(List<LiveLine> lines, Board rules) {
    return lines.stream().map(line -> LineView.of(line, rules.scale())).toList();
  }

  private static boolean settled(Period period) {
    return PeriodState.SETTLED.isReachedBy(period.state());
  }
}
