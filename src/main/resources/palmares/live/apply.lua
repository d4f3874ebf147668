-- Applies events to one live board, in their order: each as a whole, or not at all. What is put off,
-- since the board is not there or not opened yet, is halted or full, or Redis is, puts off all behind it in its batch.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines,
--   turn of the batch (where it takes several calls)
-- ARGV:
--    1 the state that the board must have: 'open', or that of the rebuild that replays into it
--    2 how many entries the journal may hold
--    3 the call's place among those of its batch on this board: 'first', 'next', 'last'; 'only' for a
--      whole batch; '' for events that do not wait for each other
--   and for each event
--    1 id, 2 member, 3 action, 4 subject ('' for none), 5 undo (1 or 0), 6 quantity,
--    7 points that it adds, 8 value ('' where points add up), 9 second key
--   10 occurred (microseconds; '' for the server's time),
--   11 arrived (microseconds; '' for the server's time, 'any' for an import of whatever age)
--   12 how often it counts: event, subject, day, period
--   13 most of it a day, 14 most of it a period (0 for any number)
--   15 day, 16 its start, 17 its end (microseconds; '' where days do not matter)
--   18 digest of the event, as its sender told it
--   19 the number that the journal has it under, if it was decided before ('' for a new one)
--   20 the number up to which PostgreSQL was searched for its id (0 for none)
-- Answers for each event 'outcome, points that it gave or took, points now, microseconds of the
--   event', with blanks between them. The outcomes are those of the journal; or 'duplicate' or
--   'conflict', with the first outcome as a fifth word; or 'missing', 'rebuilding', 'late',
--   'outside', 'full', 'full-then', 'full-sum', 'exhausted', 'backlog', 'waiting', 'out-of-step',
--   'forgotten' if its id may be one that the board has forgotten: search PostgreSQL for it.
local meta, board, ids, given, journal, levels, holders, places, excluded, lines_out, turn =
  unpack(KEYS)
local expected, most_entries, place = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local HEAD, EVENT = 3, 20

-- Ids hold no control characters, so that the separator is in none of them.
local SEPARATOR = '\31'

-- What Redis adds up without an error, with room for what a double does not tell apart there.
local MOST_SUM = 9223372036854700000

local call = redis.call

local function whole(number)
  return string.format('%.0f', number)
end

-- The turn is there for as long as nothing of the batch was put off.
local stopped = false
if place == 'first' then
  local begun = redis.pcall('SET', turn, '1', 'PX', '60000')
  if begun.err then
    return begun
  end
elseif place == 'next' then
  stopped = call('EXISTS', turn) == 0
elseif place == 'last' then
  stopped = call('DEL', turn) == 0
end

local function told(outcome, change, points, micros)
  return outcome .. ' ' .. change .. ' ' .. points .. ' ' .. micros
end

local function stop()
  stopped = place ~= ''
  if place == 'first' or place == 'next' then
    call('DEL', turn)
  end
end

local function put_off(why, points, micros)
  stop()
  return told(why, '0', points or '0', micros or '0')
end

local rules = call('HMGET', meta, 'state', 'starts', 'ends', 'closes', 'unit', 'deadline', 'tick',
  'max', 'dense', 'seq', 'scoring', 'span', 'then', 'fewest', 'wide', 'events', 'points',
  'forgotten')
local state = rules[1]
local halted = state and state ~= expected and string.sub(state, 1, 10) == 'rebuilding'
local starts, ends, closes = tonumber(rules[2]), tonumber(rules[3]), tonumber(rules[4])
local unit, horizon, tick = tonumber(rules[5]), tonumber(rules[6]), tonumber(rules[7])
local most, dense, scoring = tonumber(rules[8]), rules[9] == '1', rules[11] or 'add'
local span, most_then = tonumber(rules[12] or '1'), tonumber(rules[13] or '0')
local lowest, fewest, wide = scoring == 'lowest-best', rules[14] == '1', rules[15] == '1'
local most_events = tonumber(rules[16] or '0')
local seq, sum = tonumber(rules[10]), tonumber(rules[17])
local forgotten = tonumber(rules[18] or '0')
local entries, excludes = call('XLEN', journal), call('EXISTS', excluded) == 1
local first_seq = seq

local now = nil
local function server()
  if not now then
    local time = call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  end
  return now
end

-- A level is points and second key in one number, of which more is better.
local function level_of(points, second)
  return (lowest and most - points or points) * span + (fewest and most_then - second or second)
end

-- What was decided on the event before; nil if nothing was.
local function decided(id, digest)
  local first = call('HGET', ids, id)
  if not first then
    return nil
  end
  local outcome, change, total, micros, its_digest =
    string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
  local same = its_digest == '' or its_digest == digest
  return told(same and 'duplicate' or 'conflict', change, total, micros) .. ' ' .. outcome
end

-- What the member holds: its line, level, points, second key and time; without a line it has none.
local function held(member)
  local line, left = member, nil
  if wide then
    left = call('HGET', places, member)
    line = left and left .. member
  end
  local score = line and call('ZSCORE', board, line)
  if not score then
    return nil, nil, 0, 0, nil
  end
  local level = math.floor(tonumber(score) / unit)
  left = wide and tonumber(left) or tonumber(score) - level * unit
  local above = math.floor(level / span)
  local points = lowest and most - above or above
  local second = fewest and most_then - (level - above * span) or level - above * span
  return line, level, points, second, horizon - left
end

-- What is done once only; nil if it may be done again and again.
local function deed_of(once, action, member, subject, day)
  if once == 'subject' then
    return subject ~= '' and action .. SEPARATOR .. member .. SEPARATOR .. subject or nil
  elseif once == 'day' then
    return action .. SEPARATOR .. member .. SEPARATOR .. SEPARATOR .. day
  elseif once == 'period' then
    return action .. SEPARATOR .. member .. SEPARATOR
  end
end

local function reached(most_of_it, counter, count)
  return most_of_it > 0 and tonumber(call('HGET', given, counter) or '0') + count > most_of_it
end

-- Ranked members only hold levels.
local function move_level(from, to)
  if from and call('HINCRBY', holders, whole(from), -1) == 0 then
    call('HDEL', holders, whole(from))
    call('ZREM', levels, whole(from))
  end
  call('HINCRBY', holders, whole(to), 1)
  call('ZADD', levels, whole(to), whole(to))
end

-- Puts the member where its points and time belong.
local function stand(member, line, level, new, rest)
  local new_line, new_score = member, whole(wide and new or new * unit + rest)
  local out = excludes and call('HEXISTS', excluded, member) == 1
  if wide then
    local tie = string.format('%016.0f', rest)
    new_line = tie .. member
    if line and line ~= new_line then
      call('ZREM', board, line)
      if out then
        call('ZREM', lines_out, line)
      end
    end
    call('HSET', places, member, tie)
  end
  call('ZADD', board, new_score, new_line)
  if out then
    call('ZADD', lines_out, new_score, new_line)
  elseif dense and new ~= level then
    move_level(level, new)
  end
end

-- Applies the event whose arguments come after that place; answers what is told of it, or nil and
-- the error of a Redis that takes nothing.
local function apply(from)
  local id, member, action, subject, undo, quantity, adds, value, adds_then, occurs, arrives, once,
    most_a_day, most_a_period, day, day_starts, day_ends, digest, number, searched =
    unpack(ARGV, from + 1, from + EVENT)
  local before = decided(id, digest)
  if before then
    return before
  end
  if halted then
    return put_off('rebuilding')
  end

  local occurred = occurs == '' and server() or tonumber(occurs)
  local micros = whole(occurred)
  if occurred < starts or occurred >= ends
    or (day ~= '' and (occurred < tonumber(day_starts) or occurred >= tonumber(day_ends))) then
    return put_off('outside', '0', micros)
  end
  local too_late = false
  if arrives ~= 'any' and closes then
    too_late = (arrives == '' and server() or tonumber(arrives)) >= closes
  end
  if state ~= expected or too_late then
    return told('late', '0', '0', micros)
  end

  -- Ids are forgotten once PostgreSQL has their events: a search up to there has met them all.
  if number == '' and forgotten > tonumber(searched) then
    return put_off('forgotten', '0', micros)
  end

  local line, level, points, second, tie = held(member)
  local deed = deed_of(once, action, member, subject, day)
  local of_period = SEPARATOR .. action .. SEPARATOR .. member
  local of_day = of_period .. SEPARATOR
  if number ~= '' and tonumber(number) ~= seq + 1 then
    return put_off('out-of-step', whole(points), micros)
  end
  if most_events > 0 and seq + 1 > most_events then
    return told('exhausted', '0', whole(points), micros)
  end
  local at = most_events > 0 and seq + 1 or math.floor(occurred / tick)

  -- What the event makes of it.
  most_a_day, most_a_period = tonumber(most_a_day), tonumber(most_a_period)
  local outcome, change, change_then = 'applied', tonumber(adds), tonumber(adds_then)
  local count, count_day = tonumber(quantity), day
  if undo == '1' then
    local gave = call('HGET', given, deed)
    if gave then
      local its_points, its_then, its_count, its_day =
        string.match(gave, '^(%S+) ?(%S*) ?(%S*) ?(%S*)$')
      outcome, change, change_then = 'undone', -tonumber(its_points), -(tonumber(its_then) or 0)
      count, count_day = -(tonumber(its_count) or 0), its_day
    else
      outcome, change, change_then = 'nothing-to-undo', 0, 0
    end
  elseif deed and call('HEXISTS', given, deed) == 1 then
    outcome, change, change_then = 'repeated', 0, 0
  elseif reached(most_a_day, of_day .. day, count) or reached(most_a_period, of_period, count) then
    outcome, change, change_then = 'capped', 0, 0
  end

  local holds = outcome == 'applied' or outcome == 'undone'
  local total, total_then = points + change, second + change_then
  if scoring == 'add' then
    if holds and line and most_events == 0 and tie > at then
      at = tie
    end
  elseif holds then
    total, total_then = tonumber(value), tonumber(adds_then)
    if line then
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
    return told('full', whole(change), whole(points), micros)
  end
  if total_then > most_then then
    return told('full-then', '0', whole(points), micros)
  end
  if sum + change > MOST_SUM then
    return told('full-sum', '0', whole(points), micros)
  end
  if number == '' and entries >= most_entries then
    return put_off('backlog', whole(points), micros)
  end

  -- A Redis that is full, or cannot write, refuses the first write of the call or none.
  local gives = whole(change)
  local counted = redis.pcall('HINCRBY', meta, 'points', gives)
  if type(counted) == 'table' and counted.err then
    stop()
    return nil, counted
  end
  seq, sum = seq + 1, sum + change
  if holds then
    stand(member, line, level, level_of(total, total_then), horizon - at)
  end
  if deed and (outcome == 'applied' or outcome == 'unchanged') then
    call('HSET', given, deed,
      gives .. ' ' .. whole(change_then) .. ' ' .. whole(count) .. ' ' .. count_day)
  elseif outcome == 'undone' then
    call('HDEL', given, deed)
  end
  if outcome == 'applied' or outcome == 'undone' or outcome == 'unchanged' then
    if most_a_day > 0 then
      call('HINCRBY', given, of_day .. count_day, whole(count))
    end
    if most_a_period > 0 then
      call('HINCRBY', given, of_period, whole(count))
    end
  end
  local answer = told(outcome, gives, whole(total), micros)
  call('HSET', ids, id, answer .. ' ' .. digest)
  if number == '' then
    -- The microsecond tells this entry from another under its number, once Redis went back in time.
    call('XADD', journal, whole(seq) .. '-' .. whole(server()), 'event', table.concat({id, member, action, subject,
      outcome, quantity, gives, micros, value, whole(change_then), digest}, SEPARATOR))
    entries = entries + 1
  end
  return answer
end

local answers = {}
for from = HEAD, #ARGV - EVENT, EVENT do
  local answer, trouble
  if stopped then
    answer = told('waiting', '0', '0', '0')
  elseif not state or state == 'new' then
    answer = put_off('missing')
  else
    answer, trouble = apply(from)
  end
  if trouble then
    return trouble
  end
  table.insert(answers, answer)
end
if state and seq > first_seq then
  call('HSET', meta, 'seq', whole(seq))
end
return answers
