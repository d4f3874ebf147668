package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.text.Sentence;

/** Verifications, on demand and of each night. */
@HttpExchange("/api/v1/ops")
public interface VerificationResource {
  /** Verifies settled periods; failed if there are differences. */
  @Operation("opsVerify")
  @Requires(Role.OPERATOR)
  @PostExchange("/verify")
  Task verify(@RequestBody VerificationRequest body, Call call);

  /**
   * Lists what the nightly verifications found, the latest first; failed if the latest one found
   * something.
   */
  @Operation("opsVerifications")
  @Requires(Role.VIEWER)
  @GetExchange("/verifications")
  Rows<VerificationRow> verifications(PageRequest page);

  /**
   * The body of a verification.
   *
   * @param board null for all boards
   * @param period null for all settled periods of the board
   * @param links links that were kept, as {@code verify} printed them or a fact carried them; null
   *     for none
   */
  record VerificationRequest(
      String reason,
      @Nullable String board,
      @Nullable String period,
      @Nullable List<String> links) {}

  /**
   * The result of a nightly verification.
   *
   * @param night the day, in UTC, on which it was due
   * @param since it verified what was settled or amended from this time on
   * @param periods the number of periods
   * @param differences the number of differences
   * @param first the first difference; null if there is none
   */
  record VerificationRow(
      LocalDate night,
      Instant startedAt,
      Duration took,
      Instant since,
      long periods,
      long differences,
      @Nullable Sentence first) {}
}
