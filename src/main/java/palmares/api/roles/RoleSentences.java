package palmares.api.roles;

import java.util.List;
import palmares.platform.text.Sentence;

/** What is wrong with a role. */
interface RoleSentences {
  record Unknown(String role, List<String> roles) implements Sentence {}
}
