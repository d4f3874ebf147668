package palmares.api.identity;

import java.util.List;
import palmares.platform.text.Sentence;

/** Why a caller is not let in, or must wait. */
public interface AccessSentences {
  record SignIn() implements Sentence {}

  record WrongPassword() implements Sentence {}

  record NoPasswords() implements Sentence {}

  record WrongKey() implements Sentence {}

  record TooManyWrongKeys(long most, long seconds) implements Sentence {}

  record TooManyWrongCookies(long most, long seconds) implements Sentence {}

  record KeyUnchecked() implements Sentence {}

  record SessionUnchecked() implements Sentence {}

  record NoProvider(String provider) implements Sentence {}

  record ForeignOrigin() implements Sentence {}

  record CsrfToken() implements Sentence {}

  record PathNotNormalized() implements Sentence {}

  record PasswordFirst() implements Sentence {}

  record NoRole(String caller, List<String> roles, List<String> has) implements Sentence {}

  record OtherBoards(String caller) implements Sentence {}

  record NotItsBoard(String caller, String board) implements Sentence {}

  record Nobody(String path) implements Sentence {}

  record GivesAccessToAll(String caller, String operation) implements Sentence {}

  record NotItsOperation(String caller, List<String> operations, String operation)
      implements Sentence {}

  record OtherOperation(String caller, List<String> operations) implements Sentence {}

  record OperationsOfApi(String caller) implements Sentence {}

  record TooManyAtOnce(String caller, long most) implements Sentence {}

  record TooManyRequests(String caller, long most, long seconds) implements Sentence {}

  record TooManySignIns(String address, long most, long seconds) implements Sentence {}
}
