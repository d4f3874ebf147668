/**
 * Members: who registered, by which invite code, and what they did lately. A registration and the
 * credit of its inviter are one transaction.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"board", "catalogue", "period", "relay", "intake"})
package palmares.member;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
