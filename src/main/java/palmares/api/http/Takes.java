package palmares.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import palmares.platform.text.Choice;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.MemberId;

/** Says which texts a field of a request takes. All doors refuse others, and name all at once. */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Takes {
  /** An enum of {@link Choice}, {@link MemberId} or {@link DayOrTime}. */
  Class<?> value() default Choice.class;

  /** The only words of the enum that the field takes; empty for all. */
  String[] words() default {};
}
