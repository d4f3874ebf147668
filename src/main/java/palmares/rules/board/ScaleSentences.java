package palmares.rules.board;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** Why the other of two members with equal levels has another place. */
public interface ScaleSentences {
  record Arrived(boolean isLater) implements Sentence {}

  record Reached(long points, boolean isLater, ZonedDateTime at) implements Sentence {}

  record SameTime() implements Sentence {}
}
