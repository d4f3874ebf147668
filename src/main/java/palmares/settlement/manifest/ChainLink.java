package palmares.settlement.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.platform.text.Choice;

/** Is a link of a chain that somebody kept outside of the database. */
public record ChainLink(Chain chain, long n, String hash) {
  /** A chain of hashes. */
  public enum Chain implements Choice {
    MANIFESTS(
        """
        select n, link.hash, posted_at as made_at, format('%s %s %s', board, period, revision)
          as what
        from manifest_link link
        left join revision using (period_id, revision)
        """),
    AUDIT_LOG(
        """
        select n, audit_link.hash, at as made_at, concat_ws(' ', verb, 'by ' || by, 'at ' || at)
          as what
        from audit_link
        left join audit_entry on audit_entry.id = audit_entry_id
        """);

    private final String links;

    Chain(String links) {
      this.links = links;
    }

    /** The SQL that selects {@code n, hash, made_at, what} of all links. */
    public String links() {
      return links;
    }
  }

  private static final String NUMBER = "(\\d{1,18})";
  private static final String HASH = "([0-9a-f]{64})\\b";

  /** As a digest, the file and a verification have it. */
  private static final Pattern KEPT =
      Pattern.compile("\\b(manifests|audit-log) %s %s".formatted(NUMBER, HASH));

  /** As the data of a fact have it. */
  private static final Pattern DELIVERED =
      Pattern.compile(
          "\"(link|auditLink)\"\\s*:\\s*%s\\s*,\\s*\"\\w+Hash\"\\s*:\\s*\"%s"
              .formatted(NUMBER, HASH));

  /** Finds the links in a text of one of these forms; empty if it has none. */
  public static List<ChainLink> in(String text) {
    var links = new ArrayList<ChainLink>();
    for (Pattern form : List.of(KEPT, DELIVERED)) {
      Matcher found = form.matcher(text);
      while (found.find()) {
        links.add(
            new ChainLink(chain(found.group(1)), Long.parseLong(found.group(2)), found.group(3)));
      }
    }
    return links;
  }

  private static Chain chain(String word) {
    return switch (word) {
      case "link" -> Chain.MANIFESTS;
      case "auditLink" -> Chain.AUDIT_LOG;
      default -> Choice.of(Chain.class, word);
    };
  }

  /** The form that the option {@code --link} of a verification takes. */
  @Override
  public String toString() {
    return "%s %s %s".formatted(chain.word(), n, hash);
  }
}
