package palmares.settlement.outcome;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may approve.
 *
 * @param localApprovals whether users of a shell on the server's own databases may approve; false
 *     leaves approvals to people and keys that sign in. What a server that starts has counts for
 *     all, and a shell with another setting may only forbid it, too
 */
@ConfigurationProperties("palmares.security")
public record ApprovalSettings(@DefaultValue("true") boolean localApprovals) {}
