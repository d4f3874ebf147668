package palmares.period;

import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * Reports that what was asked for is impossible as things stand; nothing was changed. The message
 * says why, and what to do first if anything helps.
 */
public final class WrongState extends Refusal {
  public WrongState(Sentence said) {
    super(Problem.WRONG_STATE, said);
  }

  public WrongState(Sentence said, Throwable cause) {
    super(Problem.WRONG_STATE, said, cause);
  }

  @Override
  public WrongState then(Next... steps) {
    super.then(steps);
    return this;
  }
}
