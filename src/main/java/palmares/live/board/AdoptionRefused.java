package palmares.live.board;

import java.util.List;
import palmares.period.Period;

/** Thrown when the keys of an adopted board do not hold what its file says. */
public final class AdoptionRefused extends RuntimeException {
  AdoptionRefused(Period period, String fault) {
    super("%s cannot be adopted, nobody is paid: %s".formatted(period.label(), fault));
  }

  static AdoptionRefused lines(Period period, String key, long count, List<String> first) {
    return new AdoptionRefused(
        period,
        "%d lines of %s cannot be read: %s%s; correct them, then close again"
            .formatted(
                count, key, String.join("; ", first), count > first.size() ? "; and more" : ""));
  }
}
