package palmares.platform.infra;

import palmares.platform.text.Sentence;

/** Receives the phases of a start, so that somebody who waits for it sees what takes long. */
@FunctionalInterface
public interface StartProgress {
  void begins(Sentence phase);
}
