package palmares.operations.rebuild;

import palmares.settlement.lines.Shortfall;

/** Thrown if a rebuild lacks what was sealed, and nobody has acknowledged the loss. */
public final class LossRefused extends RuntimeException {
  LossRefused(Shortfall lacks) {
    super(
        ("%s cannot be rebuilt as it was sealed, so nobody is paid: %s. Restore Redis or PostgreSQL"
                + " to a state that has them; to close without them:"
                + " 'palmares rebuild %s --replace --accept-loss --reason TEXT'")
            .formatted(lacks.period().label(), lacks.sentence(), lacks.period().label()));
  }
}
