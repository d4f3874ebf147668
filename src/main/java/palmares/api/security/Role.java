package palmares.api.security;

/**
 * What a caller may do. Operators, approvers and admins are viewers, too, and viewers are readers;
 * no other role includes another.
 */
public enum Role {
  /** Reads everything that operations staff see. */
  VIEWER,
  /** Closes, restarts, excludes, and prepares amendments. */
  OPERATOR,
  /** Approves and rejects. */
  APPROVER,
  /** Manages people, API keys and settings. */
  ADMIN,
  /** Sends events and registers members. */
  WRITER,
  /** Reads boards that are not public. */
  READER
}
