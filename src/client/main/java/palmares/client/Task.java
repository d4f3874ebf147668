package palmares.client;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A verb of the operations API that somebody called, and what became of it.
 *
 * @param endedAt null while it runs
 * @param messages what it has done
 * @param progress what it does, in the order of time
 * @param problem the word of the problem that ended it; null if none did
 * @param detail what the problem is; null if there is none
 * @param json all fields of the answer
 */
public record Task(
    long id,
    String verb,
    State state,
    @Nullable Instant endedAt,
    List<Message> messages,
    List<Message> progress,
    @Nullable String problem,
    @Nullable Message detail,
    Map<String, Object> json) {
  /** The states of a task. */
  public enum State {
    RUNNING,
    DONE,
    /** It waits for another person. */
    HELD,
    FAILED,
    /** Its process died, and nobody continues it. */
    ABANDONED
  }

  /**
   * What a server says.
   *
   * @param code what programs read; null if another system has said it
   * @param values the values of the text by name
   * @param text in the language of the client
   */
  public record Message(@Nullable String code, Map<String, Object> values, String text) {
    static Message of(Map<String, Object> json) {
      return new Message(
          Json.text(json, "code"), Json.map(json, "values"), Json.required(json, "text"));
    }
  }

  /** Whether it has ended. */
  public boolean isOver() {
    return endedAt != null;
  }

  static Task of(Map<String, Object> json) {
    Long id = Json.number(json, "id");
    Map<String, Object> detail = Json.map(json, "detail");
    return new Task(
        id == null ? 0 : id,
        Json.required(json, "verb"),
        State.valueOf(Json.required(json, "state").toUpperCase(Locale.ROOT)),
        Json.time(json, "endedAt"),
        Json.list(json.get("messages"), Message::of),
        Json.list(json.get("progress"), Message::of),
        Json.text(json, "problem"),
        detail.isEmpty() ? null : Message.of(detail),
        json);
  }
}
