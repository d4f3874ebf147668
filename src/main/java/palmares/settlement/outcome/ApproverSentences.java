package palmares.settlement.outcome;

import palmares.platform.text.Sentence;
import palmares.settlement.outcome.Revision.RulesReason;

/** Why a person may not approve an outcome, and why the rules have. */
interface ApproverSentences {
  record ByRules(RulesReason reason) implements Sentence {}

  record NotLocal(String by) implements Sentence {}

  record AnotherPerson(Sentence why) implements Sentence {}

  record Prepared(String by) implements Sentence {}

  record ApprovedBefore(String by) implements Sentence {}

  /**
   * @param how a word of the view {@code shaper}
   */
  record Shaped(String by, String how) implements Sentence {}
}
