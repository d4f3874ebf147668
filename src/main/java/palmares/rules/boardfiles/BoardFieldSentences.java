package palmares.rules.boardfiles;

import palmares.platform.text.Sentence;

/**
 * What a field of a board file holds. A group of fields has further texts, which describe each of
 * them in messages and in the JSON Schema: {@code board-field.season.from}.
 */
interface BoardFieldSentences {
  record Board() implements Sentence {}

  record Title() implements Sentence {}

  record Zone() implements Sentence {}

  record Seasons() implements Sentence {}

  record Season() implements Sentence {}

  record SeasonEdge() implements Sentence {}

  record StartOfDay() implements Sentence {}

  record Every() implements Sentence {}

  record SeasonName() implements Sentence {}

  record Grace() implements Sentence {}

  record Retention() implements Sentence {}

  record ListNames() implements Sentence {}

  record ListName() implements Sentence {}

  record Adoption() implements Sentence {}

  record Key() implements Sentence {}

  record Deadline() implements Sentence {}

  record Actions() implements Sentence {}

  record Action() implements Sentence {}

  record ActionName() implements Sentence {}

  record SecondKey() implements Sentence {}

  record SecondKeyName() implements Sentence {}

  record Invites() implements Sentence {}

  record Watch() implements Sentence {}

  record WatchedPlaces() implements Sentence {}

  record WatchedPoints() implements Sentence {}

  record Qualifies() implements Sentence {}

  record Review() implements Sentence {}

  record BoardName() implements Sentence {}

  record Days() implements Sentence {}

  record Family() implements Sentence {}

  record FamilyName() implements Sentence {}

  record Cut() implements Sentence {}

  record Percentage() implements Sentence {}

  record Percent(Sentence what) implements Sentence {}

  record Rules() implements Sentence {}

  record Rule() implements Sentence {}

  record RuleName() implements Sentence {}

  record Currency() implements Sentence {}

  record Ranks() implements Sentence {}

  record CreditsByRank() implements Sentence {}

  record CreditsByPercent() implements Sentence {}

  record CreditsByPoints() implements Sentence {}

  record Points() implements Sentence {}

  record Payout() implements Sentence {}

  record Budgets() implements Sentence {}

  record Budget() implements Sentence {}

  record TimeOfDay() implements Sentence {}
}
