package palmares.console;

import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import palmares.api.http.InputSentences;
import palmares.operations.report.MonthReport.Month;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.boardfiles.Catalogue;

/**
 * Selects the time zone in which a page's month begins and ends: UTC, unless another is asked for.
 * A month counts what was posted in it, whenever its periods ended, so that the sums of a month
 * that is over never change. The zone depends on nothing else: two months in different zones would
 * share payments, or leave some out.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class MonthZones {
  private static final String UTC = "UTC";

  private final Catalogue boards;

  MonthZones(Catalogue boards) {
    this.boards = boards;
  }

  /** The month of a page, which is added to its model with the zones that it can be shown in. */
  Month month(String month, @Nullable String zone, Model model) {
    Month asked = parse(month, zone == null || zone.isBlank() ? UTC : zone.strip());
    Set<String> zones = new TreeSet<>(List.of(UTC, asked.zone().getId()));
    boards.all().forEach(board -> zones.add(board.zone().getId()));
    model.addAttribute("month", month);
    model.addAttribute("asked", asked);
    model.addAttribute("zone", asked.zone().getId());
    model.addAttribute("zones", List.copyOf(zones));
    return asked;
  }

  private static Month parse(String month, String zone) {
    YearMonth parsed;
    try {
      parsed = YearMonth.parse(month);
    } catch (DateTimeException e) {
      throw invalid(new InputSentences.NotAMonth(month));
    }
    try {
      return new Month(parsed, ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw invalid(new InputSentences.NotAZone(zone));
    }
  }

  private static Refusal invalid(Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said);
  }
}
