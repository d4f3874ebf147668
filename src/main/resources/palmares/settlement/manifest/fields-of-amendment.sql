-- The fields of the manifest of an amendment, as the posting writes them.

\ir subject.sql
\ir kept-sums.sql
\ir placed.sql
\ir paid.sql
, given as (
\ir awards-of-closings.sql
union all
\ir awards-of-amendments.sql
)
\ir fields.sql
