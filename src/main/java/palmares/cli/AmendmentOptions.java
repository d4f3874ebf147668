package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.BoardFiles;
import palmares.rules.catalogue.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import picocli.CommandLine.Option;

/** What is to be other than it came out. */
final class AmendmentOptions {
  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Award by this file's ranks, rewards and payout; all else in it must be as it was.")
  private @Nullable Path rules;

  @Option(
      names = "--points",
      paramLabel = "MEMBER=N",
      description = "Put a member's points right by hand; may be given several times.")
  private Map<String, Long> points = new LinkedHashMap<>();

  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "How ties are paid that the rules leave to a person: each, share or order (default: as"
              + " they were decided before).")
  private @Nullable String ties;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many changes to show (default: 20).")
  private int top;

  /** Null if nobody says so. */
  @Nullable Ties ties() {
    return ApproveCommand.ties(ties);
  }

  int top() {
    if (top < 1) {
      throw UserError.badInput("--top is 1 or more, not " + top);
    }
    return top;
  }

  Map<MemberId, Long> points() {
    var right = new LinkedHashMap<MemberId, Long>();
    points.forEach(
        (member, number) -> {
          try {
            right.put(new MemberId(member), number);
          } catch (IllegalArgumentException e) {
            throw UserError.badInput("--points: " + e.getMessage());
          }
        });
    return right;
  }

  /** The rules of the file; null if there is none. */
  @Nullable Board rules(BoardId board) {
    if (rules == null) {
      return null;
    }
    try {
      return BoardFiles.parse(board, Files.readString(rules));
    } catch (BoardFilesException e) {
      throw UserError.badInput("%s: %s".formatted(rules, e.getMessage()));
    } catch (IOException e) {
      throw UserError.badInput("%s cannot be read: %s".formatted(rules, e.getMessage()));
    }
  }
}
