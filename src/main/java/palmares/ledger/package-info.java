/**
 * Accounts, transfers and entries: pays what the view {@code payable} lists, once. Knows nothing of
 * boards; the database itself refuses edits, unbalanced entries and stale owners.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"bulk"})
package palmares.ledger;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
