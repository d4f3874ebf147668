package palmares.api.roles;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States the rule of an endpoint: the caller needs one of these roles. Annotates the method that is
 * mapped, or on the interface that declares it. An endpoint without a rule is refused to everybody.
 *
 * <p>A caller whose key is limited to boards may only call paths with a {@code {board}} that is one
 * of them, unless the endpoint checks the boards itself, or is called for one of them by a
 * parameter. One whose key is limited to operations may only call these, unless the endpoint checks
 * that itself.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Requires {
  /** One of these is enough; empty for everybody, without signing in. */
  Role[] value();

  /** Whether everybody may call it, without signing in, for a board that is public. */
  boolean unlessPublic() default false;

  /** Whether the parameter {@code board} limits all that it answers to one board. */
  boolean boardInQuery() default false;

  /** Whether the endpoint itself limits what it does to {@link Caller#boards()}. */
  boolean checksBoards() default false;

  /** Whether the endpoint itself limits what it does for a key with {@link Caller#operations()}. */
  boolean checksOperations() default false;

  /**
   * Whether it gives people or keys access. A key that is limited to operations may not call it,
   * because it could make itself another key without the limit.
   */
  boolean givesAccess() default false;
}
