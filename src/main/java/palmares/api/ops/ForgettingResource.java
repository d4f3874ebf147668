package palmares.api.ops;

import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.rules.board.MemberId;

/** Forgets members who asked for it. */
@HttpExchange("/api/v1/ops")
public interface ForgettingResource {
  /**
   * Deletes the profile of a member: nickname, invite code and external id. The member's id and all
   * that was paid stay. There is no way back.
   */
  @Operation("opsForgetMember")
  @Requires(Role.ADMIN)
  @PostExchange("/members/forget")
  Task forgetMember(@RequestBody ForgettingRequest body, Call call);

  /**
   * The body of a forgetting.
   *
   * @param member the id
   */
  record ForgettingRequest(String reason, @Takes(MemberId.class) String member) {}
}
