package palmares.operations.report;

import palmares.testing.OwnTables;

/** The laws of a member's history, for outcomes with their own tables. */
@OwnTables
class BigMemberHistoryTest extends MemberHistoryTest {}
