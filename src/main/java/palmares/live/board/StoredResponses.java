package palmares.live.board;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** Answers that are given again when the same request comes again, for a while. */
@Component
public class StoredResponses {
  /** So long an answer is kept. */
  public static final Duration KEPT = Duration.ofHours(24);

  /** So long a claim keeps others waiting whose process died before it had an answer. */
  private static final Duration CLAIM = Duration.ofMinutes(1);

  private final RedisClient redis;

  StoredResponses(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * Which request it is.
   *
   * @param key what the caller calls it, together with the caller
   * @param print a digest of all that it asks for
   * @param owner who works on it, unlike any other: one whose claim has ended changes nothing
   */
  public record Request(String key, String print, String owner) {}

  /** What became of a claim. */
  public sealed interface Claim {
    /** The request is new: whoever claimed it answers it. */
    record Claimed() implements Claim {}

    /** The key stands for another request. */
    record Other() implements Claim {}

    /** Somebody works on it. */
    record Running() implements Claim {}

    /** It was answered before. */
    record Kept(Answer answer) implements Claim {}
  }

  /** An answer, as it went over the wire. */
  public record Answer(int status, String type, byte[] body) {}

  /** Claims the request, or says what came of an earlier claim. */
  public Claim claim(Request request) {
    List<byte[]> answer =
        redis.run(
            LuaScript.CLAIM,
            new ScriptCall(
                keys(request),
                LiveBoards.arguments(request.print(), CLAIM.toMillis() + "", request.owner())));
    return switch (LiveBoards.text(answer.get(0))) {
      case "claimed" -> new Claim.Claimed();
      case "other" -> new Claim.Other();
      case "running" -> new Claim.Running();
      default ->
          new Claim.Kept(
              new Answer(
                  Integer.parseInt(LiveBoards.text(answer.get(1))),
                  LiveBoards.text(answer.get(2)),
                  answer.get(3)));
    };
  }

  /** Keeps the answer to a claimed request. */
  public void keep(Request request, Answer answer) {
    byte[][] fields =
        LiveBoards.arguments(
            request.owner(), answer.status() + "", answer.type(), KEPT.toMillis() + "", "");
    fields[fields.length - 1] = answer.body();
    redis.run(LuaScript.KEEP, new ScriptCall(keys(request), fields));
  }

  /** Gives a claim up: the request may be claimed again. */
  public void release(Request request) {
    redis.run(
        LuaScript.RELEASE, new ScriptCall(keys(request), LiveBoards.arguments(request.owner())));
  }

  private static byte[][] keys(Request request) {
    return new byte[][] {
      ("palmares:answer:{" + request.key() + "}").getBytes(StandardCharsets.UTF_8)
    };
  }
}
