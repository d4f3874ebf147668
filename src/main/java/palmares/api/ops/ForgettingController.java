package palmares.api.ops;

import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.StoredResponses;
import palmares.api.ops.ForgettingSentences.Forgotten;
import palmares.api.ops.ForgettingSentences.ForgottenBefore;
import palmares.live.member.Members;
import palmares.rules.board.MemberId;

@RestController
class ForgettingController implements ForgettingResource {
  private final Tasks tasks;
  private final Members members;
  private final StoredResponses responses;

  ForgettingController(Tasks tasks, Members members, StoredResponses responses) {
    this.tasks = tasks;
    this.members = members;
    this.responses = responses;
  }

  @Override
  public Task forgetMember(ForgettingRequest body, Call call) {
    call.requireUnconditional();
    String reason = Lookup.reason(body.reason());
    MemberId member = Lookup.member(body.member());
    return tasks.now(
        call,
        new VerbRequest("forget", null, null, reason, body),
        by ->
            Result.done(
                members.forget(member, reason, by)
                    ? new Forgotten(member.value())
                    : new ForgottenBefore(member.value())),
        // Also repeated after a process that died between the commit and this.
        result -> {
          responses.removeWith(member.value());
          return result;
        });
  }
}
