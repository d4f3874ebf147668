package palmares.api.reader.stream;

import palmares.platform.text.Sentence;

/** Why no other stream is opened. */
interface StreamSentences {
  record TooMany(String client, long most) implements Sentence {}

  record Full(long most) implements Sentence {}
}
