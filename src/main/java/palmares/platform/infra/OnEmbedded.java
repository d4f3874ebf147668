package palmares.platform.infra;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Holds when nobody names servers of their own; refuses a choice that makes no sense. */
class OnEmbedded implements Condition {
  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Infra.of(context.getEnvironment()) == Infra.EMBEDDED;
  }
}
