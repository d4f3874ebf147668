package palmares.operations.report;

import org.springframework.test.context.TestPropertySource;
import palmares.testing.WorldTest;

/** All laws of a member's history, for outcomes with their own tables. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigMemberHistoryTest extends MemberHistoryTest {}
