package palmares.rules.board;

import java.time.Instant;
import palmares.platform.text.Sentence;

/** Why the other of two members with equal levels has another place. */
public interface ScaleSentences {
  record Arrived(boolean isLater) implements Sentence {}

  record Reached(long points, boolean isLater, Instant at) implements Sentence {}

  record SameTime() implements Sentence {}
}
