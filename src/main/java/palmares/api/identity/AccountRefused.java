package palmares.api.identity;

/** Signals that a person or a key cannot be created or changed as asked for. */
public final class AccountRefused extends RuntimeException {
  AccountRefused(String what) {
    super(what);
  }
}
