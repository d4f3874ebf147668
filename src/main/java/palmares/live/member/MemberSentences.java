package palmares.live.member;

import palmares.platform.text.Sentence;

/** Why a member is not registered, found or forgotten. */
public interface MemberSentences {
  record NotRegistered(String member) implements Sentence {}

  record NoProfile(String member) implements Sentence {}

  record Forgotten(String externalId) implements Sentence {}

  record IdTaken(String member) implements Sentence {}

  record RegisteredOtherwise(String externalId) implements Sentence {}

  record UnknownCode() implements Sentence {}

  record SelfInvite() implements Sentence {}

  record NotOnAllBoards() implements Sentence {}
}
