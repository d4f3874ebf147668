package palmares.operations.rebuild;

import palmares.settlement.lines.Shortfall;

/** A rebuild falls short of what was sealed, and nobody has acknowledged that: nobody is paid. */
public final class LossRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LossRefused(Shortfall lacks) {
    super(
        ("%s cannot be rebuilt as it was sealed, nobody is paid: %s. Restore Redis or PostgreSQL to"
                + " a state that has them; to close without them:"
                + " 'palmares rebuild %s --replace --accept-loss --reason TEXT'")
            .formatted(lacks.period().label(), lacks.sentence(), lacks.period().label()));
  }
}
