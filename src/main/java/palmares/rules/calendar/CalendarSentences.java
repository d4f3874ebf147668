package palmares.rules.calendar;

import palmares.platform.text.Sentence;

/** What is wrong with a calendar. */
interface CalendarSentences {
  record Empty(String period, String startsAt, String endsAt) implements Sentence {}
}
