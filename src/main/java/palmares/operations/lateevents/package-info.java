/**
 * Late events and corrections of points: evaluates events that arrived after grace, keeps what
 * people decide on them, and writes the corrected lines of amendments.
 *
 * <p>Late events are not replayed on a scratch live board, which would refuse what counts here: a
 * value below one that was corrected by hand, or an event on a board at its {@code max-events}. A
 * replay would not replace {@link LineCorrection} either, and listing late events would write to
 * Redis.
 */
@NullMarked
package palmares.operations.lateevents;

import org.jspecify.annotations.NullMarked;
