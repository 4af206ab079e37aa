// A session with node-google-calendar, which has a client of its own and signs in with the key of a service account. Its quickAdd,
// move and channels.stop send nothing: it misses a variable and an address. It exits with status 1 if an answer is not as expected.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import Calendar from 'node-google-calendar'

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } })
const { Acl, CalendarList, Calendars, Colors, Events, FreeBusy, Settings } = new Calendar({ serviceAcctId: 'robot@example.com', key, timezone: 'UTC' })
const at = (day, hour) => ({ dateTime: `2026-03-${day}T${hour}:00:00Z` })
const march = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' }

const { id: team } = await Calendars.insert({ summary: 'Team', timeZone: 'Europe/Berlin' })
assert.equal((await Calendars.get(team)).timeZone, 'Europe/Berlin')
assert.equal((await Calendars.update(team, { summary: 'The team', timeZone: 'UTC' })).summary, 'The team')
assert.equal((await CalendarList.get(team)).summary, 'The team')
assert.ok((await CalendarList.list({})).items.some(i => i.id === team))

const review = await Events.insert(team, { summary: 'Review', start: at(11, '09'), end: at(11, 10), attendees: [{ email: 'ada@example.com' }] }, { sendNotifications: true })
assert.deepEqual(await Events.get(team, review.id, {}), review)
const updated = await Events.update(team, review.id, { summary: 'Weekly review', start: at(11, 10), end: at(11, 11) }, {})
assert.deepEqual([updated.summary, updated.start.dateTime, updated.attendees], ['Weekly review', '2026-03-11T10:00:00Z', undefined])
const series = await Events.insert(team, { summary: 'Standup', start: { ...at(12, '09'), timeZone: 'UTC' }, end: { ...at(12, 10), timeZone: 'UTC' }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
assert.deepEqual((await Events.instances(team, series.id, {})).map(e => e.start.dateTime), ['2026-03-12T09:00:00Z', '2026-03-13T09:00:00Z'])
const listed = await Events.list(team, { ...march, singleEvents: true, orderBy: 'startTime' })
assert.deepEqual(listed.map(e => e.summary), ['Weekly review', 'Standup', 'Standup'])
assert.equal((await FreeBusy.query(team, { ...march, items: [{ id: team }] })).length, 3)
await assert.rejects(Events.insert(team, { summary: 'Backwards', start: at(11, 10), end: at(11, '09') }), /timeRangeEmpty/)

await Events.delete(team, review.id, {})
assert.equal((await Events.get(team, review.id, {})).status, 'cancelled')

const bob = { role: 'reader', scope: { type: 'user', value: 'bob@example.com' } }
const rule = await Acl.insert(team, bob, {})
assert.equal((await Acl.update(team, rule.id, { ...bob, role: 'writer' }, {})).role, 'writer')
assert.equal((await Acl.get(team, rule.id)).role, 'writer')
await Acl.delete(team, rule.id)
assert.equal((await Acl.list(team, {})).items.length, 1)
assert.ok((await Colors.get()).event['11'])
assert.equal((await Settings.get('timezone')).value, 'UTC')

await Events.watch(team, { id: 'team-channel', type: 'web_hook', address: 'https://hooks.example/', token: 'team' }, {})
await Events.delete(team, series.id, {})
await Calendars.delete(team)
