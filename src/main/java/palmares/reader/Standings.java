package palmares.reader;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.MemberId;
import palmares.live.LiveQueries;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.PeriodState;
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
    return settled(period)
        ? published.top(period.board(), period.name(), count).stream().map(LineView::of).toList()
        : live.top(period, definitions.of(period), count).stream().map(LineView::of).toList();
  }

  List<LineView> around(Period period, MemberId member, int neighbours) {
    return settled(period)
        ? published.around(period.board(), period.name(), member, neighbours).stream()
            .map(LineView::of)
            .toList()
        : live.around(period, definitions.of(period), member, neighbours).stream()
            .map(LineView::of)
            .toList();
  }

  private static boolean settled(Period period) {
    return PeriodState.SETTLED.isReachedBy(period.state());
  }
}
