package palmares.api.ops;

import java.util.List;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.StoredResponses;
import palmares.live.member.Members;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.MemberId;

@RestController
class ForgettingController implements ForgettingResource {
  /** What is said of a member that is forgotten. */
  interface ForgettingSentences {
    record Forgotten(String member) implements Sentence {}

    record ForgottenBefore(String member) implements Sentence {}

    record AnswersLeft(String member) implements Sentence {}
  }

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
                    ? new ForgettingSentences.Forgotten(member.value())
                    : new ForgettingSentences.ForgottenBefore(member.value())),
        result -> withoutResponses(result, member));
  }

  /** Another call removes what Redis keeps if it does not answer now, or this process dies. */
  private Result withoutResponses(Result result, MemberId member) {
    try {
      responses.removeWith(member.value());
      return result;
    } catch (RedisUnavailable e) {
      return new Result(Task.State.FAILED, result.messages())
          .and(List.of(new ForgettingSentences.AnswersLeft(member.value())))
          .then(Next.of("forget").with("member", member.value()));
    }
  }
}
