package palmares.demo;

import palmares.api.roles.Role;

/** Uses a chapter that its own one does not declare, so that ArchitectureTest must report it. */
public record UndeclaredUse(Role role) {}
