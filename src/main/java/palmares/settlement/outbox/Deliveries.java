package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What an operator may see of the outbox, and do about it. */
@Component
public class Deliveries {
  private final DeliveryTargets targets;
  private final Facts facts;
  private final OutboxSettings settings;
  private final Clock clock;

  Deliveries(DeliveryTargets targets, Facts facts, OutboxSettings settings, Clock clock) {
    this.targets = targets;
    this.facts = facts;
    this.settings = settings;
    this.clock = clock;
  }

  /** Every target that was ever told something, by name. */
  public List<DeliveryStatus> all() {
    return targets.all();
  }

  /**
   * Tries what fails again at once, parked targets too.
   *
   * @param name only this target; null for all
   * @return how many
   */
  @Transactional
  public int retry(@Nullable String name) {
    return targets.retry(name);
  }

  /**
   * Tells again all that happened from a time on, as far as it is kept.
   *
   * @param name only this target; null for all
   * @return how many begin again; 0 if nothing is kept that happened since
   */
  @Transactional
  public int tellAgain(@Nullable String name, Instant from) {
    facts.number();
    return targets.rewind(name, from);
  }

  /** Forgets a target that is configured no more; one that is begins anew, from then on. */
  @Transactional
  public boolean forget(String name) {
    return targets.forget(name);
  }

  /** Deletes the facts that are kept no longer; never what a target has not been told. */
  public void prune() {
    facts.prune(clock.instant().minus(settings.keep()));
  }
}
