#!lua flags=allow-oom
-- Notes how far PostgreSQL has a journal, and trims events that need not be kept any more. The entry
-- up to which PostgreSQL has it is kept, so that the next drain can compare.
-- KEYS: journal, meta
-- ARGV: id of that entry, number of its last event, how long an event is kept after it was decided
--   (microseconds), how many of the last events are kept longer than that, largest number of events
--   to trim. The id contains the microsecond of writing: after Redis went back in time, the number
--   has another id or none.
-- Returns {'done'}, or nothing and changes nothing if the journal does not hold that entry.
local journal, meta, last = KEYS[1], KEYS[2], tonumber(ARGV[2])
if #redis.call('XRANGE', journal, ARGV[1], ARGV[1]) == 0 then
  return {}
end
if redis.call('EXISTS', meta) == 1 then
  redis.call('HSET', meta, 'drained', ARGV[2])
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now < tonumber(redis.call('HGET', meta, 'untrimmed') or 0) then
  return {'done'}
end
local young = now - tonumber(ARGV[3])

-- Returns the number and the microsecond of the first entry from a number on.
local function entry(number)
  local found = redis.call('XRANGE', journal, string.format('%.0f', number), '+', 'COUNT', 1)[1]
  local seq, micros = string.match(found[1], '^(%d+)-(%d+)$')
  return tonumber(seq), tonumber(micros)
end

-- Finds the first entry to keep by binary search: "gone" is trimmed, "kept" and what follows is not.
local gone, micros = entry(0)
local kept = math.min(last, last - tonumber(ARGV[4]) + 1, gone + tonumber(ARGV[5]))
if micros >= young or gone >= kept then
  return {'done'}
end
while kept - gone > 1 do
  local middle = math.floor((gone + kept) / 2)
  local seq, written = entry(middle)
  if seq < kept and written < young then
    gone = seq
  else
    kept = middle
  end
end
redis.call('XTRIM', journal, 'MINID', string.format('%.0f', kept))
return {'done'}
