package palmares.api.ops;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.report.TierHistory.TierMove;
import palmares.platform.output.Wrapped;
import palmares.rules.board.BoardId;

/** The boards that have a file, and the moves between them. */
@HttpExchange("/api/v1/ops")
public interface CatalogueResource {
  /** Lists the boards that have a file. */
  @Operation("opsBoards")
  @Requires(Role.VIEWER)
  @GetExchange("/boards")
  Rows<BoardRow> boards();

  /** Describes a board: its rules in words, and its next periods. */
  @Operation("opsBoard")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}")
  Rows<BoardRow> board(@PathVariable String board);

  /**
   * Describes boards by the texts of their files, which need not be those of the server: their
   * rules in words, and the periods after those in the database. Failed if a board refers to a list
   * that does not exist. Keeps nothing.
   */
  @Operation("opsCheckBoards")
  @Requires(Role.VIEWER)
  @PostExchange("/boards/check")
  Rows<BoardRow> checkBoards(@RequestBody BoardFilesRequest body);

  /**
   * Lists which members move between the boards of a family; failed if a board is not settled.
   *
   * @param period null for the latest settled one
   */
  @Operation("opsMoves")
  @Requires(Role.VIEWER)
  @GetExchange("/families/{family}/moves")
  Rows<TierMove> moves(
      @PathVariable String family, @RequestParam(required = false) @Nullable String period);

  /**
   * A board that has a file.
   *
   * @param periodsLike the name of a period
   * @param grace how long late events are waited for, as in ISO 8601
   * @param rules the hash of its file
   */
  record BoardRow(
      String board,
      @Wrapped String title,
      String zone,
      String periodsLike,
      String grace,
      String rules) {}

  /**
   * The body of a check of board files.
   *
   * @param files the text of each file, by its name, such as {@code invites.yml}
   * @param board the only one to describe, though all are checked; null for all
   */
  record BoardFilesRequest(
      Map<String, String> files, @Nullable @Takes(BoardId.class) String board) {}
}
