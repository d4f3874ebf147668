-- The fields of manifests, derived from the rows of the tables, as a verification compares them.

\ir subject.sql
\ir derived-sums.sql
\ir placed.sql
\ir paid.sql
, given as (
\ir awards-of-closings.sql
union all
\ir awards-of-amendments.sql
)
\ir fields.sql
