/**
 * What commands say to people and to other programs: results on one stream, notes and progress on
 * the other, complaints in one line.
 */
@NullMarked
package palmares.cli.terminal;

import org.jspecify.annotations.NullMarked;
