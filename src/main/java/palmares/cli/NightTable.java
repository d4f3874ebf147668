package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import palmares.cli.terminal.Printable;
import palmares.nightly.NightLine;

/** What was verified by itself, as people read it. */
final class NightTable {
  private static final int WIDEST = 60;

  private NightTable() {}

  static String of(List<NightLine> nights) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            nights,
            List.of(
                column("night").<NightLine>with(night -> night.night().toString()),
                column("began").with(night -> second(night.startedAt())),
                column("took")
                    .with(
                        night ->
                            Spoken.duration(Duration.between(night.startedAt(), night.endedAt()))),
                column("since").with(night -> second(night.since())),
                number("periods").with(night -> Spoken.number(night.periods())),
                number("differences").with(night -> Spoken.number(night.differences())),
                column("first")
                    .with(night -> night.first() == null ? "" : Printable.of(night.first()))))
        .asString();
  }

  private static String second(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static Column number(String header) {
    return new Column().header(header).dataAlign(HorizontalAlign.RIGHT);
  }

  private static Column column(String header) {
    return new Column()
        .header(header)
        .headerAlign(HorizontalAlign.LEFT)
        .dataAlign(HorizontalAlign.LEFT)
        .maxWidth(WIDEST);
  }
}
