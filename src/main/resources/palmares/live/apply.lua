-- Applies one event to one live board: all of it, or nothing. What is put off, since the board is
-- not there, is halted or full, or Redis is, puts off all behind it in its batch.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines,
--   turn of the batch
-- ARGV:
--    1 id, 2 member, 3 action, 4 subject ('' for none), 5 undo (1 or 0), 6 quantity,
--    7 points that it adds, 8 value ('' where points add up), 9 second key
--   10 occurred (microseconds; '' for the server's time),
--   11 arrived (microseconds; '' for the server's time, 'any' for an import of whatever age)
--   12 how often it counts: event, subject, day, period
--   13 most of it a day, 14 most of it a period (0 for any number)
--   15 day, 16 its start, 17 its end (microseconds; '' where days do not matter)
--   18 digest of the event, as its sender told it
--   19 the state that the board must have: 'open', or that of the rebuild that replays into it
--   20 the number that the journal has it under, if it was decided before ('' for a new one)
--   21 how many entries the journal may hold
--   22 its place among the batch's events on this board: 'first', 'next', 'last'; '' if alone
-- Answers {outcome, points that it gave or took, points now, microseconds of the event}, with
--   the outcomes of the journal, or 'duplicate' or 'conflict' with the first outcome as a fifth
--   element, or 'missing', 'rebuilding', 'late', 'outside', 'full', 'full-then',
--   'full-sum', 'exhausted', 'backlog', 'waiting', 'out-of-step'.
local meta, board, ids, given, journal, levels, holders, places =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local excluded, lines_out, turn = KEYS[9], KEYS[10], KEYS[11]
local id, member, action, subject = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local undo, quantity, value = ARGV[5] == '1', tonumber(ARGV[6]), tonumber(ARGV[8])
local once, day, place = ARGV[12], ARGV[15], ARGV[22]

local function whole(number)
  return string.format('%.0f', number)
end

-- The turn is there for as long as nothing of the batch was put off.
if place == 'first' then
  local begun = redis.pcall('SET', turn, '1', 'PX', '60000')
  if begun.err then
    return begun
  end
elseif place == 'next' and redis.call('EXISTS', turn) == 0
  or place == 'last' and redis.call('DEL', turn) == 0 then
  return {'waiting', '0', '0', '0'}
end
local function put_off(why, points, micros)
  if place ~= '' then
    redis.call('DEL', turn)
  end
  return {why, '0', points or '0', micros or '0'}
end

local rules = redis.call('HMGET', meta, 'state', 'starts', 'ends', 'closes', 'unit', 'deadline',
  'tick', 'max', 'dense', 'seq', 'scoring', 'span', 'then', 'fewest', 'wide', 'events', 'points')
local state = rules[1]
if not state then
  return put_off('missing')
end

local first = redis.call('HGET', ids, id)
if first then
  local outcome, change, total, micros, digest =
    string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
  local same = digest == '' or digest == ARGV[18]
  return {same and 'duplicate' or 'conflict', change, total, micros, outcome}
end

if state ~= ARGV[19] and string.sub(state, 1, 10) == 'rebuilding' then
  return put_off('rebuilding')
end

local now = nil
local function server()
  if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  end
  return now
end
local occurred = ARGV[10] == '' and server() or tonumber(ARGV[10])
if occurred < tonumber(rules[2]) or occurred >= tonumber(rules[3])
  or (day ~= '' and (occurred < tonumber(ARGV[16]) or occurred >= tonumber(ARGV[17]))) then
  return put_off('outside', '0', whole(occurred))
end
local too_late = false
if ARGV[11] ~= 'any' and rules[4] ~= '' then
  local arrived = ARGV[11] == '' and server() or tonumber(ARGV[11])
  too_late = arrived >= tonumber(rules[4])
end
if state ~= ARGV[19] or too_late then
  return {'late', '0', '0', whole(occurred)}
end

-- What the member holds. A level is points and second key in one number, of which more is better.
local unit, horizon, tick = tonumber(rules[5]), tonumber(rules[6]), tonumber(rules[7])
local most, scoring = tonumber(rules[8]), rules[11] or 'add'
local span, most_then = tonumber(rules[12] or '1'), tonumber(rules[13] or '0')
local lowest, fewest, wide = scoring == 'lowest-best', rules[14] == '1', rules[15] == '1'
local events = tonumber(rules[16] or '0')

-- What Redis adds up without an error, with room for what a double does not tell apart there.
local most_sum = 9223372036854700000

local function level_of(points, second)
  return (lowest and most - points or points) * span + (fewest and most_then - second or second)
end

local line, level, left = member, nil, nil
if wide then
  left = redis.call('HGET', places, member)
  line = left and left .. member
end
local score = line and redis.call('ZSCORE', board, line)
local points, second, tie = 0, 0, nil
if score then
  level = math.floor(tonumber(score) / unit)
  left = wide and tonumber(left) or tonumber(score) - level * unit
  local above = math.floor(level / span)
  points = lowest and most - above or above
  second = fewest and most_then - (level - above * span) or level - above * span
  tie = horizon - left
end

-- Ids hold no control characters, so that the separator is in none of them.
local deed = nil
if once == 'subject' then
  deed = subject ~= '' and action .. '\31' .. member .. '\31' .. subject or nil
elseif once == 'day' then
  deed = action .. '\31' .. member .. '\31\31' .. day
elseif once == 'period' then
  deed = action .. '\31' .. member .. '\31'
end
local of_day = '\31' .. action .. '\31' .. member .. '\31'
local of_period = '\31' .. action .. '\31' .. member

local seq = tonumber(rules[10]) + 1
if ARGV[20] ~= '' and tonumber(ARGV[20]) ~= seq then
  return put_off('out-of-step', whole(points), whole(occurred))
end
if events > 0 and seq > events then
  return {'exhausted', '0', whole(points), whole(occurred)}
end
local at = events > 0 and seq or math.floor(occurred / tick)

-- What the event makes of it.
local outcome, change, change_then = 'applied', tonumber(ARGV[7]), tonumber(ARGV[9])
local count, count_day = quantity, day
if undo then
  local gave = redis.call('HGET', given, deed)
  if gave then
    local its_points, its_then, its_count, its_day =
      string.match(gave, '^(%S+) ?(%S*) ?(%S*) ?(%S*)$')
    outcome, change, change_then = 'undone', -tonumber(its_points), -(tonumber(its_then) or 0)
    count, count_day = -(tonumber(its_count) or 0), its_day
  else
    outcome, change, change_then = 'nothing-to-undo', 0, 0
  end
elseif deed and redis.call('HEXISTS', given, deed) == 1 then
  outcome, change, change_then = 'repeated', 0, 0
else
  local most_a_day, most_a_period = tonumber(ARGV[13]), tonumber(ARGV[14])
  if (most_a_day > 0
      and tonumber(redis.call('HGET', given, of_day .. day) or '0') + count > most_a_day)
    or (most_a_period > 0
      and tonumber(redis.call('HGET', given, of_period) or '0') + count > most_a_period) then
    outcome, change, change_then = 'capped', 0, 0
  end
end

local holds = outcome == 'applied' or outcome == 'undone'
local total, total_then = points + change, second + change_then
if scoring == 'add' then
  if holds and score and events == 0 and tie > at then
    at = tie
  end
elseif holds then
  total, total_then = value, tonumber(ARGV[9])
  if score then
    local better = level_of(total, total_then) - level
    if scoring == 'latest' then
      holds = at >= tie
    else
      holds = better > 0 or (better == 0 and at < tie)
    end
  end
  if not holds then
    outcome, total, total_then = 'unchanged', points, second
  end
  change = total - points
end
if not holds then
  total, total_then = points, second
end
if total > most then
  return {'full', whole(change), whole(points), whole(occurred)}
end
if total_then > most_then then
  return {'full-then', '0', whole(points), whole(occurred)}
end
if tonumber(rules[17]) + change > most_sum then
  return {'full-sum', '0', whole(points), whole(occurred)}
end
if ARGV[20] == '' and redis.call('XLEN', journal) >= tonumber(ARGV[21]) then
  return put_off('backlog', whole(points), whole(occurred))
end

-- Nothing has been written so far. A Redis that is full, or cannot write, refuses the first write
-- or none.
local counted = redis.pcall('HINCRBY', meta, 'seq', 1)
if type(counted) == 'table' and counted.err then
  put_off()
  return counted
end
if holds then
  local new, rest = level_of(total, total_then), horizon - at
  local new_line, new_score = member, new * unit + rest
  local out = redis.call('HEXISTS', excluded, member) == 1
  if wide then
    local place = string.format('%016.0f', rest)
    new_line, new_score = place .. member, new
    if score and line ~= new_line then
      redis.call('ZREM', board, line)
      if out then
        redis.call('ZREM', lines_out, line)
      end
    end
    redis.call('HSET', places, member, place)
  end
  redis.call('ZADD', board, whole(new_score), new_line)
  if out then
    redis.call('ZADD', lines_out, whole(new_score), new_line)
  elseif rules[9] == '1' and new ~= level then
    if level and redis.call('HINCRBY', holders, whole(level), -1) == 0 then
      redis.call('HDEL', holders, whole(level))
      redis.call('ZREM', levels, whole(level))
    end
    redis.call('HINCRBY', holders, whole(new), 1)
    redis.call('ZADD', levels, whole(new), whole(new))
  end
  redis.call('HINCRBY', meta, 'points', whole(change))
end
if deed and (outcome == 'applied' or outcome == 'unchanged') then
  redis.call('HSET', given, deed,
    whole(change) .. ' ' .. whole(change_then) .. ' ' .. whole(count) .. ' ' .. count_day)
elseif outcome == 'undone' then
  redis.call('HDEL', given, deed)
end
if outcome == 'applied' or outcome == 'undone' or outcome == 'unchanged' then
  if tonumber(ARGV[13]) > 0 then
    redis.call('HINCRBY', given, of_day .. count_day, whole(count))
  end
  if tonumber(ARGV[14]) > 0 then
    redis.call('HINCRBY', given, of_period, whole(count))
  end
end
redis.call('HSET', ids, id,
  outcome .. ' ' .. whole(change) .. ' ' .. whole(total) .. ' ' .. whole(occurred) .. ' ' .. ARGV[18])
if ARGV[20] == '' then
  redis.call('XADD', journal, whole(seq) .. '-0',
    'id', id, 'member', member, 'action', action, 'subject', subject, 'outcome', outcome,
    'quantity', ARGV[6], 'points', whole(change), 'occurred', whole(occurred),
    'value', ARGV[8], 'then', whole(change_then), 'digest', ARGV[18])
end
return {outcome, whole(change), whole(total), whole(occurred)}
