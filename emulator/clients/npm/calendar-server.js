// A session with the server of the package google-calendar-mcp, which speaks HTTP and uses the official client of 2023. It exits with
// status 1 if an answer is not as expected.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const free = createServer().listen(0)
await once(free, 'listening')
const { port } = free.address()
free.close()
const server = spawn(process.execPath, [new URL('node_modules/google-calendar-mcp/bin/run.js', import.meta.url).pathname], {
  cwd: process.env.HOME, // where it keeps its tokens
  env: { ...process.env, PORT: port, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  stdio: ['ignore', 'pipe', 'inherit']
})
process.on('exit', () => server.kill())
await once(server.stdout, 'data')

// call calls an endpoint and returns the data of its answer.
async function call (method, path, parameters) {
  const isGet = method === 'GET'
  const url = `http://127.0.0.1:${port}${path}` + (isGet ? '?' + new URLSearchParams(parameters) : '')
  const answer = await fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: isGet ? undefined : JSON.stringify(parameters) })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return JSON.parse(text).data
}

assert.match(await call('GET', '/mcp/auth/url'), /client_id=id/)
await call('GET', '/auth/callback', { code: 'any' })
const { items: calendars } = await call('GET', '/mcp/calendars')
assert.deepEqual(calendars.map(c => c.id), ['user@example.com'])

const calendarId = 'primary'
const eventData = {
  calendarId,
  summary: 'Dentist',
  location: 'Room 4',
  start: { dateTime: '2026-03-10T09:00:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-03-10T10:00:00', timeZone: 'Europe/Berlin' },
  attendees: [{ email: 'ada@example.com' }],
  reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] }
}
const event = await call('POST', '/mcp/events/create', { eventData })
assert.deepEqual([event.summary, event.start.dateTime], ['Dentist', '2026-03-10T08:00:00Z'])
const about = { calendarId, eventId: event.id }
assert.deepEqual(await call('GET', '/mcp/events/detail', about), event)
const updated = await call('PUT', '/mcp/events/update', { eventData: { ...eventData, ...about, summary: 'Dentist moved' } })
assert.equal(updated.summary, 'Dentist moved')
const march = { calendarId, timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' }
assert.deepEqual((await call('GET', '/mcp/events', march)).items, [updated])
await call('DELETE', '/mcp/events/delete', { deleteData: about })
assert.deepEqual((await call('GET', '/mcp/events', march)).items, [])
process.exit()
