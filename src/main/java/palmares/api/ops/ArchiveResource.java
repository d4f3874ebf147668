package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.time.DayOrTime;

/** The verbs on archives, which are in the folder that the server's settings name. */
@HttpExchange("/api/v1/ops")
public interface ArchiveResource {
  /** Writes the journals of settled periods into files; failed if a period was not archived. */
  @Operation("opsArchive")
  @Requires(Role.OPERATOR)
  @PostExchange("/archive")
  Task archive(@RequestBody ArchiveRequest body, Call call);

  /** Compares archives with the audit log; failed if one differs. */
  @Operation("opsCheckArchive")
  @Requires(Role.OPERATOR)
  @PostExchange("/archive/check")
  Task check(@RequestBody ArchiveCheck body, Call call);

  /**
   * The body of an order to archive.
   *
   * @param board null for all boards, if {@code all} says so
   * @param all whether it is about all boards
   * @param before a day, which begins in UTC, or a time: periods that had ended by then
   * @param drop whether to delete the journal of expired periods from the database
   */
  record ArchiveRequest(
      String reason,
      @Nullable String board,
      boolean all,
      @Takes(DayOrTime.class) String before,
      boolean drop) {}

  /**
   * The body of a check of archives.
   *
   * @param board null for all boards
   */
  record ArchiveCheck(String reason, @Nullable String board) {}
}
