package palmares.operations.report;

import org.springframework.test.context.TestPropertySource;

/** All laws of a member's history, for outcomes with their own tables. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigMemberHistoryTest extends MemberHistoryTest {}
