package palmares.api.reader;

import palmares.platform.text.Sentence;

/** Why a board is not read. */
interface BoardSentences {
  record Unknown(String board) implements Sentence {}

  record NoCurrentPeriod(String board, String example) implements Sentence {}

  record NotOpen(String board) implements Sentence {}

  record NoPeriod(String board, String period, String example) implements Sentence {}

  record NotOnBoard(String member, String period) implements Sentence {}

  record TooManyMembers(long most) implements Sentence {}

  record OutOfRange(String name, long least, long most, long value) implements Sentence {}

  record NoMembersObject() implements Sentence {}

  record OnlyMembers() implements Sentence {}

  record MembersMissing() implements Sentence {}

  record NoList() implements Sentence {}

  record OneStart() implements Sentence {}

  record NoTexts() implements Sentence {}
}
