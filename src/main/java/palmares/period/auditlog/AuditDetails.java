package palmares.period.auditlog;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an audit entry says in addition to its object and the person's reason: typed values by name,
 * such as numbers, checksums, and what was before and after a change.
 *
 * @param values texts, numbers, true or false, times, or lists, maps and records of these
 */
public record AuditDetails(@JsonValue Map<String, Object> values) {
  public static final AuditDetails NONE = new AuditDetails(Map.of());

  /** The known names, each of which has a text in every language of the console. */
  public static final Set<String> NAMES =
      Set.of(
          "acceptLoss",
          "batch",
          "before",
          "boards",
          "budgets",
          "byRules",
          "cause",
          "changedMembers",
          "corrected",
          "credits",
          "csvSha256",
          "digest",
          "drop",
          "dropped",
          "endedAt",
          "entry",
          "events",
          "exclusion",
          "exclusions",
          "file",
          "findings",
          "first",
          "forceUnknown",
          "forgotten",
          "formerValidFor",
          "from",
          "import",
          "key",
          "kind",
          "last",
          "lateEvent",
          "level",
          "links",
          "list",
          "members",
          "missing",
          "missingEvents",
          "operations",
          "own",
          "periods",
          "periodsSha256",
          "person",
          "points",
          "process",
          "renamedFrom",
          "renamedTo",
          "replace",
          "roles",
          "rows",
          "rules",
          "secret",
          "secrets",
          "setting",
          "sha256",
          "since",
          "sources",
          "state",
          "stoppedImports",
          "sums",
          "target",
          "ties",
          "to",
          "until",
          "validFor",
          "value");

  /** The same with one more value, unless it is null, false, or an empty list or map. */
  public AuditDetails with(String name, @Nullable Object value) {
    // Tests run with assertions; in production a missing text must not stop what is recorded.
    assert NAMES.contains(name) : "the detail '%s' is not one of NAMES".formatted(name);
    if (value == null
        || value.equals(false)
        || value instanceof Collection<?> list && list.isEmpty()
        || value instanceof Map<?, ?> map && map.isEmpty()) {
      return this;
    }
    var more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new AuditDetails(more);
  }

  /** The same with the values of others. */
  AuditDetails with(AuditDetails others) {
    var more = new LinkedHashMap<>(values);
    more.putAll(others.values);
    return new AuditDetails(more);
  }

  /** The object that a value names, such as {@code batch 7}; null if there is none. */
  @Nullable String named(String name) {
    Object value = values.get(name);
    return value == null ? null : name + " " + value;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Returns the values as JSON. */
  @Override
  public String toString() {
    return JsonMapper.shared().writeValueAsString(values);
  }
}
