package palmares.settlement.closing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;

/** The attempts that go on in this process: a restarted job finds its present lease here. */
@Component
class Attempts {
  private final Map<PeriodId, Attempt> underway = new ConcurrentHashMap<>();

  void begin(Attempt attempt) {
    underway.put(attempt.lease().period(), attempt);
  }

  void end(Attempt attempt) {
    underway.remove(attempt.lease().period(), attempt);
  }

  /**
   * @throws IllegalStateException if the job was started by something that holds no lease
   */
  Attempt of(PeriodId period) {
    Attempt attempt = underway.get(period);
    if (attempt == null) {
      throw new IllegalStateException(
          "the closing of period %s runs without a lease: start it by 'palmares close'"
              .formatted(period));
    }
    return attempt;
  }
}
