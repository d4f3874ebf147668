package palmares.api.identity;

import java.util.List;
import palmares.platform.text.Sentence;

/** What is said of people and API keys; of a dry run, what would be done. */
public interface AccountSentences {
  record PersonTaken(String name) implements Sentence {}

  record NoPerson(String name) implements Sentence {}

  record OnlyAdmin(String name) implements Sentence {}

  record PersonName() implements Sentence {}

  record PersonWithoutRole() implements Sentence {}

  record PasswordLength(long characters, long bytes) implements Sentence {}

  record SamePassword() implements Sentence {}

  record NewPasswordsDiffer() implements Sentence {}

  record NoPassword(String name) implements Sentence {}

  record KeyName() implements Sentence {}

  record KeyWithoutRole() implements Sentence {}

  record KeyValidity(long days) implements Sentence {}

  record SecretValidity(long days) implements Sentence {}

  record Overlap(long days) implements Sentence {}

  record ProgramApproves() implements Sentence {}

  record MoreRoles(List<String> roles) implements Sentence {}

  record NoEnd() implements Sentence {}

  record IsProgram(String caller) implements Sentence {}

  record KeyTaken(String name) implements Sentence {}

  record NoKey(String name) implements Sentence {}

  record NoKeyInUse(String name) implements Sentence {}

  record NoKeyToRevoke(String name, String caller) implements Sentence {}

  record NoOwnKey(String name) implements Sentence {}

  record Revoked(String name) implements Sentence {}

  record OwnerRotates(String name, String owner) implements Sentence {}

  record SessionRotates(String name) implements Sentence {}

  record AccessToAll(String operation) implements Sentence {}

  record Changed(String name, String etag) implements Sentence {}

  record Added(boolean dryRun, String name, List<String> roles) implements Sentence {}

  record Roles(boolean dryRun, String name, List<String> roles) implements Sentence {}

  record Enabled(boolean dryRun, String name) implements Sentence {}

  record Disabled(boolean dryRun, String name) implements Sentence {}

  record KeysOfDisabled(String name, List<String> keys) implements Sentence {}

  record SessionsEnded(boolean dryRun, String name) implements Sentence {}

  record KeysStayValid(List<String> keys) implements Sentence {}

  record PasswordReset(boolean dryRun, String name) implements Sentence {}

  /**
   * @param boards "all" alone for all
   * @param operations "all" alone for all
   */
  record KeyCreated(
      boolean dryRun, String name, List<String> roles, List<String> boards, List<String> operations)
      implements Sentence {}

  record KeyRotated(boolean dryRun, String name, long hours) implements Sentence {}

  record KeyRevoked(boolean dryRun, String name) implements Sentence {}

  record SecretsRevoked(boolean dryRun, String name, long secrets) implements Sentence {}
}
