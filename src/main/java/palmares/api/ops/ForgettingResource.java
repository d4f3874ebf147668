package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;

/** Forgets people who asked for it. */
@HttpExchange("/api/v1/ops")
public interface ForgettingResource {
  /**
   * Forgets a person: a pseudonym replaces the member's id everywhere. There is no way back. A call
   * that was interrupted is completed by the next one.
   */
  @Requires(Role.ADMIN)
  @PostExchange("/members/forget")
  Task forgetMember(@RequestBody ForgettingRequest body, Call call);

  /**
   * The body of a forgetting.
   *
   * @param reason must not contain the member's id
   * @param member the id, which the path does not have, as addresses are logged
   * @param pseudonym of a person who is forgotten already: the id is replaced only in the archives
   *     of the server's folder. Null to forget a person
   */
  record ForgettingRequest(
      @Nullable String reason, @Nullable String member, @Nullable String pseudonym) {}
}
