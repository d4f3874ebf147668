/** Members: registration, invitations, public profiles, and recent activity. */
@NullMarked
package palmares.live.member;

import org.jspecify.annotations.NullMarked;
