package palmares.api.writer;

import palmares.platform.text.Sentence;

/** Why what a wallet says of an award is refused. */
interface ConfirmationSentences {
  record OtherBoard(String award) implements Sentence {}

  record UnknownField() implements Sentence {}

  record NotAnAmount() implements Sentence {}

  record NotAText() implements Sentence {}

  record NoOutcome() implements Sentence {}
}
