package palmares.settlement.reward;

import palmares.platform.text.Sentence;

/** Why awards cannot be computed, or ties not be decided. */
interface AwardSentences {
  record TiesUndecided(String period) implements Sentence {}

  record NoTies(String period) implements Sentence {}

  record TooMuch(String period, String rule, String currency) implements Sentence {}

  /**
   * @param credits may exceed all types of numbers
   */
  record TooMuchTogether(String period, String rules, String credits, String currency)
      implements Sentence {}
}
