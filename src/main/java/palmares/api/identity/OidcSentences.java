package palmares.api.identity;

import java.util.List;
import palmares.platform.text.Sentence;

/** Why a person of a provider is not signed in. */
interface OidcSentences {
  record OtherIssuer(String issuer, String wanted) implements Sentence {}

  record NoRolesClaim(String claim, List<String> claims) implements Sentence {}

  record NoRole(String claim, String person) implements Sentence {}

  record NoNameClaim(String claim, List<String> claims) implements Sentence {}

  record Name() implements Sentence {}

  record Scripts(List<String> scripts, List<String> allowed) implements Sentence {}

  record MixedScripts(List<String> scripts) implements Sentence {}
}
