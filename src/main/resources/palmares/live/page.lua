-- Some lines of a live board in its order, from the top or around a member, in one look.
-- KEYS: board, levels, places
-- ARGV: member ('' for none), from (place counted from 0, or how many above the member),
--       to (the last place, or how many below the member), rank method, how much of a score is a
--       level, whether the tie stands in the line's name (1 or 0)
-- Answers {place of the first line counted from 0, how many count as ahead of it, line, score,
--   line, score, ...}, or nothing if the member is not there.
local from, to, ranks, unit = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
if ARGV[1] ~= '' then
  local tie = ARGV[6] == '1' and redis.call('HGET', KEYS[3], ARGV[1]) or ''
  local place = tie and redis.call('ZREVRANK', KEYS[1], tie .. ARGV[1])
  if not place then
    return {}
  end
  from, to = math.max(0, place - from), place + to
end
local lines = redis.call('ZREVRANGE', KEYS[1], from, to, 'WITHSCORES')
local ahead = from
if #lines > 0 and ranks ~= 'unique' then
  local level = math.floor(tonumber(lines[2]) / unit)
  if ranks == 'competition' then
    ahead = redis.call('ZCOUNT', KEYS[1], string.format('%.0f', (level + 1) * unit), '+inf')
  else
    ahead = redis.call('ZCOUNT', KEYS[2], '(' .. string.format('%.0f', level), '+inf')
  end
end
table.insert(lines, 1, tostring(ahead))
table.insert(lines, 1, tostring(from))
return lines
