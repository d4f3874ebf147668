-- Compares what a live board holds with what it has counted, and halts it if it is torn.
-- KEYS: those of is_torn.lua
-- Returns {state, events, number of the last event that PostgreSQL has, why it is halted or '',
--   number of the journal's first entry, number of its last (0 without entries), microseconds since
--   the first was written, mark of mark_closed.lua or '', end in microseconds}; nothing if there is no such board.
local held = redis.call('HMGET', KEYS[1], 'state', 'seq', 'drained', 'halted', 'rules', 'lines',
  'size', 'exclusions', 'closed')
if not held[1] then
  return {}
end

-- Returns the number and the microsecond in the id of an entry.
local function parse(entry)
  return string.match(entry and entry[1] or '0-0', '^(%d+)-(%d+)$')
end

local first = redis.call('XRANGE', KEYS[5], '-', '+', 'COUNT', 1)[1]
local first_seq, written = parse(first)
local last_seq = parse(first and redis.call('XREVRANGE', KEYS[5], '+', '-', 'COUNT', 1)[1])
local time = redis.call('TIME')
local halted = held[4]
local _, wide, dense, limited, _, ends = cmsgpack.unpack(held[5])
if halted ~= 'torn' and (held[1] == 'open' or held[1] == 'sealed') then
  if is_torn(held[6], held[2], held[7], wide == 1, dense == 1, limited == 1, held[8])
    or tonumber(last_seq) > tonumber(held[2]) then
    redis.pcall('HSET', KEYS[1], 'halted', 'torn') -- refused if Redis is full
    halted = 'torn'
  end
end
return {held[1], held[2], held[3], halted or '', first_seq, last_seq,
  string.format('%.0f', math.max(0, time[1] * 1000000 + time[2] - tonumber(written))), held[9] or '',
  string.format('%.0f', ends)}
