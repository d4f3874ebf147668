-- Begins every query of a live board, after is_torn.lua; query_page.lua or query_members.lua follows
-- in the same script, so that each answer is read atomically.
-- KEYS: those of is_torn.lua  ARGV: rank method, 'torn' to read a sealed board that is torn, ...
-- Every answer begins with {state, events, points, ranked members, exclusion list's number,
--   microseconds since 1970}; it is empty if there is no such board, and {'torn'} if it is torn.
--   Places and ranks are those among ranked members.
local meta, board, levels, places, excluded, lines_out =
  KEYS[1], KEYS[2], KEYS[6], KEYS[8], KEYS[9], KEYS[10]
local ranks = ARGV[1]

local function whole(number)
  return string.format('%.0f', number)
end

local held = redis.call('HMGET', meta, 'state', 'seq', 'points', 'rules', 'exclusions', 'halted',
  'lines', 'size')
if not held[1] then
  return {}
elseif string.sub(held[1], 1, 10) == 'rebuilding' then
  return {held[1]}
end
local unit, is_wide, is_dense, is_limited = cmsgpack.unpack(held[4])
local wide = is_wide == 1
if held[6] == 'torn'
  or is_torn(held[7], held[2], held[8], wide, is_dense == 1, is_limited == 1, held[5]) then
  redis.pcall('HSET', meta, 'halted', 'torn') -- refused if Redis is full; the next call finds it
  if ARGV[2] ~= 'torn' or held[1] ~= 'sealed' then
    return {'torn'}
  end
end
local out = redis.call('ZCARD', lines_out)
local members = redis.call('ZCARD', board) - out
local now = redis.call('TIME')
local answer = {held[1], held[2], held[3], whole(members), held[5] or '0',
  whole(now[1] * 1000000 + now[2])}

local function level(score)
  return math.floor(tonumber(score) / unit)
end

-- Counts the ranked members on a better level.
local function better(level)
  local least = whole((level + 1) * unit)
  local all = redis.call('ZCOUNT', board, least, '+inf')
  return out == 0 and all or all - redis.call('ZCOUNT', lines_out, least, '+inf')
end

-- Returns the place of an excluded line on the whole board.
local function place_out(n)
  return redis.call('ZREVRANK', board, redis.call('ZREVRANGE', lines_out, whole(n), whole(n))[1])
    or -1 -- the line of a torn board may be missing
end

-- Counts the excluded lines before the first one for which "is_behind" holds, by binary search.
local function out_before(is_behind)
  local low, high = 0, out
  while low < high do
    local middle = math.floor((low + high) / 2)
    if is_behind(place_out(middle), middle) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

-- Returns how many ranked lines are ahead of a place on the whole board.
local function among_ranked(place)
  return place - out_before(function(out_place) return out_place >= place end)
end

-- Adds to the answer the place of a ranked line, how many members are ahead of it, and how many
-- ranks are before its rank.
local function add_place(place, level)
  local ahead = ranks == 'unique' and place or better(level)
  table.insert(answer, whole(place))
  table.insert(answer, whole(ahead))
  table.insert(answer, whole(
    ranks == 'dense' and redis.call('ZCOUNT', levels, '(' .. whole(level), '+inf') or ahead))
end

-- Returns the member's entry in the ZSET, which on wide boards begins with the tiebreak; nil if it
-- has none.
local function entry_of(member)
  if not wide then
    return member
  end
  local tie = redis.call('HGET', places, member)
  return tie and tie .. member
end

-- Returns the entry of a visible member, its place on the whole board, and whether it is ranked;
-- nil if the member is not on the board, or hidden.
local function shown(member)
  local entry = entry_of(member)
  local place = entry and redis.call('ZREVRANK', board, entry)
  local left_out = place and out > 0 and redis.call('HGET', excluded, member)
  if place and left_out ~= 'hidden' then
    return entry, place, not left_out
  end
end

-- Adds an unranked line to the answer, with its place on the whole board.
local function add_unranked(place, entry)
  for _, field in ipairs({whole(place), '0', '-1', entry, redis.call('ZSCORE', board, entry)}) do
    table.insert(answer, field)
  end
end

