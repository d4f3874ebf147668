/** Boards of any size that a made-up crowd has taken part in: seeded past the application. */
@NullMarked
package palmares.bench.seeding;

import org.jspecify.annotations.NullMarked;
