package palmares.api.http;

import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.WebRequest;
import palmares.api.http.StoredResponses.Claim;
import palmares.api.http.StoredResponses.Request;
import palmares.api.http.StoredResponses.Response;
import palmares.operations.tasks.Call;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.board.Sha256;

/**
 * Processes requests with an {@code Idempotency-Key} once, and answers repeats with the same
 * response.
 */
@Component
public class Idempotency {
  public static final String HEADER = "Idempotency-Key";

  private static final String REPLAYED_HEADER = "Idempotent-Replayed";
  private static final int MAX_STORED_BYTES = 64 << 10;

  /** Responses with another status are not stored, as a repeat may have another result. */
  private static final Set<Integer> STORED_STATUSES = Set.of(200, 409, 422);

  private final StoredResponses responses;
  private final Outages outages;

  Idempotency(StoredResponses responses, Loops loops) {
    this.responses = responses;
    this.outages = loops.outages();
  }

  /**
   * Returns the key of a request, without the quotes that it may be sent in; null if it has none.
   *
   * @throws Refusal if it is not valid, or sent several times
   */
  public static @Nullable String key(WebRequest request) {
    String[] keys = request.getHeaderValues(HEADER);
    if (keys == null) {
      return null;
    }
    if (keys.length > 1) {
      throw new Refusal(
          Problem.INVALID_IDEMPOTENCY_KEY, new HttpSentences.KeyRepeated(keys.length));
    }
    String key = keys[0].strip().replaceFirst("^\"(.*)\"$", "$1");
    Call.requireValidKey(key);
    return key;
  }

  /**
   * Says what identifies a request.
   *
   * @param key as {@link #key} returns it; null if it has none
   * @param caller the caller's name, as two callers may choose the same idempotency key
   */
  public record Identity(@Nullable String key, String caller, String path, byte[] body) {}

  /**
   * Processes the request, or returns the stored response of an earlier one with the same identity.
   *
   * @throws Refusal if the key belongs to a different or a running request
   */
  public ResponseEntity<byte[]> once(Identity identity, Supplier<ResponseEntity<byte[]>> work) {
    if (identity.key() == null) {
      return work.get();
    }
    Request request = request(identity.key(), identity);
    Claim claim = responses.claim(request);
    if (claim instanceof Claim.Stored stored) {
      return replay(stored.response());
    }
    if (claim instanceof Claim.Mismatch) {
      throw new Refusal(Problem.IDEMPOTENCY_KEY_REUSED, new HttpSentences.KeyReused());
    }
    if (claim instanceof Claim.Running) {
      throw new Refusal(Problem.IDEMPOTENCY_KEY_IN_USE, new HttpSentences.KeyInUse());
    }
    return process(request, work);
  }

  private ResponseEntity<byte[]> process(Request request, Supplier<ResponseEntity<byte[]>> work) {
    boolean stored = false;
    try {
      ResponseEntity<byte[]> response = work.get();
      byte[] body = response.getBody();
      stored =
          STORED_STATUSES.contains(response.getStatusCode().value())
              && body != null
              && body.length <= MAX_STORED_BYTES
              && store(request, response, body);
      return response;
    } finally {
      if (!stored) {
        release(request);
      }
    }
  }

  /** Does not fail if Redis does, because the request has been processed. */
  private boolean store(Request request, ResponseEntity<byte[]> response, byte[] body) {
    try {
      String type = String.valueOf(response.getHeaders().getContentType());
      responses.store(request, new Response(response.getStatusCode().value(), type, body));
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
      outages.noteRequest(e); // The claim expires after a minute.
    }
  }

  private static ResponseEntity<byte[]> replay(Response response) {
    return ResponseEntity.status(response.status())
        .contentType(MediaType.parseMediaType(response.type()))
        .header(REPLAYED_HEADER, "true")
        .body(response.body());
  }

  private static Request request(String key, Identity identity) {
    String scopedKey = String.join("\n", identity.caller(), identity.path(), key);
    return new Request(
        Sha256.of(scopedKey), Sha256.of(identity.body()), UUID.randomUUID().toString());
  }
}
