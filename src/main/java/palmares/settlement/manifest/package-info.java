/** What each posted outcome rests on, written down with it and never edited: its manifest. */
@NullMarked
package palmares.settlement.manifest;

import org.jspecify.annotations.NullMarked;
