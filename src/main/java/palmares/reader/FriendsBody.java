package palmares.reader;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import palmares.http.Problem;
import palmares.http.ProblemException;
import palmares.intake.EventReader;
import palmares.intake.Reason;
import palmares.intake.Refusal;
import tools.jackson.databind.JsonNode;

/** Reads {@code {"members": ["ann", "bob"]}}, strictly. */
final class FriendsBody {
  private static final int MOST_BYTES = 1 << 20;

  private FriendsBody() {}

  /**
   * @throws Refusal if the body is anything else
   */
  static List<String> members(InputStream body) throws IOException {
    byte[] text = body.readNBytes(MOST_BYTES + 1);
    if (text.length > MOST_BYTES) {
      throw new ProblemException(
          Problem.TOO_LARGE, "a question brings at most %d bytes".formatted(MOST_BYTES));
    }
    JsonNode value = EventReader.json(text);
    if (!value.isObject()) {
      throw new Refusal(Reason.MALFORMED, "send an object, as {\"members\": [\"ann\", \"bob\"]}");
    }
    for (String field : value.propertyNames()) {
      if (!field.equals("members")) {
        throw new Refusal(Reason.UNKNOWN_FIELD, "there is only the field 'members' here");
      }
    }
    JsonNode members = value.get("members");
    if (members == null) {
      throw new Refusal(Reason.MISSING_FIELD, "name the members, as {\"members\": [\"ann\"]}");
    }
    var names = new ArrayList<String>();
    for (JsonNode member : members) {
      if (!member.isString()) {
        throw Limits.invalid("'members' is a list of members' ids, which are texts");
      }
      names.add(member.stringValue());
    }
    if (!members.isArray()) {
      throw Limits.invalid("'members' is a list of members' ids");
    }
    return names;
  }
}
