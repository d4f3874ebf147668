package palmares.settlement.outcome;

import java.util.Locale;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may approve.
 *
 * @param localApprovals whether users of a shell on the server's own databases may approve; false
 *     leaves approvals to people and keys that sign in
 */
@ConfigurationProperties("palmares.security")
public record ApprovalSettings(@DefaultValue("true") boolean localApprovals) {
  /** Begins the name of the user of a shell, as in {@code local:ann}. */
  public static final String LOCAL = "local:";

  /** Whether an approval by this name counts. */
  boolean mayApprove(String by) {
    return localApprovals || !by.strip().toLowerCase(Locale.ROOT).startsWith(LOCAL);
  }
}
