package palmares.closing;

import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.audit.Verification;
import palmares.live.LiveBoards;

/** Lets live keys leave Redis: after the retention, and only if the period verifies. */
@Component
class Expiry {
  private final Stages stages;
  private final LiveBoards live;
  private final Verification verification;
  private final Clock clock;

  Expiry(Stages stages, LiveBoards live, Verification verification, Clock clock) {
    this.stages = stages;
    this.live = live;
    this.verification = verification;
    this.clock = clock;
  }

  void expire(Closing closing) {
    if (clock.instant().isBefore(closing.period().expiresAt())) {
      return;
    }
    stages.expire(
        closing,
        () -> {
          verification.verify(List.of(closing.period().id())).require();
          live.drop(closing.period());
        });
  }
}
