package palmares.closing;

import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.audit.Verification;
import palmares.live.AdoptedBoards;
import palmares.live.LiveBoards;

/** Lets live keys leave Redis: after the retention, and only if the period verifies. */
@Component
class Expiry {
  private final Stages stages;
  private final LiveBoards live;
  private final AdoptedBoards adopted;
  private final LateWrites lateWrites;
  private final Verification verification;
  private final Clock clock;

  Expiry(
      Stages stages,
      LiveBoards live,
      AdoptedBoards adopted,
      LateWrites lateWrites,
      Verification verification,
      Clock clock) {
    this.stages = stages;
    this.live = live;
    this.adopted = adopted;
    this.lateWrites = lateWrites;
    this.verification = verification;
    this.clock = clock;
  }

  void expire(Closing closing) {
    if (clock.instant().isBefore(closing.period().expiresAt())) {
      return;
    }
    lateWrites.look(closing);
    stages.expire(
        closing,
        () -> {
          verification.verify(List.of(closing.period().id())).require();
          drop(closing);
        });
  }

  private void drop(Closing closing) {
    if (closing.board().adoption() == null) {
      live.drop(closing.period());
    } else {
      adopted.drop(closing.period(), closing.board());
    }
  }
}
