package palmares.reward;

import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bulk.Abreast;
import palmares.bulk.OwnTables;
import palmares.bulk.Room;
import palmares.ledger.Ledger;
import palmares.ledger.Posted;
import palmares.ledger.Posting;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.revision.Revision;

/** Pays the awards of a period: each becomes one transfer, however often this is asked for. */
@Component
public class Payments {
  private static final int SLICE = 500_000;

  private final Ledger ledger;
  private final OwnTables own;
  private final Room room;
  private final TransactionTemplate transaction;
  private final Leases leases;

  Payments(
      Ledger ledger, OwnTables own, Room room, TransactionTemplate transaction, Leases leases) {
    this.ledger = ledger;
    this.own = own;
    this.room = room;
    this.transaction = transaction;
    this.leases = leases;
  }

  /** Posts what is not posted yet, in the caller's transaction. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted pay(Lease lease, Period period, int revision) {
    return ledger.post(new Posting(period.id().value(), revision, lease.fence()));
  }

  /**
   * Whether a period's first payments are so many that they are written first, and then joined; or
   * have been begun so.
   */
  public boolean areMany(Period period) {
    long id = period.id().value();
    return own.has("transfer", id) || own.admits(id, own.rows("award", id));
  }

  /**
   * Writes a period's many first payments, a few ranges side by side. Nobody is paid by it before
   * {@link #join}; what an earlier attempt left is written anew.
   *
   * @param meanwhile is run after each range
   */
  public void write(Lease lease, Period period, Runnable meanwhile) {
    Posting whole = whole(lease, period);
    List<Runnable> pieces =
        Objects.requireNonNull(transaction.execute(status -> begin(lease, whole)), "pieces");
    Abreast.run(pieces, meanwhile);
  }

  private List<Runnable> begin(Lease lease, Posting whole) {
    leases.share(lease);
    room.take(SLICE);
    ledger.begin(whole);
    boolean strangers = ledger.paysStrangers(whole);
    return ledger.slices(whole, SLICE).stream()
        .map(slice -> (Runnable) () -> write(lease, slice, strangers))
        .toList();
  }

  private void write(Lease lease, Posting slice, boolean strangers) {
    transaction.executeWithoutResult(
        status -> {
          leases.share(lease);
          room.take(SLICE);
          if (strangers) {
            ledger.open(slice);
          }
          ledger.write(slice);
        });
  }

  /** Pays what was written, at once, in the caller's transaction. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted join(Lease lease, Period period) {
    return ledger.join(whole(lease, period));
  }

  private static Posting whole(Lease lease, Period period) {
    return new Posting(period.id().value(), Revision.FIRST, lease.fence());
  }
}
