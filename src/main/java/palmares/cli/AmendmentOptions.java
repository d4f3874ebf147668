package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.AmendmentRequest;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.BoardFiles;
import palmares.rules.catalogue.BoardFilesException;
import picocli.CommandLine.Option;

/** The options that say what an amendment changes. */
final class AmendmentOptions {
  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Award by the ranks, rewards and payout of this board file; nothing else in it may"
              + " differ.")
  private @Nullable Path rules;

  @Option(
      names = "--points",
      paramLabel = "MEMBER=N",
      description = "Correct a member's points; may be repeated.")
  private Map<String, Long> points = new LinkedHashMap<>();

  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "How ties are paid that the rules hold for a decision: each, share or order (default: as"
              + " decided before).")
  private @Nullable String ties;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many changes to show (default: 20).")
  private int top;

  /** Whether the call changes what an amendment computes. */
  boolean isGiven() {
    return rules != null || !points.isEmpty() || ties != null;
  }

  int top() {
    return Arguments.atLeast(1, "--top", top);
  }

  /**
   * The amendment that is requested.
   *
   * @throws UserError if an option is wrong, or the rules cannot be read
   */
  AmendmentRequest request(BoardId board, String by, String reason) {
    var corrected = new LinkedHashMap<MemberId, Long>();
    points.forEach((member, number) -> corrected.put(Arguments.member(member), number));
    return new AmendmentRequest(by, reason, rules(board), corrected, ApproveCommand.ties(ties));
  }

  private @Nullable Board rules(BoardId board) {
    if (rules == null) {
      return null;
    }
    try {
      return BoardFiles.parse(board, Files.readString(rules));
    } catch (BoardFilesException e) {
      throw UserError.badInput("%s: %s", rules, e.getMessage());
    } catch (IOException e) {
      throw UserError.badInput("%s cannot be read: %s", rules, e.getMessage());
    }
  }
}
