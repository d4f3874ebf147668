package palmares.reward;

import org.springframework.stereotype.Component;
import palmares.ledger.Ledger;
import palmares.ledger.Posted;
import palmares.ledger.Posting;
import palmares.period.Lease;
import palmares.period.Period;

/** Pays the awards of a period: each becomes one transfer, however often this is asked for. */
@Component
public class Payments {
  private final Ledger ledger;

  Payments(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Posts what is not posted yet, in the caller's transaction. */
  public Posted pay(Lease lease, Period period, int revision) {
    return ledger.post(new Posting(period.id().value(), revision, lease.fence()));
  }
}
