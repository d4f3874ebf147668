/** Reads results, history and the ledger for people and programs. Changes nothing. */
@NullMarked
package palmares.operations.report;

import org.jspecify.annotations.NullMarked;
