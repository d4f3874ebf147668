package palmares.api.http;

import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import palmares.api.http.StoredResponses.Claim;
import palmares.api.http.StoredResponses.Request;
import palmares.api.http.StoredResponses.Response;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.board.Sha256;

/** Answers requests that carry an {@code Idempotency-Key} once, and from then on the same again. */
@Component
public class Idempotency {
  /** The name of the header that brings the key. */
  public static final String KEY = "Idempotency-Key";

  private static final String REPLAYED = "Idempotent-Replayed";
  private static final int MOST_BYTES = 64 << 10;

  /** Others say that the request was not looked at, or that it may come out differently. */
  private static final Set<Integer> FINAL = Set.of(200, 409, 422);

  private static final Pattern SHAPE =
      Pattern.compile("\"([ !#-\\[\\]-~]{1,255})\"|([!#-~]{1,255})");

  private final StoredResponses responses;
  private final Outages outages;

  Idempotency(StoredResponses responses, Loops loops) {
    this.responses = responses;
    this.outages = loops.outages();
  }

  /**
   * A request, as far as another may be the same.
   *
   * @param key what its header of that name says; null if it has none
   * @param caller who sends it: two callers may choose one key
   * @param address where it is sent
   */
  public record Asked(@Nullable String key, String caller, String address, byte[] body) {}

  /**
   * Works on the request, unless it was answered before.
   *
   * @throws ProblemException if the key is none, or stands for another request or a running one
   */
  public ResponseEntity<byte[]> once(Asked asked, Supplier<ResponseEntity<byte[]>> work) {
    if (asked.key() == null) {
      return work.get();
    }
    Request request = request(asked.key(), asked);
    Claim claim = responses.claim(request);
    if (claim instanceof Claim.Stored stored) {
      return replay(stored.response());
    }
    if (claim instanceof Claim.Mismatch) {
      throw new ProblemException(
          Problem.IDEMPOTENCY_KEY_REUSED,
          "this %s came with another body before: send a new one".formatted(KEY));
    }
    if (claim instanceof Claim.Running) {
      throw new ProblemException(
          Problem.IDEMPOTENCY_KEY_IN_USE,
          "the first request with this %s is still being answered: ask again".formatted(KEY));
    }
    return claimed(request, work);
  }

  private ResponseEntity<byte[]> claimed(Request request, Supplier<ResponseEntity<byte[]>> work) {
    boolean keep = false;
    try {
      ResponseEntity<byte[]> answer = work.get();
      byte[] body = answer.getBody();
      keep =
          FINAL.contains(answer.getStatusCode().value())
              && body != null
              && body.length <= MOST_BYTES
              && keep(request, answer, body);
      return answer;
    } finally {
      if (!keep) {
        release(request);
      }
    }
  }

  /** What was done is done: that its answer cannot be kept must not make it look undone. */
  private boolean keep(Request request, ResponseEntity<byte[]> answer, byte[] body) {
    try {
      String type = String.valueOf(answer.getHeaders().getContentType());
      responses.store(request, new Response(answer.getStatusCode().value(), type, body));
      return true;
    } catch (RedisUnavailable e) {
      outages.noteRequest(e);
      return false;
    }
  }

  private void release(Request request) {
    try {
      responses.release(request);
    } catch (RedisUnavailable e) {
      outages.noteRequest(e); // The request stays claimed for a minute.
    }
  }

  private static ResponseEntity<byte[]> replay(Response response) {
    return ResponseEntity.status(response.status())
        .contentType(MediaType.parseMediaType(response.type()))
        .header(REPLAYED, "true")
        .body(response.body());
  }

  private static Request request(String header, Asked asked) {
    Matcher shape = SHAPE.matcher(header.strip());
    if (!shape.matches()) {
      throw new ProblemException(
          Problem.INVALID_IDEMPOTENCY_KEY,
          "%s is 1 to 255 visible characters of ASCII, in quotes or without".formatted(KEY));
    }
    String key = shape.group(1) == null ? shape.group(2) : shape.group(1);
    String who = String.join("\n", asked.caller(), asked.address(), key);
    return new Request(Sha256.of(who), Sha256.of(asked.body()), UUID.randomUUID().toString());
  }
}
