package palmares.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores responses in Redis, so that a repeated request with the same key gets the same response.
 */
@Component
public class StoredResponses {
  private static final String KEYS = "palmares:answer:";
  private static final JsonMapper JSON = JsonMapper.shared();

  static final Duration RETENTION = Duration.ofHours(24);

  /** After this time a request may be claimed again if its process died before it responded. */
  private static final Duration CLAIM_DURATION = Duration.ofMinutes(1);

  private static final LuaScript CLAIM =
      LuaScript.read(StoredResponses.class, "claim_response.lua");
  private static final LuaScript STORE =
      LuaScript.read(StoredResponses.class, "store_response.lua");
  private static final LuaScript RELEASE =
      LuaScript.read(StoredResponses.class, "release_claim.lua");

  private final RedisClient redis;
  private final KeyScan scan;

  StoredResponses(RedisClient redis, KeyScan scan) {
    this.redis = redis;
    this.scan = scan;
  }

  /**
   * A request with an idempotency key.
   *
   * @param key the caller and its idempotency key
   * @param digest a digest of everything that the request asks for
   * @param owner unique to this attempt, so that an attempt whose claim has expired changes nothing
   */
  record Request(String key, String digest, String owner) {}

  /** The result of a claim. */
  sealed interface Claim {
    /** The request is new; the caller must store or release it. */
    record Claimed() implements Claim {}

    /** The key was used for a different request. */
    record Mismatch() implements Claim {}

    /** The request is being processed. */
    record Running() implements Claim {}

    /** The request was processed before. */
    record Stored(Response response) implements Claim {}
  }

  /** A response as it was sent. */
  record Response(int status, String type, byte[] body) {}

  /** Claims the request, unless an earlier claim or response exists. */
  Claim claim(Request request) {
    List<byte[]> answer =
        redis.run(
            CLAIM,
            call(request, request.digest(), CLAIM_DURATION.toMillis() + "", request.owner()));
    return switch (text(answer.get(0))) {
      case "claimed" -> new Claim.Claimed();
      case "mismatch" -> new Claim.Mismatch();
      case "running" -> new Claim.Running();
      default ->
          new Claim.Stored(
              new Response(
                  Integer.parseInt(text(answer.get(1))), text(answer.get(2)), answer.get(3)));
    };
  }

  /** Stores the response to a claimed request. */
  void store(Request request, Response response) {
    ScriptCall call =
        call(
            request,
            request.owner(),
            response.status() + "",
            response.type(),
            RETENTION.toMillis() + "",
            "");
    call.arguments()[4] = response.body();
    redis.run(STORE, call);
  }

  /** Releases a claim, so that the request can be claimed again. */
  void release(Request request) {
    redis.run(RELEASE, call(request, request.owner()));
  }

  /**
   * Removes the responses that contain a text as a value of JSON. The repeat of such a request is
   * processed again.
   */
  public void removeWith(String text) {
    String quoted = JSON.writeValueAsString(text);
    scan.keys(
        KEYS + "*",
        keys -> keys.stream().filter(key -> contains(key, quoted)).forEach(redis::remove));
  }

  private boolean contains(String key, String quoted) {
    var found = new AtomicBoolean();
    scan.hash(
        key,
        fields ->
            fields.values().stream()
                .filter(value -> text(value).contains(quoted))
                .forEach(value -> found.set(true)));
    return found.get();
  }

  private static ScriptCall call(Request request, String... arguments) {
    return new ScriptCall(
        ScriptCall.arguments(KEYS + "{" + request.key() + "}"), ScriptCall.arguments(arguments));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
