package palmares.operations.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.operations.explain.Explanation.Late;
import palmares.operations.explain.Explanation.Prize;
import palmares.operations.explain.Explanation.Standing;
import palmares.operations.explain.Explanation.Step;
import palmares.operations.explain.Explanation.Tie;
import palmares.operations.explain.Explanation.Transfer;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** An explanation as rows, for spreadsheets: one for each fact, and its first column says which. */
public final class ExplanationRows {
  /** The columns; a row has those that its part has. */
  public static final OutputTable<Row> COLUMNS =
      new OutputTable<Row>()
          .text("part", Row::part)
          .number("revision", Row::revision)
          .time("at", Row::at)
          .text("id", Row::id)
          .text("what", Row::what)
          .number("change", Row::change)
          .number("points", Row::points)
          .number("place", Row::place)
          .number("rank", Row::rank)
          .number("amount", Row::amount)
          .text("currency", Row::currency)
          .wrapped("why", Row::why);

  /**
   * A fact of an explanation.
   *
   * @param part event, result, prize, tie, transfer or late event
   * @param id of the event, or of the member with equal points
   * @param what the action, the status, the rule, or the purpose and the rule
   */
  public record Row(
      String part,
      @Nullable Integer revision,
      @Nullable Instant at,
      @Nullable String id,
      @Nullable String what,
      @Nullable Long change,
      @Nullable Long points,
      @Nullable Long place,
      @Nullable Long rank,
      @Nullable Long amount,
      @Nullable String currency,
      @Nullable String why) {

    static Row of(Step step) {
      return new Row(
          "event",
          null,
          step.at(),
          step.id(),
          Texts.here().of(step.action()),
          step.change(),
          step.points(),
          null,
          null,
          null,
          null,
          step.outcome());
    }

    static Row of(Standing end, String why) {
      return new Row(
          "result",
          end.revision(),
          end.reachedAt(),
          null,
          end.status(),
          null,
          end.points(),
          end.place(),
          end.rank(),
          null,
          null,
          why);
    }

    static Row of(Standing end, Prize prize) {
      return new Row(
          "prize",
          end.revision(),
          null,
          null,
          prize.rule(),
          null,
          null,
          null,
          null,
          prize.credits(),
          prize.currency(),
          Texts.here().of(prize.why()));
    }

    static Row of(Tie tie) {
      return new Row(
          "tie",
          null,
          null,
          tie.member(),
          null,
          null,
          null,
          tie.place(),
          tie.rank(),
          null,
          null,
          Texts.here().of(tie.why()));
    }

    static Row of(Transfer transfer) {
      return new Row(
          "transfer",
          transfer.revision(),
          transfer.at(),
          null,
          transfer.purpose() + " " + transfer.rule(),
          null,
          null,
          null,
          null,
          transfer.amount(),
          transfer.currency(),
          "from %s to %s".formatted(transfer.from(), transfer.to()));
    }

    static Row of(Late late) {
      return new Row(
          "late event",
          null,
          late.arrivedAt(),
          late.id(),
          Texts.here().of(late.action()),
          null,
          null,
          null,
          null,
          null,
          null,
          Texts.here().list(late.why()));
    }
  }

  private ExplanationRows() {}

  /** All facts, in the order of the page. */
  public static List<Row> of(Explanation explanation) {
    var rows = new ArrayList<Row>();
    explanation.journal().steps().forEach(step -> rows.add(Row.of(step)));
    for (Standing end : explanation.ends()) {
      rows.add(Row.of(end, why(end)));
      end.prizes().forEach(prize -> rows.add(Row.of(end, prize)));
    }
    explanation.ties().near().forEach(tie -> rows.add(Row.of(tie)));
    explanation.transfers().forEach(transfer -> rows.add(Row.of(transfer)));
    explanation.late().forEach(late -> rows.add(Row.of(late)));
    return rows;
  }

  private static String why(Standing end) {
    var why = new ArrayList<Sentence>(end.said());
    if (end.excluded() != null) {
      why.add(end.excluded());
    }
    why.addAll(end.corrections());
    if (end.nothing() != null) {
      why.add(end.nothing());
    }
    return Texts.here().list(why);
  }
}
