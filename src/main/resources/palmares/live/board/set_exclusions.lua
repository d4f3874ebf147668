#!lua flags=allow-oom
-- Sets the exclusions of a live board. Idempotent; a list may take several calls.
-- KEYS: meta, board, levels, holders, places, excluded, excluded lines
-- ARGV: number of the list, '~' if more of it follows, member, level, member, level, ...; the level
--   is '' if a member is no longer excluded
-- Returns {'done'}; or, without a change, {'newer'} if the board has a later list, or nothing if
--   there is no such board.
local meta, board, levels, holders, places, excluded, lines_out =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local held = redis.call('HMGET', meta, 'state', 'rules', 'exclusions')
if not held[1] then
  return {}
end
if tonumber((string.gsub(held[3] or '0', '~', ''))) > tonumber(ARGV[1]) then
  return {'newer'}
end
local unit, is_wide, is_dense = cmsgpack.unpack(held[2])
local wide, dense = is_wide == 1, is_dense == 1
local more = 0

-- Only ranked members hold levels.
local function hold(score, change)
  local level = string.format('%.0f', math.floor(tonumber(score) / unit))
  local held_now = redis.call('HINCRBY', holders, level, change)
  if held_now == 0 then
    more = more - redis.call('HDEL', holders, level) - redis.call('ZREM', levels, level)
  elseif held_now == change then
    more = more + 1 + redis.call('ZADD', levels, level, level)
  end
end

for i = 3, #ARGV, 2 do
  local member, out = ARGV[i], ARGV[i + 1] ~= ''
  local was = redis.call('HEXISTS', excluded, member) == 1
  if out then
    more = more + redis.call('HSET', excluded, member, ARGV[i + 1])
  elseif was then
    more = more - redis.call('HDEL', excluded, member)
  end
  local tie = wide and redis.call('HGET', places, member) or ''
  local line = tie and tie .. member
  local score = out ~= was and line and redis.call('ZSCORE', board, line)
  if score then
    if out then
      more = more + redis.call('ZADD', lines_out, score, line)
    else
      more = more - redis.call('ZREM', lines_out, line)
    end
    if dense then
      hold(score, out and -1 or 1)
    end
  end
end
redis.call('HSET', meta, 'exclusions', ARGV[1] .. ARGV[2])
redis.call('HINCRBY', meta, 'size', more)
return {'done'}
