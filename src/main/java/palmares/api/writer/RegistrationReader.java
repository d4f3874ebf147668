package palmares.api.writer;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import palmares.live.member.ExternalId;
import palmares.live.member.Registration;
import palmares.rules.board.MemberId;
import tools.jackson.databind.JsonNode;

/**
 * Reads registrations from JSON, strictly. No message repeats what the body says, since that may be
 * somebody's telephone number.
 */
final class RegistrationReader {
  private static final Set<String> FIELDS =
      Set.of("externalId", "nickname", "inviteCode", "member");

  private RegistrationReader() {}

  /**
   * @throws Refusal if the text is no registration
   */
  static Registration registration(byte[] text) {
    JsonNode body = body(text);
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new Refusal(
            RefusalReason.UNKNOWN_FIELD,
            "a registration has no fields but " + String.join(", ", new TreeSet<>(FIELDS)));
      }
    }
    String externalId = required(body, "externalId");
    String nickname = required(body, "nickname");
    String inviteCode = optional(body, "inviteCode");
    String member = optional(body, "member");
    try {
      return new Registration(
          new ExternalId(externalId),
          nickname,
          inviteCode,
          member == null ? null : new MemberId(member));
    } catch (IllegalArgumentException e) {
      throw new Refusal(RefusalReason.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode body(byte[] text) {
    JsonNode body;
    try {
      body = StrictJson.value(text);
    } catch (Refusal refusal) {
      throw malformed();
    }
    if (!body.isObject()) {
      throw malformed();
    }
    return body;
  }

  private static Refusal malformed() {
    return new Refusal(
        RefusalReason.MALFORMED, "a registration is one JSON object, and this is none");
  }

  private static String required(JsonNode body, String field) {
    String text = optional(body, field);
    if (text == null) {
      throw new Refusal(
          RefusalReason.MISSING_FIELD, "a registration needs the field '" + field + "'");
    }
    return text;
  }

  private static @Nullable String optional(JsonNode body, String field) {
    JsonNode node = body.get(field);
    if (node == null || node.isNull()) {
      return null;
    }
    if (!node.isString()) {
      throw new Refusal(RefusalReason.INVALID_FIELD, "'%s' is a text".formatted(field));
    }
    return node.stringValue();
  }
}
