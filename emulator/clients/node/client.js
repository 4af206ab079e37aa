// Runs the official Node client of Google Calendar against the emulator. It exits with status 1 if an answer
// is not as expected.
//
//   npm install && node client.js http://127.0.0.1:8085/
import assert from 'node:assert/strict'
import { calendar as client } from '@googleapis/calendar'

const rootUrl = process.argv[2] ?? 'http://127.0.0.1:8085/'
const calendar = client({ version: 'v3', rootUrl })
const at = (day, hour) => ({ dateTime: new Date(Date.UTC(2026, 2, day, hour)).toISOString(), timeZone: 'UTC' })
const primary = { calendarId: 'primary' }

// refused checks that the client reads a refusal.
async function refused (call, status, reason) {
  const error = await call.then(() => assert.fail('not refused'), e => e)
  assert.equal(Number(error.status ?? error.code), status)
  assert.equal(error.errors?.[0].reason ?? error.response.data.error.errors[0].reason, reason)
  assert.ok(error.message.length > 0)
}

const { data: event } = await calendar.events.insert({ ...primary, requestBody: { summary: 'Review', start: at(11, 9), end: at(11, 10) } })
assert.equal(event.status, 'confirmed')
assert.equal(event.organizer.self, true)
const about = { ...primary, eventId: event.id }
assert.deepEqual((await calendar.events.get(about)).data, event)

const { data: patched } = await calendar.events.patch({ ...about, requestBody: { location: 'Room 4' } })
assert.equal(patched.summary, 'Review')
assert.notEqual(patched.etag, event.etag)
await refused(calendar.events.update({ ...about, requestBody: patched }, { headers: { 'If-Match': event.etag } }), 412, 'conditionNotMet')
await calendar.events.update({ ...about, requestBody: { ...patched, summary: 'Weekly review' } }, { headers: { 'If-Match': patched.etag } })

await refused(calendar.events.insert({ ...primary, requestBody: { start: at(11, 9), end: at(11, 8) } }), 400, 'timeRangeEmpty')
await refused(calendar.events.insert({ ...primary, requestBody: { start: at(11, 9) } }), 400, 'required')
await refused(calendar.events.get({ ...primary, eventId: 'nosuchevent' }), 404, 'notFound')

const { data: series } = await calendar.events.insert({ ...primary, requestBody: { summary: 'Standup', start: at(9, 9), end: at(9, 10), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] } })
const instances = (await calendar.events.instances({ ...primary, eventId: series.id })).data.items
assert.deepEqual(instances.map(i => i.start.dateTime), ['2026-03-09T09:00:00Z', '2026-03-10T09:00:00Z', '2026-03-11T09:00:00Z'])
await calendar.events.delete({ ...primary, eventId: instances[1].id })
const { data: single } = await calendar.events.list({ ...primary, singleEvents: true, orderBy: 'startTime', timeMin: '2026-03-09T00:00:00Z' })
assert.ok(!single.items.some(i => i.id === instances[1].id))

const { data: page } = await calendar.events.list({ ...primary, maxResults: 1 })
assert.equal(page.items.length, 1)
assert.ok(page.nextPageToken)
const { data: full } = await calendar.events.list(primary)
await calendar.events.delete(about)
const { data: changes } = await calendar.events.list({ ...primary, syncToken: full.nextSyncToken })
assert.deepEqual(changes.items.map(i => [i.id, i.status]), [[event.id, 'cancelled']])

const { data: team } = await calendar.calendars.insert({ requestBody: { summary: 'Team' } })
await calendar.events.move({ ...primary, eventId: series.id, destination: team.id })
assert.equal((await calendar.events.get({ calendarId: team.id, eventId: series.id })).data.organizer.email, team.id)
const { data: rule } = await calendar.acl.insert({ calendarId: team.id, requestBody: { role: 'reader', scope: { type: 'user', value: 'bob@example.com' } } })
assert.equal(rule.id, 'user:bob@example.com')
const { data: busy } = await calendar.freebusy.query({ requestBody: { timeMin: '2026-03-09T00:00:00Z', timeMax: '2026-03-10T00:00:00Z', items: [{ id: team.id }] } })
assert.equal(busy.calendars[team.id].busy.length, 1)
assert.equal(Object.keys((await calendar.colors.get()).data.event).length, 11)
assert.ok((await calendar.settings.list()).data.items.length > 0)
assert.equal((await calendar.events.quickAdd({ ...primary, text: 'Lunch' })).data.summary, 'Lunch')

// Every other operation.
const imported = (await calendar.events.import({ ...primary, requestBody: { iCalUID: 'uid@example.com', summary: 'Imported', start: at(12, 9), end: at(12, 10) } })).data
assert.equal(imported.iCalUID, 'uid@example.com')
const { data: calendarPatched } = await calendar.calendars.patch({ calendarId: team.id, requestBody: { description: 'All of us' } })
assert.equal(calendarPatched.summary, 'Team')
await calendar.calendars.update({ calendarId: team.id, requestBody: { summary: 'Team', timeZone: 'Europe/Berlin' } })
assert.equal((await calendar.calendars.get({ calendarId: team.id })).data.timeZone, 'Europe/Berlin')
await refused(calendar.calendars.delete(primary), 400, 'invalid')
const entry = { calendarId: team.id }
assert.equal((await calendar.calendarList.get(entry)).data.accessRole, 'owner')
assert.equal((await calendar.calendarList.patch({ ...entry, requestBody: { colorId: '9' } })).data.colorId, '9')
assert.equal((await calendar.calendarList.update({ ...entry, requestBody: { hidden: true } })).data.hidden, true)
assert.ok(!(await calendar.calendarList.list()).data.items.some(i => i.id === team.id))
await calendar.calendarList.delete(entry)
await calendar.calendarList.insert({ requestBody: { id: team.id } })
const bob = { calendarId: team.id, ruleId: rule.id }
assert.equal((await calendar.acl.patch({ ...bob, requestBody: { role: 'writer' } })).data.role, 'writer')
assert.equal((await calendar.acl.update({ ...bob, requestBody: { role: 'reader', scope: rule.scope } })).data.role, 'reader')
assert.equal((await calendar.acl.get(bob)).data.role, 'reader')
await calendar.acl.delete(bob)
assert.equal((await calendar.acl.list({ calendarId: team.id })).data.items.length, 1)
assert.equal((await calendar.settings.get({ setting: 'timezone' })).data.value, 'UTC')
const address = 'https://hooks.example/'
for (const [i, watch] of [c => calendar.events.watch({ ...primary, ...c }), c => calendar.acl.watch({ ...primary, ...c }), c => calendar.calendarList.watch(c), c => calendar.settings.watch(c)].entries()) {
  const { data: channel } = await watch({ requestBody: { id: `${event.id}${i}`, type: 'web_hook', address } })
  await calendar.channels.stop({ requestBody: { id: channel.id, resourceId: channel.resourceId } })
}
await calendar.calendars.transferOwnership({ calendarId: team.id, newDataOwner: 'ada@example.com', useAdminAccess: true })
assert.equal((await calendar.calendars.get({ calendarId: team.id })).data.dataOwner, 'ada@example.com')
await calendar.calendars.clear(primary)
assert.deepEqual((await calendar.events.list(primary)).data.items, [])
await calendar.calendars.delete({ calendarId: team.id })
console.log('the client and the emulator agree')
