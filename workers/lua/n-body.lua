-- n-body: the Sun and the four giant planets under each other's gravity.
-- Problem: The Computer Language Benchmarks Game, "n-body"; positions, velocities and masses are the
-- problem's. The code is our own.
--
-- One op is `size` steps of 0.01 days, from the same start. Returns two lines, the system's energy before
-- and after.

local concat, format = table.concat, string.format
local sqrt = math.sqrt

local BODIES = 5
local SOLAR_MASS = 4 * math.pi * math.pi
local DAYS_PER_YEAR = 365.24
local STEP = 0.01

-- Position in astronomical units, velocity in units a day, mass in solar masses.
local START = {
  -- The Sun; its velocity is set so that the system as a whole stands still.
  { 0, 0, 0, 0, 0, 0, 1 },
  -- Jupiter
  { 4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
    1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05,
    9.54791938424326609e-04 },
  -- Saturn
  { 8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
    -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05,
    2.85885980666130812e-04 },
  -- Uranus
  { 1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
    2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05,
    4.36624404335156298e-05 },
  -- Neptune
  { 1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
    2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05,
    5.15138902046611451e-05 },
}

local system = {}
for i = 1, BODIES do
  system[i] = { x = 0, y = 0, z = 0, vx = 0, vy = 0, vz = 0, mass = 0 }
end

local output = {}

-- Puts every body where it starts.
local function reset()
  local px, py, pz = 0, 0, 0
  for i = 1, BODIES do
    local body, start = system[i], START[i]
    body.x, body.y, body.z = start[1], start[2], start[3]
    body.vx = start[4] * DAYS_PER_YEAR
    body.vy = start[5] * DAYS_PER_YEAR
    body.vz = start[6] * DAYS_PER_YEAR
    body.mass = start[7] * SOLAR_MASS
    px = px + body.vx * body.mass
    py = py + body.vy * body.mass
    pz = pz + body.vz * body.mass
  end
  local sun = system[1]
  sun.vx, sun.vy, sun.vz = -px / SOLAR_MASS, -py / SOLAR_MASS, -pz / SOLAR_MASS
end

local function energy()
  local sum = 0
  for i = 1, BODIES do
    local a = system[i]
    sum = sum + 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
    for j = i + 1, BODIES do
      local b = system[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      sum = sum - a.mass * b.mass / sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  return sum
end

-- One step: every pair pulls at each other, then all move.
local function advance(step)
  for i = 1, BODIES do
    local a = system[i]
    local ax, ay, az, a_mass = a.x, a.y, a.z, a.mass
    local avx, avy, avz = a.vx, a.vy, a.vz
    for j = i + 1, BODIES do
      local b = system[j]
      local dx, dy, dz = ax - b.x, ay - b.y, az - b.z
      local distance2 = dx * dx + dy * dy + dz * dz
      local pull = step / (distance2 * sqrt(distance2))
      local by_a, by_b = a_mass * pull, b.mass * pull
      avx, avy, avz = avx - dx * by_b, avy - dy * by_b, avz - dz * by_b
      b.vx, b.vy, b.vz = b.vx + dx * by_a, b.vy + dy * by_a, b.vz + dz * by_a
    end
    a.vx, a.vy, a.vz = avx, avy, avz
    a.x, a.y, a.z = ax + step * avx, ay + step * avy, az + step * avz
  end
end

return function(size)
  reset()
  output[1] = format("%0.9f\n", energy())
  for _ = 1, size do
    advance(STEP)
  end
  output[2] = format("%0.9f\n", energy())
  return concat(output, "", 1, 2)
end
