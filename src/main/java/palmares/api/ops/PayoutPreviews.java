package palmares.api.ops;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import palmares.live.journal.Journal;
import palmares.operations.tasks.ExpectedPayout;
import palmares.operations.tasks.Result;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.Preview;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.outcome.Revision;

/** Says what periods would pay, before they do. */
@Component
class PayoutPreviews {
  private final Preview preview;
  private final Journal journal;
  private final BoardDefinitions definitions;

  PayoutPreviews(Preview preview, Journal journal, BoardDefinitions definitions) {
    this.preview = preview;
    this.journal = journal;
    this.definitions = definitions;
  }

  /** Completes the journal of an open period, from which its payout is estimated. */
  void drain(Period period) {
    if (period.state() == PeriodState.OPEN && definitions.of(period).kind().countsEvents()) {
      journal.drain(period);
    }
  }

  /** As {@link Preview#ask}. */
  <T> T ask(Period period, Function<PayoutForecast, T> reader) {
    return preview.ask(period, reader);
  }

  /** The same dry run, with what the period would pay. */
  Result paying(Period period, Result dryRun) {
    return preview.ask(
        period,
        forecast ->
            dryRun.and(sums(forecast)).then(next(forecast)).paying(ExpectedPayout.of(forecast)));
  }

  /** The same of an approval, which is rolled back: nobody has approved it. */
  Result paying(Period period, Result dryRun, Revision held) {
    return preview.ask(
        period,
        forecast ->
            dryRun
                .and(byRule(forecast))
                .then(next(forecast))
                .paying(ExpectedPayout.of(forecast).decided(held)));
  }

  /** What a period pays. */
  List<Sentence> sums(PayoutForecast forecast) {
    var said = new ArrayList<Sentence>();
    said.add(heading(forecast));
    said.addAll(byRule(forecast));
    return said;
  }

  /** What each rule pays, and what must be done before. */
  private static List<Sentence> byRule(PayoutForecast forecast) {
    var said = new ArrayList<Sentence>();
    if (forecast.rules().isEmpty()) {
      said.add(new PreviewSentences.Nothing());
    }
    said.addAll(forecast.rules());
    if (!forecast.withheld().isEmpty()) {
      said.add(new PreviewSentences.Withheld(forecast.withheld()));
    }
    forecast.ties().forEach(tie -> said.add(new PreviewSentences.Tied(AmendmentReport.tie(tie))));
    forecast.reasons().forEach(reason -> said.add(new PreviewSentences.NeedsApproval(reason)));
    if (forecast.isPaused()) {
      said.add(new PreviewSentences.BoardPaused());
    }
    if (forecast.period().state() == PeriodState.REJECTED) {
      said.add(new PreviewSentences.RestartComputes());
    }
    return said;
  }

  /** What a person can do so that it pays. */
  private static List<Next> next(PayoutForecast forecast) {
    Period period = forecast.period();
    var next = new ArrayList<Next>();
    if (forecast.isPaused()) {
      next.add(Next.of("resume").with("board", period.board()));
    }
    if (period.state() == PeriodState.REJECTED) {
      next.add(Next.of("restart", period.board(), period.name()));
    }
    return next;
  }

  /** Whether the period pays nothing before a person acts. */
  static boolean needsPerson(PayoutForecast forecast) {
    return forecast.period().state() == PeriodState.REJECTED || !forecast.reasons().isEmpty();
  }

  /** What becomes of the figures that follow. */
  private Sentence heading(PayoutForecast forecast) {
    Period period = forecast.period();
    String label = period.label();
    long members = forecast.members();
    Instant release = forecast.outcome().releaseAt();
    return switch (period.state()) {
      case OPEN, SEALED -> new PreviewSentences.IfItEnded(label, members);
      case FILLED ->
          forecast.reasons().isEmpty()
              ? new PreviewSentences.NextRun(label, members)
              : new PreviewSentences.WillBeHeld(label, members);
      case HELD ->
          release == null
              ? new PreviewSentences.Held(label, members)
              : new PreviewSentences.HeldUntil(label, members, in(period, release));
      case REJECTED -> new PreviewSentences.Rejected(label, members, decision(forecast));
      case APPROVED -> new PreviewSentences.Approved(label, members, decision(forecast));
      case SETTLED, EXPIRED -> new PreviewSentences.Paid(label, members);
    };
  }

  private Sentence decision(PayoutForecast forecast) {
    var decision = Objects.requireNonNull(forecast.outcome().decision());
    return new ClosingSentences.Decided(
        decision.verdict(), decision.by(), in(forecast.period(), decision.at()));
  }

  private ZonedDateTime in(Period period, Instant at) {
    return at.atZone(definitions.of(period).zone());
  }
}
