/** Loads boards of any size with synthetic members and events, without the application's intake. */
@NullMarked
package palmares.bench.seeding;

import org.jspecify.annotations.NullMarked;
