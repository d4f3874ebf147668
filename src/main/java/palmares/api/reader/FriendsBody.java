package palmares.api.reader;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads {@code {"members": ["ann", "bob"]}} while it arrives, strictly. */
final class FriendsBody {
  /** Room for 1,000 ids of 64 bytes, even if every character of them is escaped. */
  static final int MAX_BYTES = 512 << 10;

  private FriendsBody() {}

  /**
   * @throws Refusal if the body is anything else
   * @throws palmares.api.http.ProblemException if it names too many, as soon as it does
   */
  static List<String> members(InputStream body) {
    return StrictJson.document(body, FriendsBody::members);
  }

  private static List<String> members(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new Refusal(
          RefusalReason.MALFORMED, "send an object, as {\"members\": [\"ann\", \"bob\"]}");
    }
    List<String> members = null;
    for (String field = json.nextName(); field != null; field = json.nextName()) {
      if (!field.equals("members")) {
        throw new Refusal(RefusalReason.UNKNOWN_FIELD, "there is only the field 'members' here");
      }
      members = names(json);
    }
    if (members == null) {
      throw new Refusal(
          RefusalReason.MISSING_FIELD, "name the members, as {\"members\": [\"ann\"]}");
    }
    return members;
  }

  private static List<String> names(JsonParser json) {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      throw ParameterLimits.invalid("'members' is a list of members' ids");
    }
    var names = new ArrayList<String>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw ParameterLimits.invalid("'members' is a list of members' ids, which are texts");
      }
      names.add(json.getString());
      ParameterLimits.requireFew(names.size());
    }
    return names;
  }
}
