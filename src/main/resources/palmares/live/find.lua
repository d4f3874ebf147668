-- The lines of given members, wherever they stand, in one look.
-- ARGV: rank method, member, member, ...
-- Answers {state, events, points, members}, and for each member that stands on the board, in the
--   order asked: its place counted from 0, how many members stand on a better level than it, how
--   many ranks are given before its, entry, score.
for i = 2, #ARGV do
  local entry = entry_of(ARGV[i])
  local place = entry and redis.call('ZREVRANK', board, entry)
  if place then
    local score = redis.call('ZSCORE', board, entry)
    table.insert(answer, whole(place))
    table.insert(answer, whole(better(level(score))))
    table.insert(answer, whole(ranked(place, level(score))))
    table.insert(answer, entry)
    table.insert(answer, score)
  end
end
return answer
