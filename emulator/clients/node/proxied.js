// Calls the calendar service with the official Node client, as a program does that knows nothing of calrules. It runs
// behind `calrules proxy --connect`: its environment has HTTPS_PROXY and NODE_EXTRA_CA_CERTS. It exits with status 1 if
// an answer is not as expected.
import assert from 'node:assert/strict'
import { calendar as client } from '@googleapis/calendar'

const calendar = client({ version: 'v3', headers: { Authorization: 'Bearer node-secret' } })
const primary = { calendarId: 'primary' }
const at = hour => ({ dateTime: `2026-03-12T${hour}:00:00Z` })

const { data: event } = await calendar.events.insert({ ...primary, requestBody: { summary: 'Review', start: at('09'), end: at('10') } })
assert.equal(event.summary, 'Review')

async function refused (call, reason) {
  const error = await call.then(() => assert.fail('not refused'), e => e)
  assert.equal(Number(error.status ?? error.code), 400)
  assert.equal(error.errors?.[0].reason ?? error.response.data.error.errors[0].reason, reason)
}
await refused(calendar.events.patch({ ...primary, eventId: event.id, requestBody: { end: at('08') } }), 'timeRangeEmpty')
await refused(calendar.events.insert({ ...primary, requestBody: { start: at('09') } }), 'required')

const { data: page } = await calendar.events.list({ ...primary, maxResults: 10 })
assert.ok(page.items.some(e => e.id === event.id))
console.log('ok')
