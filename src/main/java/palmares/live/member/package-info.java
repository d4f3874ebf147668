/**
 * Members: who registered, by which invite code, and what they did lately. A registration and the
 * credit of its inviter are one transaction.
 */
@NullMarked
package palmares.live.member;

import org.jspecify.annotations.NullMarked;
