package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.settlement.nightly.NightlyResult;

/** What was verified by itself, as people read it. */
final class NightlyReport {
  private NightlyReport() {}

  static String of(List<NightlyResult> nights) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            nights,
            List.of(
                Columns.text("night").<NightlyResult>with(night -> night.night().toString()),
                Columns.text("began").with(night -> second(night.startedAt())),
                Columns.text("took")
                    .with(
                        night ->
                            DisplayFormat.duration(
                                Duration.between(night.startedAt(), night.endedAt()))),
                Columns.text("since").with(night -> second(night.since())),
                Columns.number("periods").with(night -> DisplayFormat.number(night.periods())),
                Columns.number("differences")
                    .with(night -> DisplayFormat.number(night.differences())),
                Columns.text("first")
                    .with(night -> night.first() == null ? "" : TerminalText.of(night.first()))))
        .asString();
  }

  private static String second(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
