package palmares.api.writer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.RefusalReason;

/** An outcome as answers spell it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OutcomeView(
    @Nullable String id,
    String outcome,
    @Nullable String reason,
    @Nullable String detail,
    List<OnBoard> boards) {

  /** What became of the event on one board. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OnBoard(
      String board,
      @Nullable String period,
      String outcome,
      @Nullable String reason,
      @Nullable String detail,
      long change,
      @Nullable Long points) {}

  static OutcomeView of(EventOutcome outcome) {
    return new OutcomeView(
        outcome.id(),
        outcome.kind().word(),
        word(outcome.reason()),
        outcome.detail(),
        outcome.boards().stream().map(OutcomeView::onBoard).toList());
  }

  private static OnBoard onBoard(EventOutcome.OnBoard on) {
    return new OnBoard(
        on.board().value(),
        on.period() == null ? null : on.period().value(),
        on.kind().word(),
        word(on.reason()),
        on.detail(),
        on.change(),
        on.points());
  }

  private static @Nullable String word(@Nullable RefusalReason reason) {
    return reason == null ? null : reason.word();
  }
}
