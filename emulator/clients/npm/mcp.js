// A session with the calendar server google-calendar-mcp for the Model Context Protocol, which knows only the public
// service. It exits with status 1 if a tool fails or says something unexpected.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

// store writes a file of JSON to the home directory and returns its name.
function store (name, value) {
  const file = join(process.env.HOME, name)
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 })
  return file
}

// The access token has expired, so the server asks for another.
const tokens = store('tokens.json', { normal: { access_token: 'old', refresh_token: '1//any', token_type: 'Bearer', expiry_date: 1 } })

// isStored reports whether the server has written the new token, which it reads again for each call.
function isStored () {
  try {
    return JSON.parse(readFileSync(tokens, 'utf8')).normal.access_token !== 'old'
  } catch {
    return false // it is writing
  }
}

const transport = new StdioClientTransport({
  command: process.execPath,
  args: [new URL('node_modules/@cocal/google-calendar-mcp/build/index.js', import.meta.url).pathname],
  env: {
    ...process.env,
    GOOGLE_OAUTH_CREDENTIALS: store('keys.json', { installed: { client_id: 'id', client_secret: 'secret', redirect_uris: ['http://localhost:3000/oauth2callback'] } }),
    GOOGLE_CALENDAR_MCP_TOKEN_PATH: tokens
  },
  stderr: 'inherit'
})
const client = new Client({ name: 'session', version: '1.0.0' })
await client.connect(transport)

// call calls a tool and returns what it says.
async function call (name, args) {
  const answer = await client.callTool({ name, arguments: args })
  const text = answer.content[0].text
  assert.ok(!answer.isError, `${name}: ${text}`)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const primary = { calendarId: 'primary' }
const march = { timeMin: '2090-03-01T00:00:00', timeMax: '2090-04-01T00:00:00' }

const { calendars } = await call('list-calendars', {})
assert.deepEqual(calendars.map(c => c.id), ['user@example.com'])
while (!isStored()) await setTimeout(10)
assert.ok((await call('list-colors', {})).event['11'])

const { event } = await call('create-event', {
  ...primary,
  summary: 'Dentist',
  location: 'Room 4',
  start: '2090-03-10T09:00:00',
  end: '2090-03-10T10:00:00',
  timeZone: 'Europe/Berlin',
  attendees: [{ email: 'ada@example.com' }],
  reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] },
  extendedProperties: { private: { source: 'session' } }
})
assert.equal(event.start.dateTime, '2090-03-10T08:00:00Z')
const about = { ...primary, eventId: event.id }
assert.equal((await call('get-event', about)).event.location, 'Room 4')
await call('create-event', { ...primary, summary: 'Focus', eventType: 'focusTime', start: '2090-03-10T13:00:00', end: '2090-03-10T15:00:00', focusTimeProperties: { chatStatus: 'doNotDisturb' } })
await call('create-event', { ...primary, summary: 'At home', eventType: 'workingLocation', start: '2090-03-11', end: '2090-03-12', transparency: 'transparent', visibility: 'public', workingLocationProperties: { type: 'homeOffice', homeOffice: {} } })
await call('create-events', { ...primary, events: [1, 2].map(day => ({ summary: `Call ${day}`, start: `2090-03-2${day}T09:00:00`, end: `2090-03-2${day}T09:30:00` })) })

const { event: series } = await call('create-event', { ...primary, summary: 'Standup', start: '2090-03-16T09:00:00', end: '2090-03-16T09:15:00', recurrence: ['RRULE:FREQ=DAILY;UNTIL=20900320T090000Z'] })
const aboutSeries = { ...primary, eventId: series.id }
await call('update-event', { ...aboutSeries, modificationScope: 'all', location: 'Room 5' })
await call('update-event', { ...aboutSeries, modificationScope: 'thisEventOnly', originalStartTime: '2090-03-17T09:00:00', summary: 'Long standup' })
await call('update-event', { ...aboutSeries, modificationScope: 'thisAndFollowing', futureStartDate: '2090-03-19T09:00:00', summary: 'Late standup' })

await call('update-event', { ...about, summary: 'Dentist moved', start: '2090-03-10T10:00:00', end: '2090-03-10T11:00:00', timeZone: 'Europe/Berlin' })

// An invitation by somebody else, which the server cannot make.
const invitation = {
  summary: 'Party',
  start: { dateTime: '2090-03-28T18:00:00Z' },
  end: { dateTime: '2090-03-28T22:00:00Z' },
  organizer: { email: 'grace@example.com' },
  attendees: [{ email: 'grace@example.com', responseStatus: 'accepted' }, { email: 'user@example.com', self: true, responseStatus: 'needsAction' }]
}
const stored = await fetch(`http://${process.env.ADDR}/emulator/calendars/primary/events/party?dialect=google`, {
  method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(invitation)
})
assert.ok(stored.ok, await stored.text())
const { event: answered } = await call('respond-to-event', { ...primary, eventId: 'party', response: 'accepted' })
assert.equal(answered.attendees.find(a => a.self).responseStatus, 'accepted')

const { events } = await call('list-events', { ...primary, ...march })
assert.deepEqual(events.map(e => e.summary).sort(), [
  'At home', 'Call 1', 'Call 2', 'Dentist moved', 'Focus', 'Late standup', 'Late standup', 'Long standup', 'Party', 'Standup', 'Standup'
])
assert.equal((await call('search-events', { ...primary, ...march, query: 'dentist' })).events.length, 1)
const busy = await call('get-freebusy', { calendars: [{ id: 'primary' }], ...march })
assert.ok(JSON.stringify(busy).includes('2090-03-10T09:00:00Z'))
await call('delete-event', about)
assert.equal((await call('search-events', { ...primary, ...march, query: 'dentist' })).events.length, 0)
await client.close()
