package palmares.settlement.closing;

/**
 * One step of a closing. Every attempt runs all steps in the order of {@link ClosingJob}.
 *
 * <p>The period's state is the checkpoint of a step, and commits in the same transaction as its
 * effect. So a step first reads the state, and does nothing if an earlier attempt has done its
 * work.
 */
interface ClosingStep {
  /**
   * Runs the step.
   *
   * @return whether the next step follows; if not, the closing ends, and a later attempt resumes it
   */
  boolean run(Closing closing);
}
